import { statfsSync } from 'node:fs';

/** A folder in memory, and the bytes that must be free in it: the databases of a run take one gigabyte. */
const memory = { folder: '/dev/shm', room: 4 * 2 ** 30 };

/**
 * Puts what is temporary into memory, here and in the processes that this one starts. An engine waits for the disk at
 * each write, which takes longer than the write.
 */
export function useMemory(): void {
  try {
    const { bavail, bsize } = statfsSync(memory.folder);
    if (bavail * bsize > memory.room) process.env['TMPDIR'] ??= memory.folder;
  } catch {
    // Only Linux has it.
  }
}
