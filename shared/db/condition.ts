/** A condition: `#name` is the attribute of that name, `:name` the value given under it. */
export type Condition = { expression: string; values: Record<string, unknown> };

/** `where('#version = :seen', { seen: 3 })` */
export const where = (expression: string, values: Record<string, unknown> = {}): Condition => ({
  expression,
  values,
});

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
