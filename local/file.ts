import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type * as z from 'zod';
import { messageOf } from '../shared/model/message-of.ts';
import { StartFailure } from './failure.ts';

/** A file has unexpected content. */
export class Corrupt extends StartFailure {}

/**
 * Reads JSON from a file; undefined if it does not exist. Throws `Corrupt` for content that the schema rejects, another
 * `StartFailure` for a file that cannot be read.
 */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartFailure(`${file} cannot be read: ${messageOf(error)}.`);
  }
  const { data, success } = schema.safeParse(parse(file, content));
  if (!success) throw new Corrupt(`${file} does not hold what it should.`);
  return data;
}

function parse(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Corrupt(`${file} cannot be read: ${messageOf(error)}.`);
  }
}

/** Replaces a file that only its owner may read. The replacement is atomic: the file has the old or the new text. */
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
