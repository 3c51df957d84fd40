import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../support/folder.ts';

type Row = Record<string, unknown>;

/** The files of a new folder, by their names; most have a JSON object in each line. */
export function newFiles() {
  const folder = newFolder();
  const at = (file: string) => join(folder, file);
  return {
    folder,
    at,
    writeRows: (file: string, ...rows: unknown[]) =>
      writeFile(at(file), rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    readRows: async (file: string): Promise<Row[]> =>
      (await readFile(at(file), 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row),
    has: (file: string) =>
      stat(at(file)).then(
        () => true,
        () => false,
      ),
  };
}
