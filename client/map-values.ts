/** The object with each value changed. */
export const mapValues = <T, U>(of: object, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value as T)]));
