import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../lib/config.ts';
import { developmentXpub } from '../../shared/wallet-development.ts';

const read = (context: Record<string, unknown>) => readConfig(new App({ context }).node);

test('needs nothing', () => {
  expect(read({})).toStrictEqual({
    stage: 'dev',
    walletXpub: developmentXpub,
    walletType: 'service',
    corsOrigins: [],
    logRetentionDays: 30,
  });
});

test('takes values as the command line and as cdk.json give them', () => {
  const origins = ['https://a.example', 'https://b.example'];
  expect(read({ corsOrigins: origins.join(), logRetentionDays: '7' })).toMatchObject(
    read({ corsOrigins: origins, logRetentionDays: 7 }),
  );
});

const xprv =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';

describe('refuses in one sentence that names the key', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a stage', { stage: 'Prod' }, '"stage" must be 1 to 16 lower-case letters'],
    ['a stage that is no text', { stage: 1 }, '"stage" must be a string.'],
    ['a misspelt key', { stag: 'prod' }, '"stag" is not known; known are stage, walletXpub,'],
    ['a private key', { walletXpub: xprv }, '"walletXpub" must be a BIP-32 extended public key'],
    ['a broken key', { walletXpub: `${developmentXpub.slice(0, -1)}1` }, '"walletXpub" must be'],
    ['a wallet type', { walletType: 'A b' }, '"walletType" must be'],
    ['an origin with a path', { corsOrigins: 'https://a.example/x' }, '"corsOrigins" must be'],
    ['a domain', { domainName: 'https://id.example.com' }, '"domainName" must be a host name'],
    ['a certificate', { certificateArn: 'arn:aws:iam::1:x' }, '"certificateArn" must be the ARN'],
    ['an address', { alarmEmail: 'ops' }, '"alarmEmail" must be an e-mail address.'],
    ['a sender', { mailSender: 'Acme' }, '"mailSender" must be an e-mail address.'],
    [
      'a sender that is ASCII only in lower case',
      { mailSender: 'kim@\u212aelvin.example.com' },
      '"mailSender" must be an e-mail address.',
    ],
    ['no concurrency at all', { webhookConcurrency: 0 }, '"webhookConcurrency" must be at least 1'],
    ['a concurrency in words', { webhookConcurrency: 'x' }, '"webhookConcurrency" must be a'],
    ['a retention', { logRetentionDays: 31 }, '"logRetentionDays" must be one of 1, 3, 5,'],
    ['a retention in words', { logRetentionDays: 'x' }, '"logRetentionDays" must be a number'],
    ['a domain alone', { domainName: 'id.example.com' }, 'must be given together.'],
    [
      'the development key in prod',
      { stage: 'prod' },
      '"walletXpub" must be your own extended public key in the stage "prod"',
    ],
  ])('%s', (_, context, part) => {
    const message = messageOf(() => read(context));
    expect(message).toMatch(/^The context keys? "[^\n]*\.$/);
    expect(message).toContain(part);
    expect(message).not.toContain(xprv);
  });
});

test('leaves the keys of the CDK itself alone', () => {
  expect(() =>
    read({ 'cli-telemetry': false, '@aws-cdk/core:x': true, 'aws:cdk:y': 1 }),
  ).not.toThrow();
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'Nothing was thrown.';
}
