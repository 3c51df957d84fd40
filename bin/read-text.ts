import { readFile } from 'node:fs/promises';
import { withoutByteOrderMark } from '../shared/model/byte-order-mark.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { CommandFailure } from './flags.ts';

/** The text of a file that the operator names, which an editor may have begun with a byte order mark. */
export async function readText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`);
  });
  return withoutByteOrderMark(text);
}
