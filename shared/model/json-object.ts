/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object as JSON has it: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as JSON, with the characters of the pattern, which is global, as `\uXXXX`. */
export const escapedJson = (value: unknown, characters: RegExp): string =>
  JSON.stringify(value).replace(
    characters,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
