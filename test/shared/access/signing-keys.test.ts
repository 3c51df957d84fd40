/** @module-tag alone */
import { generateKeyPairSync } from 'node:crypto';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { startSecrets } from '../../../local/aws/secrets-manager.ts';

const secrets = await startSecrets('signing-key', { plain: ['another'] });
Object.assign(process.env, {
  SIGNING_SECRET_ID: 'signing-key',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
});
// After the environment is set, because the SDK's client reads it on creation.
const { getSigningKeys, parseSigningSecret } = await import('#shared/access/signing-keys.ts');
const client = new SecretsManagerClient();
afterAll(async () => {
  vi.useRealTimers();
  client.destroy();
  await secrets.close();
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const good = {
  kid: 'now',
  private_key: pem,
  next: { kid: 'next', private_key: pem },
  refresh_secret: Buffer.alloc(32, 7).toString('base64url'),
};

describe('the text of the secret', () => {
  const but = (change: object) => JSON.stringify({ ...good, ...change });

  test('is read whole', () => {
    expect(parseSigningSecret(JSON.stringify(good))).toEqual(good);
  });

  test.each([
    ['no text', undefined],
    ['an empty text', ''],
    ['a text that is not JSON', JSON.stringify(good).slice(0, -1)],
    ['no key id', but({ kid: undefined })],
    ['no key', but({ private_key: undefined })],
    ['no next key', but({ next: undefined })],
    ['no id of the next key', but({ next: { private_key: pem } })],
    ['a next key without a private key', but({ next: { kid: 'next' } })],
    ['no secret of refresh tokens', but({ refresh_secret: undefined })],
    ['an unknown field', but({ more: 1 })],
    ['an unknown field in the next key', but({ next: { ...good.next, more: 1 } })],
    ['a key id of another type', but({ kid: 1 })],
  ])('is refused with %s', (_, text) => {
    expect(parseSigningSecret(text)).toBeUndefined();
  });
});

describe('the keys', () => {
  const read = () => runInRequest('test', 2_500, getSigningKeys);

  test('are unavailable before the first rotation', async () => {
    await expect(read()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });

  test('are the current ones', async () => {
    const SecretString = JSON.stringify(good);
    await client.send(new PutSecretValueCommand({ SecretId: 'signing-key', SecretString }));
    const found = await read();
    expect(found.rsa.kid).toBe('now');
    expect(found.rsa.privateKey.equals(privateKey)).toBe(true);
    expect(found.refreshSecret.export()).toEqual(Buffer.alloc(32, 7));
  });
});
