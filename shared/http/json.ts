import type { FieldError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { maxErrors, pointerTo } from './json-pointer.ts';

/** What is wrong with a text as strict JSON. */
export type JsonProblems = {
  /** At most 20. */
  errors: FieldError[];
  /**
   * It is no JSON, too deep, or has a name that is wrong: it must not be parsed. Otherwise nothing but values is wrong,
   * and its other fields mean the same to every reader.
   */
  unreadable: boolean;
};

/**
 * Finds violations of strict JSON (RFC 8259 within the limits of RFC 7493) in a request body. Text that two parsers
 * could read differently is rejected, not interpreted: duplicate names hide a value from a check that reads the other
 * one; lone surrogates and U+FFFD replace bytes that were not text; unsafe integers change when they are parsed.
 */
export function findProblems(text: string): JsonProblems {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = / at position (\d+)/.exec((error as SyntaxError).message)?.[1];
    const place = position === undefined ? '' : ` at position ${position}`;
    const detail = text.startsWith('\ufeff')
      ? 'Must not start with a byte order mark'
      : `Invalid JSON${place}`;
    return { errors: [{ pointer: '/body', detail }], unreadable: true };
  }
  return scan(text);
}

const numberFrom = /[-+.\deE]+/y;

/** An object or array around the current position: the index or name within it, and the names seen so far. */
type Level = { at: string | number; names: Set<string> | undefined };

/** Scans valid JSON once for the violations that JSON.parse accepts. */
function scan(text: string): JsonProblems {
  const errors: FieldError[] = [];
  let unreadable = false;
  const levels: Level[] = [];
  const report = (detail: string | undefined) => {
    if (detail === undefined || errors.length === maxErrors) return;
    errors.push({ pointer: pointerTo('body', ...levels.map(({ at }) => at)), detail });
  };
  // Set also where 20 errors are reported already: what follows them must not reach the parser.
  const reportUnreadable = (detail: string | undefined) => {
    unreadable ||= detail !== undefined;
    report(detail);
  };
  let expectsName = false;
  for (let i = 0; i < text.length; i += 1) {
    const level = levels.at(-1);
    const character = text[i];
    if (character === '"') {
      const end = endOfString(text, i);
      const raw = text.slice(i, end + 1);
      const value = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (expectsName && level?.names) {
        level.at = value;
        reportUnreadable(level.names.has(value) ? 'Duplicate field' : nameProblem(value));
        level.names.add(value);
        expectsName = false;
      } else report(stringProblem(value));
      i = end;
    } else if (character === '{' || character === '[') {
      if (levels.length === limits.jsonDepth) {
        reportUnreadable(`Must not be nested deeper than ${limits.jsonDepth} levels`);
        return { errors, unreadable };
      }
      expectsName = character === '{';
      levels.push({ at: 0, names: expectsName ? new Set() : undefined });
    } else if (character === '}' || character === ']') {
      levels.pop();
      expectsName = false;
    } else if (character === ',') {
      expectsName = level?.names !== undefined;
      if (typeof level?.at === 'number') level.at += 1;
    } else if (
      character === '-' ||
      (character !== undefined && character >= '0' && character <= '9')
    ) {
      numberFrom.lastIndex = i;
      const number = numberFrom.exec(text)?.[0] ?? character;
      report(numberProblem(number));
      i += number.length - 1;
    }
  }
  return { errors, unreadable };
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; ; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i;
  }
}

function nameProblem(name: string): string | undefined {
  // The JSON parser rejects both too, with error texts of its own.
  if (name === '__proto__' || name === 'constructor') return `Must not be named ${name}`;
  if (/\p{Cc}/u.test(name)) return 'Must not have control characters in the field name';
  return stringProblem(name);
}

function stringProblem(value: string): string | undefined {
  if (!value.isWellFormed()) return 'Must not contain a lone surrogate';
  if (value.includes('\ufffd')) return 'Must not contain U+FFFD, the replacement for invalid UTF-8';
  if (value.includes('\0')) return 'Must not contain NUL';
  return undefined;
}

function numberProblem(text: string): string | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return 'Must be a finite number';
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return 'Must be a safe integer';
  return undefined;
}
