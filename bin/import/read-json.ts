import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { CommandFailure } from '../flags.ts';
import type { FileRecord } from './read-lines.ts';

/**
 * Reads the objects of a JSON file of any size: those of an array, one after another, or those in the list with this
 * name of an object (`{"users": [...]}`). Objects without such a list are records themselves.
 */
export async function* readJsonObjects(file: string, list: string): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  const decoder = new StringDecoder('utf8');
  const scan = scanner(list);
  for await (const chunk of input) {
    for (const { text, line } of scan.take(decoder.write(chunk as Buffer)))
      yield { line, bytes: input.bytesRead, value: parse(text, `${file}:${line}`) };
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
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Finds the objects by their braces, and keeps no more text than the one that it is in. */
function scanner(list: string) {
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
  let start = -1;
  let startLine = 0;

  function* take(more: string): Generator<{ text: string; line: number }> {
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
      } else if (code === quote) {
        inString = true;
        stringStart = at + 1;
      } else if (code === openBrace) {
        if (depth === base && start < 0) [start, startLine] = [at, line];
        depth += 1;
      } else if (code === openBracket) {
        if (depth === 0) base = 1;
        else if (depth === 1 && base === 0 && name === list) [base, start] = [2, -1];
        depth += 1;
      } else if (code === closeBracket) {
        depth -= 1;
        if (depth < base) base = 0;
      } else if (code === closeBrace) {
        depth -= 1;
        if (depth === base && start >= 0) {
          yield { text: text.slice(start, at + 1), line: startLine };
          start = -1;
        }
      }
    }
    const kept = start >= 0 ? start : inString ? stringStart : at;
    text = text.slice(kept);
    at -= kept;
    stringStart -= kept;
    if (start >= 0) start = 0;
  }

  return { take, line: () => line, isWithin: () => depth !== 0 || inString };
}
