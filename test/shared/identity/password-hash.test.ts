import { argon2id } from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Project } from '#shared/access/projects.ts';
import {
  hashPassword,
  requireGoodPassword,
  verifyPassword,
} from '#shared/identity/passwords/password-hash.ts';
import { hashesOf } from '../../support/imported-hashes.ts';

// The production cost, which other tests reduce.
vi.unmock('#shared/identity/passwords/password-cost.ts');

const password = 'correct horse battery staple';
const current = { m: 19_456, t: 2, p: 1 };

/** A PHC string from an argon2id implementation other than the service's. */
function phc(given: string, { m, t, p } = current, salt = Buffer.alloc(16, 7)): string {
  const tag = argon2id(given, salt, { m, t, p, dkLen: 32 });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${text(salt)}$${text(tag)}`;
}

/** Microseconds of the processor that this process spends, independent of other load. */
async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('hashes', () => {
  test('name their parameters and each have their own salt', async () => {
    const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
    for (const hash of [one, other])
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[\w+/]{43}$/);
    expect(one.split('$')[4]).not.toBe(other.split('$')[4]);
    expect(one.split('$')[5]).not.toBe(other.split('$')[5]);
  });

  test('match their password and no other', async () => {
    const hash = await hashPassword(password);
    expect(await verifyPassword(password, hash)).toBe('right');
    for (const other of ['', `${password} `, password.toUpperCase(), password.slice(1)])
      expect(await verifyPassword(other, hash)).toBe('wrong');
  });

  test('match 256 characters of any script to the last', async () => {
    const long = '😀'.repeat(255);
    const hash = await hashPassword(`${long}a`);
    expect(await verifyPassword(`${long}a`, hash)).toBe('right');
    expect(await verifyPassword(`${long}b`, hash)).toBe('wrong');
  });

  test('match those of another argon2id implementation', async () => {
    expect(await verifyPassword(password, phc(password))).toBe('right');
    expect(await verifyPassword(password, phc('another'))).toBe('wrong');
  });

  test.each([
    ['memory', { ...current, m: 64 }],
    ['passes', { ...current, t: 3 }],
    ['lanes', { ...current, p: 2 }],
    ['passes and lanes, of two digits', { m: 80, t: 10, p: 10 }],
  ])('with another number of %s match and are outdated', async (_, parameters) => {
    const hash = phc(password, parameters);
    expect(await verifyPassword(password, hash)).toBe('outdated');
    expect(await verifyPassword('another', hash)).toBe('wrong');
  });

  test('that are malformed match no password, not even an empty one', async () => {
    const zeros = 'A'.repeat(43);
    const good = phc(password, { m: 64, t: 1, p: 1 });
    const none = [
      ...[`x${good}`, `${good}x`, undefined, '', password],
      `$argon2i$v=19$m=19456,t=2,p=1$${zeros.slice(21)}$${zeros}`,
      `$argon2id$v=16$m=19456,t=2,p=1$${zeros.slice(21)}$${zeros}`,
      `$argon2id$v=19$m=19456,t=2,p=1$${zeros.slice(21)}$`,
      '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
    ];
    for (const hash of none)
      for (const given of [password, '']) expect(await verifyPassword(given, hash)).toBe('wrong');
  });

  test('take as much work to verify for an account that does not exist', async () => {
    const hash = await hashPassword(password);
    const work = (known: string | undefined) =>
      cpuTime(async () => {
        for (let i = 0; i < 7; i += 1) await verifyPassword(password, known);
      });
    // Without the work it would be a thousandth.
    expect(await work(undefined)).toBeGreaterThan((await work(hash)) / 3);
  });
});

describe('hashes of other services', () => {
  const imported = '$2b$11$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';

  test('match and are outdated, or do not match', async () => {
    const hash = hashesOf.scrypt(password);
    expect(await verifyPassword(password, hash)).toBe('outdated');
    expect(await verifyPassword('another', hash)).toBe('wrong');
  });

  test('used as a decoy match no password and change no result', async () => {
    const own = phc(password, { m: 64, t: 1, p: 1 });
    const decoy = hashesOf.scrypt(password);
    expect(await verifyPassword(password, undefined, decoy)).toBe('wrong');
    expect(await verifyPassword('another', own, decoy)).toBe('wrong');
    expect(await verifyPassword(password, own, decoy)).toBe('outdated');
  });

  test('take as much work for a wrong password as our own hash or none', async () => {
    const hash = await hashPassword(password);
    const work = (known: string | undefined) =>
      cpuTime(() => verifyPassword('another', known, imported));
    // The minimum of three excludes other work of the process, such as garbage collection.
    const least = async (known: string | undefined) =>
      Math.min(await work(known), await work(known), await work(known));
    const all = [await least(undefined), await least(hash), await least(imported)];
    // Each computes one hash of ours and one of theirs, which takes three times as long. Without a decoy they would
    // differ by that.
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(2.5);
  });
});

describe('new passwords', () => {
  const email = 'Ada.King-Lovelace@example.com';
  const project = (min_password_length?: number) => ({ min_password_length }) as Project;
  const check = (given: string, least?: number) =>
    requireGoodPassword(given, project(least), email, 'password');
  const refusal = (detail: string) =>
    expect.objectContaining({
      code: 'invalid_request',
      errors: [{ pointer: '/body/password', detail }],
    });

  test("of the project's minimum length, 15 by default, are accepted in any characters", async () => {
    const good: [string, number?][] = [
      ['x7-x7-x7-x7-x7-'],
      ['               '],
      ['x7-x7-x7', 8],
      ['😀'.repeat(8), 8],
      ['one two three four five six', 20],
    ];
    for (const [given, least] of good) await expect(check(given, least)).resolves.toBeUndefined();
    const words = fc.string({ unit: 'grapheme', minLength: 30, maxLength: 60 });
    await fc.assert(fc.asyncProperty(words, (text) => check(text)));
  });

  test('that are shorter are refused, with the minimum in the detail', async () => {
    const short = ['x7-x7-x7-x7-x7', '😀'.repeat(14), ''];
    for (const given of short)
      await expect(check(given)).rejects.toEqual(refusal('Must have at least 15 characters'));
    await expect(check('x7-x7-x', 8)).rejects.toEqual(refusal('Must have at least 8 characters'));
  });

  test('that are common are refused in upper and lower case', async () => {
    for (const given of ['qwertyuiop12345', 'PasswordPassword', '1234567890QWERTY'])
      await expect(check(given)).rejects.toEqual(refusal('Is one of the most common passwords'));
    await check('qwertyuiop12345, and more');
  });

  test('equal to the e-mail or its local part are refused in upper and lower case', async () => {
    for (const given of [email, email.toUpperCase(), 'ada.king-lovelace'])
      await expect(check(given)).rejects.toEqual(refusal('Must not be the e-mail'));
    await check('ada.king-lovelace and the engine');
    await requireGoodPassword('x7-x7-x7-x7-x7-', project(), '', 'password');
  });

  test('are refused with the pointer to the field of the request', async () => {
    await expect(requireGoodPassword('short', project(), email, 'new_password')).rejects.toEqual(
      expect.objectContaining({
        errors: [{ pointer: '/body/new_password', detail: 'Must have at least 15 characters' }],
      }),
    );
  });
});
