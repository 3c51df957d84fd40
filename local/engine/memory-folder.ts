import { statfsSync } from 'node:fs';

const folder = '/dev/shm';

/** A file system in memory, which Linux has, if so many bytes are free in it. */
export function memoryFolder(room: number): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > room ? folder : undefined;
  } catch {
    return undefined;
  }
}
