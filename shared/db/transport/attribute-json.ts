/** A binary attribute in JSON: the only value that is not itself there. An attribute named `B` is none. */
const binarySent = /"B":\{(?:\}|"0":\d|"type":"Buffer")|"BS":\[/;
const binaryRead = /"B"\s*:\s*"|"BS"\s*:\s*\[/;

/** Writes the input of a command as DynamoDB's JSON. */
export function toJson(input: unknown): string {
  const json = JSON.stringify(input);
  return binarySent.test(json) ? JSON.stringify(input, withBase64) : json;
}

/** Replaces bytes. A Buffer has become an object already, so the value is read from its parent. */
function withBase64(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
}

/** Parses DynamoDB's JSON. */
export const fromJson = (json: string): Record<string, unknown> =>
  JSON.parse(json, binaryRead.test(json) ? withBytes : undefined) as Record<string, unknown>;

/** Only the type of a value is called `B` and has text, or `BS` and has a list: attributes have objects. */
function withBytes(key: string, value: unknown): unknown {
  if (key === 'B' && typeof value === 'string') return bytesOf(value);
  return key === 'BS' && Array.isArray(value) ? value.map(bytesOf) : value;
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
