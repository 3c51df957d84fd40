import { argon2i, argon2id } from '@noble/hashes/argon2.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
const salt = Buffer.from('a salt of 16 byt');

/** Hashes of one password by other implementations, with the lowest permitted cost. */
export const hashesOf = {
  argon2id: (password: string, { m, t, p } = { m: 64, t: 1, p: 1 }) =>
    `$argon2id$v=19$m=${m},t=${t},p=${p}$${b64(salt)}$${b64(argon2id(password, salt, { m, t, p, dkLen: 24 }))}`,
  argon2i: (password: string, { m, t, p } = { m: 64, t: 1, p: 1 }) =>
    `$argon2i$v=19$m=${m},t=${t},p=${p}$${b64(salt)}$${b64(argon2i(password, salt, { m, t, p, dkLen: 32 }))}`,
  scrypt: (password: string, { N, r, p } = { N: 1024, r: 8, p: 2 }) =>
    `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${b64(salt)}$${b64(scrypt(password, salt, { N, r, p, dkLen: 64 }))}`,
  'pbkdf2-sha256': (password: string, c = 1_000) =>
    `$pbkdf2-sha256$i=${c}$${b64(salt)}$${b64(pbkdf2(sha256, password, salt, { c, dkLen: 32 }))}`,
  'pbkdf2-sha512': (password: string, c = 1_000) =>
    `$pbkdf2-sha512$i=${c}$${b64(salt)}$${b64(pbkdf2(sha512, password, salt, { c, dkLen: 64 }))}`,
};

/** Published hashes, with their passwords. */
export const published = [
  // crypt_blowfish 1.3, wrapper.c.
  ['bcrypt', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt of 2y', 'U*U*', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
  // firebase/scrypt, README.
  [
    'firebase-scrypt',
    'user1password',
    '$firebase-scrypt$ln=14,r=8,ss=Bw,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ',
  ],
] as const;
