/** A condition: `#name` is the attribute of that name, `:name` the value given under it. */
export type Condition = { expression: string; values: Record<string, unknown> };

/** `where('#version = :seen', { seen: 3 })` */
export const where = (expression: string, values: Record<string, unknown> = {}): Condition => ({
  expression,
  values,
});

/** True while there is no item. */
export const absent = where('attribute_not_exists(#pk)');

/** True while the item exists. */
export const exists = where('attribute_exists(#pk)');

/** True while an attribute has the value that was read; undefined: it had none. */
export const attributeUnchanged = (attribute: string, value: unknown): Condition =>
  value === undefined
    ? where(`attribute_not_exists(#${attribute})`)
    : where(`#${attribute} = :read_${attribute}`, { [`read_${attribute}`]: value });

/** True while each of these attributes has the value that was read, or none. */
export const attributesUnchanged = <T extends object>(
  read: T,
  [first, ...others]: readonly [keyof T & string, ...(keyof T & string)[]],
) => {
  const unchanged = (name: keyof T & string) => attributeUnchanged(name, read[name]);
  return and(unchanged(first), ...others.map(unchanged));
};

/** True while the item exists and is not marked as deleted: what is left of a user or a workspace has the same key. */
export const existsUndeleted = where('attribute_exists(#pk) AND attribute_not_exists(#deleted_at)');

/** True while the item exists in the project and is not marked as deleted. */
export const existsInProject = (project_id: string): Condition =>
  where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', { project_id });

/** A condition that requires all of these; an undefined one requires nothing. */
export const and = (first: Condition, ...others: readonly (Condition | undefined)[]): Condition =>
  others.filter((each) => each !== undefined).reduce((a, b) => joined(a, 'AND', b), first);

/** A condition that requires one of two. */
export const or = (a: Condition, b: Condition): Condition => joined(a, 'OR', b);

const joined = (a: Condition, word: 'AND' | 'OR', b: Condition): Condition => ({
  expression: `(${a.expression}) ${word} (${b.expression})`,
  values: { ...a.values, ...b.values },
});
