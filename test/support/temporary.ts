import { memoryFolder } from '../../local/memory-folder.ts';

/** The bytes that must be free in memory: the databases of a run take one gigabyte. */
const room = 4 * 2 ** 30;

/**
 * Puts what is temporary into memory, here and in the processes that this one starts. An engine waits for the disk at
 * each write, which takes longer than the write.
 */
export function useMemory(): void {
  const folder = memoryFolder(room);
  if (folder !== undefined) process.env['TMPDIR'] ??= folder;
}
