/** A condition: `#name` is the attribute of that name, `:name` the value given under it. */
export type Condition = { expression: string; values: Record<string, unknown> };

/** `where('#version = :seen', { seen: 3 })` */
export const where = (expression: string, values: Record<string, unknown> = {}): Condition => ({
  expression,
  values,
});

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
  names: readonly (keyof T & string)[],
) => names.map((name) => attributeUnchanged(name, read[name])).reduce(and);

/** True while the item exists and is not marked as deleted: what is left of a user or a workspace has the same key. */
export const existsUndeleted = where('attribute_exists(#pk) AND attribute_not_exists(#deleted_at)');

/** A condition that requires both conditions. */
export const and = (a: Condition, b: Condition): Condition => ({
  expression: `(${a.expression}) AND (${b.expression})`,
  values: { ...a.values, ...b.values },
});

/** A condition that requires one of two. */
export const or = (a: Condition, b: Condition): Condition => ({
  expression: `(${a.expression}) OR (${b.expression})`,
  values: { ...a.values, ...b.values },
});
