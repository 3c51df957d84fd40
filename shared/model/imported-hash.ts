/**
 * Password hashes of other services, as they are imported: in PHC string format (bcrypt in its own), so that each
 * contains its algorithm and parameters.
 */
export type ImportedHash =
  | { algorithm: 'bcrypt'; text: string }
  | ({
      algorithm: 'argon2id' | 'argon2i';
      memory: number;
      passes: number;
      parallelism: number;
    } & Salted)
  | ({ algorithm: 'scrypt'; cost: number; blockSize: number; parallelism: number } & Salted)
  | ({ algorithm: 'pbkdf2-sha256' | 'pbkdf2-sha512'; iterations: number } & Salted)
  | ({ algorithm: 'firebase-scrypt'; cost: number; blockSize: number } & Salted & {
        /** Base64, the same for all users of a Firebase project. */
        signerKey: string;
        saltSeparator: string;
      });

/** Base64 without padding. */
type Salted = { salt: string; tag: string };

/** An imported hash, or the sentence that says why it is refused. */
export type ReadHash = { hash: ImportedHash } | { problem: string };

/** Characters of an imported hash. */
export const maxHashLength = 512;

/**
 * A sign-in computes the hash, so its parameters bound the memory and the time of a request: 128 MiB, and about ten
 * times the work of our own hashes, which leaves room within the deadline of a request.
 */
const max = {
  bcryptCost: 12,
  /** KiB times passes. */
  argon2Work: 262_144,
  argon2Memory: 131_072,
  argon2Lanes: 16,
  /** Passes times the lanes beside the first: each begins four threads, which cost more than a small memory does. */
  argon2Threads: 256,
  /** N * r * p, of which 128 bytes each are memory. */
  scryptWork: 2 ** 20,
  scryptBlockSize: 64,
  /** Iterations times the digests that make up the tag. */
  pbkdf2Work: { 'pbkdf2-sha256': 2_000_000, 'pbkdf2-sha512': 600_000 },
} as const;

/** Bytes of a tag: a shorter one would fit many passwords. */
const tagBytes = { min: 16, max: 64 };
const digestBytes = { 'pbkdf2-sha256': 32, 'pbkdf2-sha512': 64 } as const;

const base64 = '[A-Za-z0-9+/]';
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const argon2 = new RegExp(
  `^\\$(argon2id|argon2i)\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,6}),p=(\\d{1,3})\\$(${base64}+)\\$(${base64}+)$`,
);
const scrypt = new RegExp(
  `^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4})\\$(${base64}+)\\$(${base64}+)$`,
);
const pbkdf2 = new RegExp(
  `^\\$(pbkdf2-sha256|pbkdf2-sha512)\\$i=(\\d{1,8})\\$(${base64}+)\\$(${base64}+)$`,
);
const firebase = new RegExp(
  `^\\$firebase-scrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),ss=(${base64}*),sk=(${base64}+)\\$(${base64}+)\\$(${base64}+)$`,
);

/** The formats, as documentation and errors name them. */
const forms =
  '$2b$, $argon2id$v=19$, $argon2i$v=19$, $scrypt$, $pbkdf2-sha256$, $pbkdf2-sha512$ or $firebase-scrypt$, in PHC string format';

/** Reads an imported hash and checks its parameters. */
export function readHash(text: string): ReadHash {
  if (text.length > maxHashLength)
    return { problem: `Must have at most ${maxHashLength} characters` };
  for (const read of [readBcrypt, readArgon2, readScrypt, readPbkdf2, readFirebase]) {
    const found = read(text);
    if (found) return found;
  }
  return { problem: `Must begin with ${forms}` };
}

function readBcrypt(text: string): ReadHash | undefined {
  const [, cost] = bcrypt.exec(text) ?? [];
  if (cost === undefined) return undefined;
  if (Number(cost) < 4 || Number(cost) > max.bcryptCost)
    return { problem: `The cost of bcrypt must be 4 to ${max.bcryptCost}` };
  return { hash: { algorithm: 'bcrypt', text } };
}

function readArgon2(text: string): ReadHash | undefined {
  const [matched, name, m, t, p, salt = '', tag = ''] = argon2.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const algorithm = name as 'argon2id' | 'argon2i';
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const bounded =
    passes > 0 &&
    parallelism > 0 &&
    parallelism <= max.argon2Lanes &&
    memory >= 8 * parallelism &&
    memory <= max.argon2Memory &&
    memory * passes <= max.argon2Work &&
    passes * (parallelism - 1) <= max.argon2Threads;
  if (!bounded)
    return {
      problem: `${algorithm} must have m of at most ${max.argon2Memory}, m * t of at most ${max.argon2Work}, p of at most ${max.argon2Lanes} and t * (p - 1) of at most ${max.argon2Threads}`,
    };
  // RFC 9106 requires 8 bytes of salt.
  return salted({ algorithm, memory, passes, parallelism, salt, tag }, 8);
}

function readScrypt(text: string): ReadHash | undefined {
  const [matched, ln, r, p, salt = '', tag = ''] = scrypt.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const [cost, blockSize, parallelism] = [2 ** Number(ln), Number(r), Number(p)];
  if (!isScryptBounded(cost, blockSize, parallelism)) return { problem: scryptProblem('scrypt') };
  return salted({ algorithm: 'scrypt', cost, blockSize, parallelism, salt, tag });
}

function readPbkdf2(text: string): ReadHash | undefined {
  const [matched, name, i, salt = '', tag = ''] = pbkdf2.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const algorithm = name as 'pbkdf2-sha256' | 'pbkdf2-sha512';
  const iterations = Number(i);
  const digests = Math.ceil(bytesOf(tag) / digestBytes[algorithm]);
  const maxWork = max.pbkdf2Work[algorithm];
  if (iterations < 1 || iterations * digests > maxWork)
    return {
      problem: `${algorithm} must have at most ${maxWork} iterations, for all ${digestBytes[algorithm]} bytes of the hash together`,
    };
  return salted({ algorithm, iterations, salt, tag });
}

function readFirebase(text: string): ReadHash | undefined {
  const [matched, ln, r, saltSeparator = '', signerKey = '', salt = '', tag = ''] =
    firebase.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const [cost, blockSize] = [2 ** Number(ln), Number(r)];
  if (!isScryptBounded(cost, blockSize, 1)) return { problem: scryptProblem('firebase-scrypt') };
  // The tag is the encrypted signer key.
  if (bytesOf(signerKey) !== bytesOf(tag))
    return { problem: 'firebase-scrypt must have a signer key (sk) as long as the hash' };
  const algorithm = 'firebase-scrypt';
  return salted({ algorithm, cost, blockSize, salt, tag, signerKey, saltSeparator });
}

/** RFC 7914, section 2: N is less than 2^(128 * r / 8). OpenSSL refuses to compute others. */
const isScryptBounded = (cost: number, blockSize: number, parallelism: number): boolean =>
  cost > 1 &&
  blockSize > 0 &&
  blockSize <= max.scryptBlockSize &&
  parallelism > 0 &&
  cost < 2 ** (16 * blockSize) &&
  cost * blockSize * parallelism <= max.scryptWork;

const scryptProblem = (name: string) =>
  `${name} must have N * r * p of at most ${max.scryptWork}, where N is 2 to the power of ln and less than 2 to the power of 16 * r, and r of at most ${max.scryptBlockSize}`;

function salted(hash: ImportedHash & Salted, least = 1): ReadHash {
  const bytes = bytesOf(hash.tag);
  if (bytes < tagBytes.min || bytes > tagBytes.max)
    return { problem: `The hash must have ${tagBytes.min} to ${tagBytes.max} bytes` };
  if (bytesOf(hash.salt) < least) return { problem: `The salt must have at least ${least} bytes` };
  return { hash };
}

/** The bytes of base64 without padding. */
const bytesOf = (text: string): number => Math.floor((text.length * 3) / 4);

/**
 * The kind of an imported hash: one of no password, with the same algorithm and parameters, so that verifying it costs
 * as much. Whatever does not matter for that, such as the length of the salt, is the same for all.
 */
export function kindOf(text: string): string {
  const read = readHash(text);
  if ('problem' in read) throw new Error(`No imported hash: ${read.problem}`);
  const { hash } = read;
  const salt = 'A'.repeat(22);
  const end = (bytes: number) => `$${salt}$${'A'.repeat(Math.ceil((bytes * 4) / 3))}`;
  switch (hash.algorithm) {
    case 'bcrypt':
      return `$2b$${hash.text.slice(4, 7)}${'.'.repeat(53)}`;
    case 'argon2id':
    case 'argon2i':
      return `$${hash.algorithm}$v=19$m=${hash.memory},t=${hash.passes},p=${hash.parallelism}${end(32)}`;
    case 'scrypt':
      return `$scrypt$ln=${Math.log2(hash.cost)},r=${hash.blockSize},p=${hash.parallelism}${end(32)}`;
    case 'pbkdf2-sha256':
    case 'pbkdf2-sha512': {
      const size = digestBytes[hash.algorithm];
      // Each digest of the tag takes all iterations.
      const bytes = Math.ceil(bytesOf(hash.tag) / size) * size;
      return `$${hash.algorithm}$i=${hash.iterations}${end(bytes)}`;
    }
    case 'firebase-scrypt':
      return `$firebase-scrypt$ln=${Math.log2(hash.cost)},r=${hash.blockSize},ss=,sk=${'A'.repeat(86)}${end(64)}`;
  }
}
