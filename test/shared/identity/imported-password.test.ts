import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { requestLog } from '#shared/http/middleware/request-log.ts';
import { matchesImported } from '#shared/identity/passwords/imported-password.ts';
import { kindOf, readHash } from '#shared/model/imported-hash.ts';
import { anyCharacter } from '../../support/characters.ts';
import { hashesOf, published } from '../../support/imported-hashes.ts';
import { logged } from '../../support/log.ts';

const password = 'correct horse battery staple';
const made = Object.entries(hashesOf).map(
  ([name, hash]) => [name, password, hash(password)] as const,
);
const all = [...published, ...made];

/** The parameters on which the time of a verification depends. */
function parametersOf(text: string) {
  const read = readHash(text);
  if ('problem' in read) throw new Error(read.problem);
  const { hash } = read;
  if (hash.algorithm === 'bcrypt') return { algorithm: 'bcrypt', cost: hash.text.slice(4, 6) };
  const { salt: _, tag, ...others } = hash;
  if (others.algorithm === 'firebase-scrypt')
    return { ...others, signerKey: '', saltSeparator: '' };
  const digest = {
    'pbkdf2-sha256': 32,
    'pbkdf2-sha512': 64,
    argon2id: 64,
    argon2i: 64,
    scrypt: 64,
  };
  const bytes = Buffer.from(tag, 'base64').length;
  return { ...others, digests: Math.ceil(bytes / digest[others.algorithm]) };
}

test('hashes that differ in spelling, salt and length are of one kind', () => {
  const a = (count: number) => 'A'.repeat(count);
  const end = '.'.repeat(53);
  const alike = [
    ['2a', '2b', '2y'].map((name) => `$${name}$10$${end}`),
    [`$scrypt$ln=10,r=8,p=1$${a(22)}$${a(43)}`, `$scrypt$ln=10,r=08,p=01$${a(30)}$${a(86)}`],
    [`$pbkdf2-sha512$i=10$${a(22)}$${a(86)}`, `$pbkdf2-sha512$i=010$${a(8)}$${a(43)}`],
    [`$pbkdf2-sha256$i=10$${a(22)}$${a(43)}`, `$pbkdf2-sha256$i=10$${a(8)}$${a(22)}`],
    [
      `$argon2id$v=19$m=64,t=1,p=1$${a(22)}$${a(43)}`,
      `$argon2id$v=19$m=064,t=1,p=1$${a(44)}$BBBB${a(18)}`,
    ],
  ];
  for (const one of alike) expect(new Set(one.map(kindOf)).size).toBe(1);
  expect(new Set(alike.map(([first = '']) => kindOf(first))).size).toBe(alike.length);
});

describe('a hash of another service', () => {
  test.each(all)('%s matches its password and no other', async (_, right, hash) => {
    expect(readHash(hash)).toHaveProperty('hash');
    expect(await matchesImported(right, hash)).toBe(true);
    for (const other of [`${right} `, right.slice(1), right.toUpperCase(), 'x'])
      if (other !== right) expect(await matchesImported(other, hash)).toBe(false);
  });

  test.each(all)(
    '%s has a decoy of its kind that matches no password and costs as much',
    async (_, right, hash) => {
      const kind = kindOf(hash);
      expect(parametersOf(kind)).toEqual(parametersOf(hash));
      expect(await matchesImported(right, kind)).toBe(false);
      // Equal for every hash of the kind, so it reveals none.
      const secret = hash.startsWith('$2') ? hash.slice(7) : (hash.split('$').at(-1) ?? '');
      expect(kind).not.toContain(secret);
      expect(kindOf(kind)).toBe(kind);
    },
  );

  test('bcrypt compares the first 72 bytes of a password, as everywhere', async () => {
    const { bcrypt } = await import('hash-wasm');
    const given = { password: 'a'.repeat(72), salt: new Uint8Array(16), costFactor: 4 };
    const hash = await bcrypt({ ...given, outputType: 'encoded' });
    expect(await matchesImported('a'.repeat(73), hash)).toBe(true);
    expect(await matchesImported('a'.repeat(71), hash)).toBe(false);
    expect(await matchesImported('ä'.repeat(100), hash)).toBe(false);
  });
});

describe('readHash refuses', () => {
  const b = (bytes: number) => 'A'.repeat(Math.ceil((bytes * 4) / 3));
  /** A salt of 16 bytes and a tag of 32. */
  const end = `$${b(16)}$${b(32)}`;
  const firebase = (ln: number, r: number, key = 64) =>
    `$firebase-scrypt$ln=${ln},r=${r},ss=Bw,sk=${b(key)}$${b(8)}$${b(64)}`;
  const threads = /t \* \(p - 1\) of at most 256/;
  test.each([
    ['an empty text', '', /^Must begin with/],
    ['a password', password, /^Must begin with/],
    ['argon2d', `$argon2d$v=19$m=64,t=1,p=1${end}`, /^Must begin with/],
    ['many passes of argon2i', `$argon2i$v=19$m=4096,t=256,p=1${end}`, /argon2i must/],
    ['a line break at the end', `${published[0][2]}\n`, /^Must begin with/],
    ['bcrypt with a cost of 13', `$2b$13$${'.'.repeat(53)}`, /cost of bcrypt must be 4 to 12/],
    ['bcrypt without a cost', `$2b$00$${'.'.repeat(53)}`, /cost of bcrypt/],
    ['much memory of argon2id', `$argon2id$v=19$m=262144,t=1,p=1${end}`, /m of at most 131072/],
    ['many passes of argon2id', `$argon2id$v=19$m=65536,t=5,p=1${end}`, /m \* t of at most 262144/],
    ['many lanes of argon2id', `$argon2id$v=19$m=65536,t=1,p=17${end}`, /p of at most 16/],
    // Its threads took 22 s, within the bounds of memory and work.
    ['many threads of argon2id', `$argon2id$v=19$m=128,t=2048,p=16${end}`, threads],
    ['more passes of two lanes of argon2id', `$argon2id$v=19$m=16,t=257,p=2${end}`, threads],
    ['no passes of argon2id', `$argon2id$v=19$m=65536,t=0,p=1${end}`, /argon2id must/],
    ['a short salt', `$argon2id$v=19$m=64,t=1,p=1$${b(6)}$${b(32)}`, /salt must have at least 8/],
    ['much memory of scrypt', `$scrypt$ln=18,r=8,p=1${end}`, /N \* r \* p of at most 1048576/],
    ['many lanes of scrypt', `$scrypt$ln=17,r=8,p=2${end}`, /N \* r \* p/],
    ['an N of scrypt that is too large for its blocks', `$scrypt$ln=16,r=1,p=1${end}`, /16 \* r/],
    ['large blocks of scrypt', `$scrypt$ln=1,r=65,p=1${end}`, /r of at most 64/],
    ['scrypt with an N of 1', `$scrypt$ln=0,r=8,p=1${end}`, /N \* r \* p/],
    ['a short tag', `$scrypt$ln=10,r=8,p=1$${b(16)}$${b(8)}`, /hash must have 16 to 64 bytes/],
    ['a long tag', `$scrypt$ln=10,r=8,p=1$${b(16)}$${b(80)}`, /hash must have 16 to 64 bytes/],
    ['many iterations', `$pbkdf2-sha256$i=2000001${end}`, /at most 2000000 iterations/],
    ['iterations for two digests', `$pbkdf2-sha256$i=1000001$${b(16)}$${b(64)}`, /at most 2000000/],
    ['no iterations', `$pbkdf2-sha512$i=0$${b(16)}$${b(64)}`, /at most 600000 iterations/],
    ['another key than the tag', firebase(14, 8, 32), /signer key/],
    ['firebase-scrypt with much memory', firebase(20, 8), /firebase-scrypt must have N/],
    ['firebase-scrypt with large blocks', firebase(1, 8_192), /r of at most 64/],
    ['a long text', `$scrypt$ln=10,r=8,p=1$${b(600)}$${b(32)}`, /at most 512 characters/],
  ])('%s', async (_, hash, problem) => {
    expect(readHash(hash)).toEqual({ problem: expect.stringMatching(problem) });
    expect(await matchesImported(password, hash)).toBe(false);
  });

  test('any text without throwing, or reads it', async () => {
    const parts = ['$2b$', '$scrypt$', 'ln=1', ',', 'r=1', 'p=1', '$', 'AAAA', '==', '9'];
    const texts = fc.oneof(
      fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((some) => some.join('')),
      fc.string({ unit: anyCharacter, maxLength: 80 }),
    );
    const expectRead = (text: string) => {
      const read = readHash(text);
      if ('problem' in read)
        expect(read.problem).toMatch(/^[A-Z]|^argon|^scrypt|^pbkdf2|^firebase/);
    };
    expect(() => fc.assert(fc.property(texts, expectRead))).not.toThrow();
  });
});

describe('a hash that was read can be computed:', () => {
  const text = (bytes: number) => 'A'.repeat(Math.ceil((bytes * 4) / 3));
  const number = (least: number, most: number) =>
    fc.oneof(fc.integer({ min: least, max: most }), fc.constantFrom(least, most));
  const salt = number(8, 40).map(text);
  const tag = number(16, 64).map(text);
  const kinds = fc.constantFrom('argon2id', 'argon2i');
  const ln = number(1, 16);
  const r = fc.oneof(number(1, 9_999), number(1, 64));
  const p = fc.oneof(number(1, 9_999), number(1, 16));
  // Each run costs at most about as much as our hash; the exact limits are tested below.
  const isCheap = (n: number, ...factors: number[]) =>
    factors.reduce((a, b) => a * b, n) <= 2 ** 16;
  const texts = {
    scrypt: fc
      .tuple(ln, r, p, salt, tag)
      .filter(([n, ...[size, lanes]]) => isCheap(2 ** n, size, lanes))
      .map(([n, size, lanes, ...rest]) => ['', 'scrypt', `ln=${n},r=${size},p=${lanes}`, ...rest]),
    'firebase-scrypt': fc
      .tuple(ln, r, salt, salt, tag)
      .filter(([n, size]) => isCheap(2 ** n, size))
      .map(([n, size, ss, ...[own, end]]) => [
        ...['', 'firebase-scrypt', `ln=${n},r=${size},ss=${ss},sk=${end}`, own, end],
      ]),
    argon2: fc
      .tuple(kinds, number(1, 4_096), number(1, 600), number(1, 17), salt, tag)
      .filter(([, m, t]) => isCheap(m, t))
      .map(([name, m, t, lanes, ...rest]) => [
        ...['', name, 'v=19', `m=${m},t=${t},p=${lanes}`, ...rest],
      ]),
    pbkdf2: fc
      .tuple(fc.constantFrom('pbkdf2-sha256', 'pbkdf2-sha512'), number(0, 2_000), salt, tag)
      .map(([name, i, ...rest]) => ['', name, `i=${i}`, ...rest]),
    bcrypt: fc
      .tuple(fc.constantFrom('2a', '2b', '2y'), fc.constantFrom('03', '04', '05'))
      .chain(([name, cost]) =>
        fc
          .string({ unit: fc.constantFrom('.', '/', 'Z', '9'), minLength: 53, maxLength: 53 })
          .map((end) => ['', name, cost, end]),
      ),
  };
  const given = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 100 }), fc.constant(''));

  // Outside a request, an internal error is thrown.
  test.each(Object.entries(texts))('%s', async (_, parts) => {
    let computed = 0;
    const property = fc.asyncProperty(parts, given, async (written, attempt) => {
      const hash = written.join('$');
      if ('problem' in readHash(hash)) return;
      computed += 1;
      expect(await matchesImported(attempt, hash)).toBe(false);
      const kind = kindOf(hash);
      expect(parametersOf(kind)).toEqual(parametersOf(hash));
      expect(kindOf(kind)).toBe(kind);
    });
    await fc.assert(property, { numRuns: 150 });
    expect(computed).toBeGreaterThan(10);
  });

  test.each([
    ...['scrypt$ln=15,r=1,p=32', 'scrypt$ln=17,r=8,p=1', 'scrypt$ln=14,r=64,p=1'],
    ...['scrypt$ln=1,r=64,p=8192', 'argon2id$v=19$m=131072,t=2,p=16'],
  ])('%s, at the limit', async (name) => {
    expect(await matchesImported(password, `$${name}$${text(16)}$${text(32)}`)).toBe(false);
  });
});

test('a hash that fails to compute matches nothing, and the request logs the cause', async () => {
  const none = undefined as unknown as string;
  const { lines } = await logged(() =>
    runInRequest('r-1', 1_000, async () => {
      expect(await matchesImported(none, hashesOf.scrypt(password))).toBe(false);
      await requestLog('x').requestEnd({
        internal: {},
        response: { statusCode: 401, headers: {}, body: '' },
      });
    }),
  );
  const cause = { name: 'TypeError', message: expect.stringContaining('password') };
  expect(lines).toMatchObject([{ level: 'error', request_id: 'r-1', status: 401, cause }]);
});
