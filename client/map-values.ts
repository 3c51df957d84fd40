/** The object with each value changed. */
export const mapValues = <T, U>(object: object, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value as T)]));
