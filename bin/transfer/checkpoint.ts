import { rm, stat } from 'node:fs/promises';
import * as z from 'zod';
import { readJson, writeJson } from '../../local/file.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import { CommandFailure } from '../flags.ts';

const stored = z.object({
  /** Identifies the run; another run must not resume from here. */
  run: z.string(),
  /** Bytes of the file of errors, or of the export, that belong to the completed work. */
  written: z.int(),
  /** A secret that is not revoked yet. */
  secret_id: z.string().optional(),
  state: z.unknown(),
});

export type Checkpoint<S> = { state: S; written: number; secret_id?: string | undefined };

/** Where a killed run resumes: one small file, which is replaced atomically. */
export type Checkpoints<S> = {
  file: string;
  read(): Promise<Checkpoint<S> | undefined>;
  write(checkpoint: Checkpoint<S>): Promise<void>;
  remove(): Promise<void>;
};

/**
 * @param run text that describes the run: its file, its format, its options, its project and where that is
 * @param isForAny whether a run with this state has done nothing that matters to another run
 */
export function checkpointsIn<S>(
  file: string,
  run: string,
  isForAny: (state: S) => boolean = () => false,
): Checkpoints<S> {
  return {
    file,
    async read() {
      const found = await readJson(file, stored);
      if (!found) return undefined;
      if (found.run !== run && isForAny(found.state as S)) return undefined;
      if (found.run !== run)
        throw new CommandFailure(
          `${file} belongs to another run (${found.run}). Delete it to start this one (${run}) from the beginning.`,
        );
      return { ...found, state: found.state as S };
    },
    write: (checkpoint) => writeJson(file, { run, ...checkpoint }),
    remove: () => rm(file, { force: true }),
  };
}

/** Identifies a file by size and modification time, so that a changed file is another one. */
export async function nameOfFile(file: string): Promise<{ name: string; bytes: number }> {
  const found = await stat(file).catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`);
  });
  return {
    name: `${file}, ${found.size} bytes of ${found.mtime.toISOString()}`,
    bytes: found.size,
  };
}
