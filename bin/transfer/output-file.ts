import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { CommandFailure } from '../flags.ts';

/** A file of JSON lines that a run appends to. */
export type OutputFile = {
  bytes: number;
  /** Resolves when the lines are on disk; the next checkpoint relies on them. */
  append(lines: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the file and truncates it to the last checkpoint of an earlier run; later lines are written again.
 *
 * @param written bytes; undefined for a new run
 * @param replace whether a new run may replace a file
 */
export async function openOutput(
  file: string,
  { written, replace }: { written: number | undefined; replace: boolean },
): Promise<OutputFile> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const stats = await handle.stat();
    // A run that goes on truncates the file to the checkpoint, which stands beside it.
    if (!stats.isFile())
      throw new CommandFailure(`${file} must be a file, not a pipe or a device.`);
    const { size } = stats;
    if (written === undefined && size > 0 && !replace)
      throw new CommandFailure(`${file} exists. Pass --force to replace it.`);
    if (size < (written ?? 0))
      throw new CommandFailure(
        `${file} has ${size} bytes, but the run that is to go on had written ${written}. Put the file back, or delete ${file} and the checkpoint to start from the beginning.`,
      );
    // It may contain personal data or password hashes, and an existing file would keep its mode.
    await handle.chmod(0o600);
    await handle.truncate(written ?? 0);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const output: OutputFile = {
    bytes: written ?? 0,
    async append(lines) {
      if (lines.length === 0) return;
      let text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      while (text.length > 0) {
        const { bytesWritten } = await handle.write(text, 0, text.length, output.bytes);
        output.bytes += bytesWritten;
        text = text.subarray(bytesWritten);
      }
      await handle.datasync();
    },
    close: () => handle.close(),
  };
  return output;
}
