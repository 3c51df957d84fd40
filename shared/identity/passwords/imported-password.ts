import {
  argon2,
  createCipheriv,
  pbkdf2,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { bcryptVerify } from 'hash-wasm';
import { currentRequest } from '../../db/request-context.ts';
import { type ImportedHash, readHash } from '../../model/imported-hash.ts';

const argon2Hash = promisify(argon2);
const pbkdf2Hash = promisify(pbkdf2);
const scryptHash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What bcrypt reads of a password; the rest has no effect, in every implementation. */
const bcryptBytes = 72;

/**
 * Whether a password has this imported hash. False for a text that is none, and for one that cannot be computed: that
 * is logged, and the user gets a new password by mail, as for a wrong one.
 */
export async function matchesImported(password: string, text: string): Promise<boolean> {
  const read = readHash(text);
  if (!('hash' in read)) return false;
  try {
    return await matches(password, read.hash);
  } catch (cause) {
    currentRequest().survived = cause;
    return false;
  }
}

async function matches(password: string, hash: ImportedHash): Promise<boolean> {
  if (hash.algorithm === 'bcrypt') return matchesBcrypt(password, hash.text);
  return timingSafeEqual(await tagOf(password, hash), bytes(hash.tag));
}

type Tagged = Exclude<ImportedHash, { algorithm: 'bcrypt' }>;

async function tagOf(password: string, hash: Tagged): Promise<Buffer> {
  const [salt, length] = [bytes(hash.salt), bytes(hash.tag).length];
  switch (hash.algorithm) {
    case 'argon2id':
    case 'argon2i': {
      const { algorithm, memory, passes, parallelism } = hash;
      const parameters = { message: password, nonce: salt, tagLength: length };
      return argon2Hash(algorithm, { ...parameters, memory, passes, parallelism });
    }
    case 'scrypt':
      return scryptOf(password, salt, length, hash);
    case 'pbkdf2-sha256':
    case 'pbkdf2-sha512':
      return pbkdf2Hash(password, salt, hash.iterations, length, hash.algorithm.slice(-6));
    case 'firebase-scrypt': {
      const both = Buffer.concat([salt, bytes(hash.saltSeparator)]);
      const key = await scryptOf(password, both, 32, { ...hash, parallelism: 1 });
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      return Buffer.concat([cipher.update(bytes(hash.signerKey)), cipher.final()]);
    }
  }
}

function scryptOf(
  password: string,
  salt: Buffer,
  length: number,
  {
    cost: N,
    blockSize: r,
    parallelism: p,
  }: { cost: number; blockSize: number; parallelism: number },
): Promise<Buffer> {
  // What OpenSSL requires (EVP_PBE_scrypt_ex); its parameters are bounded when it is imported.
  const maxmem = 128 * r * (N + p + 2);
  return scryptHash(password, salt, length, { N, r, p, maxmem });
}

async function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  const read = Buffer.from(password).subarray(0, bcryptBytes);
  return read.length > 0 && bcryptVerify({ password: read, hash });
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
