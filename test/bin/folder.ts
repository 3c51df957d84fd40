import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

type Row = Record<string, unknown>;

/** A new folder, which is deleted after the tests of the file or group that it is made for. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

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
