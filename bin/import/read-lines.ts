import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { withoutByteOrderMark } from '../../shared/model/byte-order-mark.ts';

/** A record of a file, where it begins and about how many bytes of the file end with it; `problem` if it is unreadable. */
export type FileRecord = { line: number; bytes: number } & (
  | { value: unknown }
  | { problem: string }
);

/** Maximum characters of a line; a workspace with the maximum number of members needs fewer. */
const maxLength = 64 * 1024 * 1024;

/**
 * Reads JSON lines. A line that is invalid JSON, or longer than 64 Mi characters, is a record with a problem; reading
 * continues.
 */
export async function* readLines(file: string, longest = maxLength): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  let [line, bytes] = [0, 0];
  for await (const text of linesOf(input, longest)) {
    line += 1;
    // Of the line, not of the stream, which reads ahead: a file of workspaces would seem to be done at its beginning.
    bytes = text === undefined ? input.bytesRead : bytes + Buffer.byteLength(text) + 1;
    const at = { line, bytes };
    const json = line === 1 && text !== undefined ? withoutByteOrderMark(text) : text;
    if (json === undefined) yield { ...at, problem: `Has more than ${longest} characters` };
    else if (json.trim() !== '') yield { ...at, ...parse(json) };
  }
}

/**
 * The lines of a file, undefined for a line that is too long. Splits only at line feeds: JSON strings may contain
 * U+2028 and U+2029, at which `node:readline` splits too.
 */
async function* linesOf(
  input: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  const add = (text: string) => {
    length += text.length;
    if (length > longest) pieces = [];
    else if (text !== '') pieces.push(text);
  };
  const end = () => {
    const text = length > longest ? undefined : pieces.join('');
    [pieces, length] = [[], 0];
    return text;
  };
  for await (const chunk of input) {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    add(first);
    for (const text of others) {
      yield end();
      add(text);
    }
  }
  add(decoder.end());
  if (length > 0) yield end();
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'Is no JSON' };
  }
}
