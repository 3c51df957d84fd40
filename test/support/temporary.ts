import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from '../../local/engine/memory-folder.ts';

/** Bytes that must be free in memory: the databases of a run take one gigabyte. */
const room = 4 * 2 ** 30;

/**
 * Sets TMPDIR, also for child processes, to a folder in memory, deleted when this process ends. On disk, an engine
 * waits for each write longer than the write takes. CDK and browsers leave files behind, which are deleted with the
 * folder.
 */
export function useMemory(): void {
  const memory = memoryFolder(room);
  if (memory === undefined || process.env['TMPDIR'] !== undefined) return;
  const folder = mkdtempSync(join(memory, 'tests-'));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
