import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { CommandFailure } from '../flags.ts';
import type { FileRecord } from './read-lines.ts';

/**
 * Reads the objects of a JSON file of any size: those of an array, one after another, or those in the list with this
 * name of an object (`{"users": [...]}`). Objects without such a list are records themselves. Throws a `CommandFailure`
 * with the line for anything but blanks and commas between them: it may be users in another format.
 */
export async function* readJsonObjects(file: string, list: string): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  const decoder = new StringDecoder('utf8');
  const scan = scanner(file, list);
  for await (const chunk of input) {
    for (const record of scan.take(decoder.write(chunk as Buffer)))
      yield { ...record, bytes: input.bytesRead };
  }
  if (scan.isWithin()) throw new CommandFailure(`${file}:${scan.line()}: the file ends too early.`);
}

function parse(text: string, at: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandFailure(`${at}: not JSON.`);
  }
}

const [quote, backslash, lineFeed] = [0x22, 0x5c, 0x0a];
/** Text allowed between objects: white space, commas, and a byte order mark, as concatenated files contain it. */
const between = new Set([...' \t\r\n,\uFEFF'].map((each) => each.charCodeAt(0)));
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Finds the objects by their braces, and buffers only the text of the current object. */
function scanner(file: string, list: string) {
  let text = '';
  let at = 0;
  let line = 1;
  let depth = 0;
  /** Depth at which the records begin. */
  let base = 0;
  let inString = false;
  let escaped = false;
  let stringStart = 0;
  /** The last string directly in the outermost object: the name of the list that follows. */
  let name = '';
  /** Where the current object begins: a record, or the object around the list. */
  let start = -1;
  let startLine = 0;
  /** The text of the object around the list so far, without the list's content. */
  let around = '';
  let aroundLine = 0;

  function* take(more: string): Generator<{ value: unknown; line: number }> {
    text += more;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === lineFeed) line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (code === backslash) escaped = true;
        else if (code === quote) {
          inString = false;
          if (depth === 1 && base === 0) name = text.slice(stringStart, at);
        }
      } else if (start < 0) {
        if (code === openBrace) {
          [start, startLine] = [at, line];
          depth += 1;
        } else if (code === openBracket && depth === 0) [base, depth] = [1, 1];
        else if (code === closeBracket && depth > 0) {
          // The end of the file's array, or of the list, whose surrounding object continues.
          if (base === 2) [start, startLine] = [at, aroundLine];
          [base, depth] = [0, depth - 1];
        } else if (!between.has(code))
          throw new CommandFailure(`${file}:${line}: not a JSON object.`);
      } else if (code === quote) {
        inString = true;
        stringStart = at + 1;
      } else if (code === openBrace) depth += 1;
      else if (code === openBracket) {
        depth += 1;
        if (depth === 2 && base === 0 && name === list) {
          around += text.slice(start, at + 1);
          [base, start, aroundLine] = [2, -1, startLine];
        }
      } else if (code === closeBrace || code === closeBracket) {
        depth -= 1;
        // Also at a bracket of the wrong kind: the text is then invalid JSON, and parsing fails.
        if (depth === base) {
          const before = base === 0 ? around : '';
          const value = parse(before + text.slice(start, at + 1), `${file}:${startLine}`);
          start = -1;
          if (before === '') yield { value, line: startLine };
          else around = '';
        }
      }
    }
    const kept = start >= 0 ? start : at;
    text = text.slice(kept);
    at -= kept;
    stringStart -= kept;
    if (start >= 0) start = 0;
  }

  return { take, line: () => line, isWithin: () => depth !== 0 };
}
