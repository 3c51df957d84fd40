import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from '../../local/engine/memory-folder.ts';

/** The bytes that must be free in memory: the databases of a run take one gigabyte. */
const room = 4 * 2 ** 30;

/**
 * Puts what is temporary into a folder in memory, here and in the processes that this one starts, until this one ends.
 * An engine waits for the disk at each write, which takes longer than the write. CDK and browsers leave files behind,
 * which go with the folder.
 */
export function useMemory(): void {
  const memory = memoryFolder(room);
  if (memory === undefined || process.env['TMPDIR'] !== undefined) return;
  const folder = mkdtempSync(join(memory, 'tests-'));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
