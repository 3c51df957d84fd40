import { describe, expect, test } from 'vitest';
import { findSecret, isProjectSecret, newProjectSecret } from '#shared/access/project-secret.ts';
import type { Project } from '#shared/access/projects.ts';
import { sha256 } from '#shared/model/ids.ts';
import { limits } from '#shared/model/limits.ts';

const projectWith = (...secrets: string[]) =>
  ({
    secrets: secrets.map((secret, i) => ({ secret_id: `${i}`, sha256: sha256(secret) })),
  }) as unknown as Project;
const some = (length: number) => Array.from({ length }, newProjectSecret);

const other = (letter = '') => (letter === 'A' ? 'B' : 'A');

describe('a new secret', () => {
  test('is 32 random bytes behind a prefix, with a checksum that any scanner can verify', () => {
    const all = some(200);
    expect(new Set(all).size).toBe(200);
    for (const secret of all) {
      expect(secret).toMatch(/^wsk_[A-Za-z0-9_-]{49}$/);
      expect(sha256(secret.slice(4, 47)).slice(0, 6)).toBe(secret.slice(-6));
      expect(isProjectSecret(secret)).toBe(true);
    }
  });

  test.each<[string, (secret: string) => string]>([
    ['a letter changed', (secret) => secret.replace(/^(....)./, `$1${other(secret[4])}`)],
    ['its checksum changed', (secret) => secret.slice(0, -1) + other(secret.at(-1))],
    ['its end cut off', (secret) => secret.slice(0, -1)],
    ['a character more', (secret) => `${secret}A`],
    ['another prefix', (secret) => secret.replace('wsk_', 'rt__')],
    ['an empty text', () => ''],
  ])('is not recognised with %s', (_, change) => {
    expect(isProjectSecret(change(newProjectSecret()))).toBe(false);
  });

  test.each([0, 42, 44])(
    'is not recognised with %i characters and their own checksum',
    (length) => {
      const body = 'x'.repeat(length);
      expect(isProjectSecret(`wsk_${body}${sha256(body).slice(0, 6)}`)).toBe(false);
    },
  );
});

const now = new Date('2026-11-24T12:00:00.000Z');

describe('findSecret', () => {
  test.each([1, 2, limits.liveSecretsPerProject])(
    'finds each of %i live secrets by its text',
    (count) => {
      const secrets = some(count);
      const project = projectWith(...secrets);
      const found = secrets.map((secret) => findSecret(project, secret, now));
      expect(found).toEqual(project.secrets);
      expect(findSecret(project, newProjectSecret(), now)).toBeUndefined();
    },
  );

  test.each([
    ['before', '2026-11-24T12:00:00.001Z', true],
    ['at', '2026-11-24T12:00:00.000Z', false],
    ['after', '2026-11-24T11:59:59.999Z', false],
  ])('compares the expiry: %s it', (_, expires_at, good) => {
    const [secret = ''] = some(1);
    const project = projectWith(secret);
    const expiring = { secrets: project.secrets.map((each) => ({ ...each, expires_at })) };
    expect(findSecret(expiring, secret, now) !== undefined).toBe(good);
  });

  test('ignores secrets beyond the limit', () => {
    const secrets = some(limits.liveSecretsPerProject + 1);
    expect(findSecret(projectWith(...secrets), secrets.at(-1) ?? '', now)).toBeUndefined();
  });

  test('finds none for a project without secrets or without a project', () => {
    for (const secret of ['', newProjectSecret(), '\0'.repeat(43)]) {
      expect(findSecret(projectWith(), secret, now)).toBeUndefined();
      expect(findSecret(undefined, secret, now)).toBeUndefined();
    }
  });

  test('does not accept the digest or a part of a secret', () => {
    const [secret = ''] = some(1);
    const project = projectWith(secret);
    for (const near of [sha256(secret), secret.slice(0, -1), `${secret} `, secret.toLowerCase()])
      expect(findSecret(project, near, now)).toBeUndefined();
  });
});
