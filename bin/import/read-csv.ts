import { createReadStream } from 'node:fs';
import { type CsvError, parse } from 'csv-parse';
import { CommandFailure, messageOf } from '../flags.ts';
import type { FileRecord } from './read-lines.ts';

/** Reads a CSV file with a header (RFC 4180). Fields that are empty are left out. */
export async function* readCsv(file: string): AsyncGenerator<FileRecord> {
  const input = createReadStream(file);
  const records = input.pipe(
    parse({ columns: true, bom: true, info: true, skip_empty_lines: true, trim: true }),
  );
  input.on('error', (error) => records.destroy(error));
  try {
    for await (const { record, info } of records as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      const value = Object.fromEntries(Object.entries(record).filter(([, text]) => text !== ''));
      yield { line: info.lines, bytes: input.bytesRead, value };
    }
  } catch (error) {
    const { lines } = error as Partial<CsvError> & { lines?: number };
    const at = lines === undefined ? file : `${file}:${lines}`;
    throw new CommandFailure(`${at}: ${messageOf(error)}`);
  }
}
