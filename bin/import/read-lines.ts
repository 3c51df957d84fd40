import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A record of a file, and where it begins; `problem` if it cannot be read. */
export type FileRecord = { line: number; bytes: number } & (
  | { value: unknown }
  | { problem: string }
);

/** Reads JSON lines. A line that is no JSON is a record with a problem, and ends nothing. */
export async function* readLines(file: string): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (json.trim() === '') continue;
    yield { line, bytes: input.bytesRead, ...parse(json) };
  }
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'Is no JSON' };
  }
}
