/** @module-tag alone */
import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { startSecrets } from '../../../local/aws/secrets-manager.ts';
import { pass } from '../../support/started.ts';

const secrets = await startSecrets('mail-key');
Object.assign(process.env, {
  MAIL_SECRET_ID: 'mail-key',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
});
// After the environment is set, because the SDK's client reads it on creation.
const { getMailKey, isMailedCode, mailedCode, mailedToken } = await import(
  '#shared/mail/mail-secret.ts'
);
const client = new SecretsManagerClient();
const put = (SecretString: string) =>
  client.send(new PutSecretValueCommand({ SecretId: 'mail-key', SecretString }));

afterAll(async () => {
  client.destroy();
  await secrets.close();
});
const key = createSecretKey('k'.repeat(32), 'utf8');
const otherKey = createSecretKey('l'.repeat(32), 'utf8');

describe('tokens', () => {
  test('are 256 bits that depend on the mail and the key', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (mail, other) => {
        const token = mailedToken(mail, key);
        expect(token).toMatch(/^[\w-]{43}$/);
        expect(mailedToken(mail, key)).toBe(token);
        expect(mailedToken(mail, otherKey)).not.toBe(token);
        expect(mailedToken(other, key) === token).toBe(mail === other);
      }),
    );
  });

  test('are the same HMAC as in earlier releases, because a mail in progress outlives a release', () => {
    const hmac = (what: string) => createHmac('sha256', key).update(what).digest();
    expect(mailedToken('mail', key)).toBe(hmac('token mail').toString('base64url'));
    expect(mailedToken('mail', key)).toBe('42bZ4s4Z8Q4vUfpDOrpFBKMn-LGN0tgpgXIxajharQg');
    const number = BigInt(`0x${hmac('code mail').toString('hex').slice(0, 12)}`) % 1_000_000n;
    expect(mailedCode('mail', key)).toBe(String(number).padStart(6, '0'));
  });
});

describe('codes', () => {
  test('are six digits that depend on the mail and the key', () => {
    fc.assert(
      fc.property(fc.uuid(), (mail) => {
        const code = mailedCode(mail, key);
        expect(code).toMatch(/^\d{6}$/);
        expect(mailedCode(mail, key)).toBe(code);
        expect(isMailedCode(code, mail, key)).toBe(true);
      }),
    );
  });

  test('match only their own mail', () => {
    const mail = randomUUID();
    const code = Number(mailedCode(mail, key));
    for (let by = 1; by < 1_000_000; by += 9_973) {
      const other = String((code + by) % 1_000_000).padStart(6, '0');
      expect(isMailedCode(other, mail, key)).toBe(false);
    }
    expect(isMailedCode(mailedCode(mail, otherKey), mail, key)).toBe(
      mailedCode(mail, otherKey) === mailedCode(mail, key),
    );
  });

  test('are spread evenly, including leading zeros', () => {
    const rounds = 20_000;
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < rounds; i += 1) {
      const first = Number(mailedCode(`mail ${i}`, key)[0]);
      tenths[first] = (tenths[first] ?? 0) + 1;
    }
    // Six standard deviations. Key and ids are fixed, so this never fails by chance.
    for (const count of tenths) expect(Math.abs(count - rounds / 10)).toBeLessThan(255);
  });
});

describe('the key', () => {
  const read = () => runInRequest('test', 2_000, getMailKey);
  const later = () => {
    pass(301_000);
  };

  test('is the random text of the secret, read again after five minutes', async () => {
    const first = await read();
    expect(first.symmetricKeySize).toBeGreaterThanOrEqual(32);
    await put('another random text of at least 32');
    expect(await read()).toBe(first);
    later();
    expect((await read()).export().toString()).toBe('another random text of at least 32');
  });

  test('is unavailable if the secret is too short, so that codes cannot be guessed', async () => {
    await put('too short to be a secret');
    later();
    later();
    await expect(read()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    await put('long enough again, as it was before');
    expect((await read()).export().toString()).toBe('long enough again, as it was before');
  });
});
