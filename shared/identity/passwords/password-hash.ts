import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Project } from '../../access/projects.ts';
import { invalidField } from '../../model/errors.ts';
import { limits } from '../../model/limits.ts';
import { passwordCost } from './password-cost.ts';

const saltLength = 16;
const tagLength = 32;

const hashWith = promisify(argon2);
/** PHC string format, so that each hash contains its own parameters. */
const form =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** Hashes a password for storage. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const { memory: m, passes: t, parallelism: p } = passwordCost;
  const tag = await digest(password, salt);
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${unpadded(salt)}$${unpadded(tag)}`;
}

/**
 * Verifies a password. Without a hash it takes the same time and returns `wrong`, so that the response time does not
 * reveal whether the account exists. `outdated`: correct, but of another service or with other parameters than ours, so
 * it must be hashed again.
 *
 * @param decoy an imported hash of no password. A wrong password costs one of our hashes and one of these, whether the
 *   account has the one, the other or none
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  decoy?: string,
): Promise<'right' | 'outdated' | 'wrong'> {
  if (hash !== undefined && !isOwnHash(hash)) {
    if (await isImported(password, hash)) return 'outdated';
    await verifyOwn(password, undefined);
    return 'wrong';
  }
  const verdict = await verifyOwn(password, hash);
  if (verdict === 'wrong' && decoy !== undefined) await isImported(password, decoy);
  return verdict;
}

/** Whether a hash is one of ours, with the current parameters. */
export function isOwnHash(hash: string): boolean {
  const [, m, t, p] = form.exec(hash) ?? [];
  const { memory, passes, parallelism } = passwordCost;
  return Number(m) === memory && Number(t) === passes && Number(p) === parallelism;
}

async function isImported(password: string, hash: string): Promise<boolean> {
  // 40 KB, loaded lazily by the first password of a project that has imported some.
  const { matchesImported } = await import('./imported-password.ts');
  return matchesImported(password, hash);
}

async function verifyOwn(password: string, hash: string | undefined): Promise<'right' | 'wrong'> {
  const [, , , , salt = '', tag = ''] = form.exec(hash ?? '') ?? [];
  const hasHash = tag !== '';
  const expected = hasHash ? Buffer.from(tag, 'base64') : Buffer.alloc(tagLength);
  const found = await digest(
    password,
    hasHash ? Buffer.from(salt, 'base64') : Buffer.alloc(saltLength),
  );
  return timingSafeEqual(found, expected) && hasHash ? 'right' : 'wrong';
}

/**
 * Requires a new password to have the project's minimum length, not to be one of the 49,000 most common ones, and not
 * to be the e-mail (NIST SP 800-63B, section 3.1.1.2). Throws `invalid_request` for the field.
 */
export async function requireGoodPassword(
  password: string,
  project: Project,
  email: string,
  field: 'password' | 'new_password',
): Promise<void> {
  const least = project.min_password_length ?? limits.password.min;
  if ([...password].length < least)
    throw invalidField(`/body/${field}`, `Must have at least ${least} characters`);
  const folded = password.toLowerCase();
  const address = email.toLowerCase();
  if (folded === address || folded === address.slice(0, address.lastIndexOf('@')))
    throw invalidField(`/body/${field}`, 'Must not be the e-mail');
  // 380 KB, loaded lazily by the first request that sets a password.
  const { isCommonPassword } = await import('./common-passwords.ts');
  if (isCommonPassword(folded))
    throw invalidField(`/body/${field}`, 'Is one of the most common passwords');
}

function digest(password: string, salt: Buffer): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: password,
    nonce: salt,
    tagLength,
    ...passwordCost,
  };
  return hashWith('argon2id', parameters);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
