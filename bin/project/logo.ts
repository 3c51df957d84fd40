import { readFile } from 'node:fs/promises';
import { limits } from '../../shared/model/limits.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import { logoFrom } from '../../shared/operator/logo.ts';
import { CommandFailure } from '../flags.ts';

/**
 * The branding with an image file as its logo. An update replaces the whole branding, so the request must contain the
 * rest too. Rejects with a `CommandFailure`.
 */
export async function withLogo(
  file: string,
  branding: unknown,
  action: string | undefined,
): Promise<unknown> {
  if (branding === null || (branding === undefined && action === 'update'))
    throw new CommandFailure('Pass --logo together with --branding, which it is a part of.');
  const logo = await readLogo(file);
  // A value that is not an object is rejected later, with its own message.
  return typeof branding === 'string' || Array.isArray(branding)
    ? branding
    : { ...(branding as object), logo };
}

async function readLogo(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new CommandFailure(`--logo cannot be read: ${messageOf(error)}.`);
  });
  const logo = logoFrom(bytes);
  if (logo === undefined) throw new CommandFailure('--logo must be an SVG, PNG or WebP image.');
  if (logo.length > limits.logo) {
    const room = Math.floor((limits.logo - logo.indexOf(',') - 1) / 4) * 3;
    throw new CommandFailure(`--logo has ${bytes.length} bytes; at most ${room} fit.`);
  }
  return logo;
}
