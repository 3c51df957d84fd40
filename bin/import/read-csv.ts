import { createReadStream } from 'node:fs';
import { type CsvError, parse } from 'csv-parse';
import { CommandFailure, messageOf } from '../flags.ts';
import type { FileRecord } from './read-lines.ts';

/**
 * Reads a CSV file with a header (RFC 4180). Fields that are empty are left out. A row with more or fewer fields than the
 * header is a record with a problem, and ends nothing: nobody knows which of its fields is which.
 */
export async function* readCsv(file: string): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  const records = input.pipe(
    parse({
      ...{ bom: true, raw: true, skip_empty_lines: true, trim: true },
      relax_column_count: true,
    }),
  );
  input.on('error', (error) => records.destroy(error));
  let header: string[] | undefined;
  let next = 1;
  try {
    for await (const { record, raw } of records as AsyncIterable<Row>) {
      // Empty lines before a record are in its raw text too.
      const line = next + breaksIn(/^\s*/.exec(raw)?.[0] ?? '');
      next += breaksIn(raw);
      if (header === undefined) header = record;
      else yield { line, bytes: input.bytesRead, ...recordOf(header, record) };
    }
  } catch (error) {
    const { lines } = error as Partial<CsvError> & { lines?: number };
    const at = lines === undefined ? file : `${file}:${lines}`;
    throw new CommandFailure(`${at}: ${messageOf(error)}`);
  }
}

type Row = { record: string[]; raw: string };

/** The library counts only breaks of the kind that ends the first line; Excel writes another kind within fields. */
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
