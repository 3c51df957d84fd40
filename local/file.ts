import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type * as z from 'zod';
import { messageOf, StartFailure } from './failure.ts';

/** The JSON in a file; undefined where there is none. Throws a `StartFailure` for anything that the schema refuses. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let found: unknown;
  try {
    found = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartFailure(`${file} cannot be read: ${messageOf(error)}.`);
  }
  const { data, success } = schema.safeParse(found);
  if (!success) throw new StartFailure(`${file} does not hold what it should.`);
  return data;
}

/** Replaces a file that only its owner may read. Whatever happens meanwhile, it holds the old or the new text. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  try {
    const handle = await open(next, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
