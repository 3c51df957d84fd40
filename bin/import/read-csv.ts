import { createReadStream } from 'node:fs';
import { CsvError, type Options, parse } from 'csv-parse';
import { messageOf } from '../../shared/model/message-of.ts';
import { CommandFailure } from '../flags.ts';
import type { FileRecord } from './read-lines.ts';

/**
 * Reads a CSV file with a header (RFC 4180). Empty fields are omitted. A row with more or fewer fields than the header
 * is a record with a problem, because its fields cannot be assigned; reading continues. Throws a `CommandFailure` at a
 * quote that is not closed, or is inside a field, because the beginning of the next row is unknown, and if a column of
 * `required` is missing: users of another format, or of an incomplete export, would permanently lack what it says.
 */
export async function* readCsv(
  file: string,
  required: readonly string[] = [],
): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  let header: string[] | undefined;
  let next = 1;
  const placed = ({ record, raw }: Row): Placed | null => {
    // Empty lines before a record are in its raw text too.
    const line = next + breaksIn(/^\s*/.exec(raw)?.[0] ?? '');
    next += breaksIn(raw);
    if (header !== undefined) return { line, ...recordOf(header, record) };
    const missing = required.filter((name) => !record.includes(name));
    if (missing.length > 0)
      throw new Error(
        `has no column ${missing.join(', ')}; docs/guide/bring-your-users.md says how to export it.`,
      );
    header = record;
    return null;
  };
  const records = input.pipe(
    parse({
      bom: true,
      raw: true,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      // Immediately, because an error overtakes unread records. The library's types do not describe the effect of
      // `raw`.
      on_record: placed as unknown as NonNullable<Options['on_record']>,
    }),
  );
  input.on('error', (error) => records.destroy(error));
  try {
    for await (const record of records as AsyncIterable<Placed>)
      yield { ...record, bytes: input.bytesRead };
  } catch (error) {
    if (!(error instanceof CsvError)) throw new CommandFailure(`${file}: ${messageOf(error)}`);
    const { code, raw, column } = error as CsvError & QuoteError;
    const line = next + breaksIn(raw.slice(0, lastOpeningIn(raw)));
    const sentence = sentenceOf(code, next + breaksIn(raw));
    const name = header?.[column];
    throw new CommandFailure(
      `${file}:${line}: ${sentence}${name === undefined ? '' : ` (column ${name})`}.`,
    );
  }
}

type Row = { record: string[]; raw: string };
type Placed = { line: number } & ({ value: Record<string, string> } | { problem: string });

/** The library's error for a quote, the only input that it rejects: the text since the last record, and the field. */
type QuoteError = { raw: string; column: number };

/** @param line where the library stopped */
function sentenceOf(code: string, line: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'The quote that opens here is not closed';
  if (code === 'INVALID_OPENING_QUOTE')
    return 'A quote within a field must be doubled, and the field be in quotes';
  return `The quote that opens here is not closed, or a quote in line ${line} is not doubled`;
}

/** Where the last quoted field of a text begins; a quote that is doubled within it does not end it. */
function lastOpeningIn(text: string): number {
  for (let opening = text.indexOf('"'); ; ) {
    let end = text.indexOf('"', opening + 1);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    const next = end < 0 ? -1 : text.indexOf('"', end + 1);
    if (next < 0) return opening;
    opening = next;
  }
}

/**
 * The library counts only line breaks of the kind that ends the first line; Excel writes another kind inside fields.
 */
const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

function recordOf(
  header: readonly string[],
  record: readonly string[],
): { value: Record<string, string> } | { problem: string } {
  if (record.length !== header.length)
    return { problem: `Has ${record.length} fields, and the header ${header.length}` };
  const fields = header.map((name, i) => [name, record[i] ?? ''] as const);
  return { value: Object.fromEntries(fields.filter(([, text]) => text !== '')) };
}
