import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../lib/config.ts';
import { settings } from '../../lib/settings.ts';
import { developmentXpub } from '../../shared/identity/wallet/development-wallet.ts';
import { newFolder } from '../support/folder.ts';
import { ownXpub } from '../support/own-xpub.ts';

const folder = newFolder();
const committed = join(import.meta.dirname, '../../config');

const put = (stage: string, content: unknown) =>
  writeFileSync(
    join(folder, `${stage}.json`),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
const read = (context: Record<string, unknown>) => readConfig(new App({ context }).node, folder);
/** The configuration of a stage with these settings. */
const readOf = (content: unknown, stage = 'dev') => {
  put(stage, content);
  return read({ stage });
};
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222';
const auth = { domainName: 'auth.example.com', certificateArn };
/** This many domains of pages. */
const pagesDomains = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ domainName: `auth${i}.example.com`, certificateArn }));
const manyTags = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`tag${i}`, '']));
const required = { deletionProtection: false };
const defaults = {
  ...required,
  tableId: 'Table',
  walletType: 'service',
  corsOrigins: [],
  pagesDomains: [],
  throttle: { rate: 5000, burst: 5000 },
  tracing: true,
  logRetentionDays: 30,
  tags: {},
  rolePath: '/',
};

describe('the stage', () => {
  test('names the file, and is dev by default', () => {
    put('dev', required);
    // With a byte order mark, as editors of Windows write.
    put('staging', `\uFEFF${JSON.stringify({ ...required, logRetentionDays: 7 })}`);
    expect(read({})).toStrictEqual({ stage: 'dev', ...defaults });
    expect(read({ stage: 'staging' })).toStrictEqual({
      stage: 'staging',
      ...defaults,
      logRetentionDays: 7,
    });
  });

  test('without a file is refused, and the error says what to write', () => {
    expect(messageOf(() => read({ stage: 'absent' }))).toMatch(
      /^There is no .*absent\.json: create it with the settings of the stage "absent"; config\/README\.md describes them\.$/,
    );
  });

  test.each([['Prod'], ['../prod'], ['a/b'], [1], ['']])('%s is not a valid name', (stage) => {
    expect(messageOf(() => read({ stage }))).toMatch(/^The stage must be 1 to 16 lower-case/);
  });

  test.each(['-browser', '-workspace'])('is refused if it ends in %s', (ending) => {
    expect(messageOf(() => readOf(required, `dev${ending}`))).toBe(
      `The stage "dev${ending}" must not end in ${ending}: its functions would have names of the stage "dev".`,
    );
    expect(readOf(required, ending.slice(1))).toMatchObject(required);
  });

  test('is the only context key that -c accepts, and the error for a setting names its file', () => {
    const context = { stage: 'prod', walletXpub: developmentXpub, stag: 'prod' };
    expect(messageOf(() => read(context)).split('\n')).toEqual([
      '"walletXpub" is a setting of the stage: put it into config/prod.json instead of -c walletXpub=….',
      'Unknown context key "stag": -c accepts only stage; settings are in config/prod.json.',
    ]);
  });

  test('does not exclude the context keys of the CDK', () => {
    put('dev', required);
    expect(() =>
      read({ 'cli-telemetry': false, '@aws-cdk/core:x': true, 'aws:cdk:y': 1 }),
    ).not.toThrow();
  });
});

/** The first test vector of BIP-32, whose public key earlier examples contained. */
const xprv =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';

const xpubOf = (secret: string, path = 'm') =>
  HDKey.fromExtendedKey(secret).derive(path).publicExtendedKey;

describe('a file with an invalid value', () => {
  test.each<[string, object, string]>([
    [
      'a misspelt key',
      { mailSendr: 'a@b.example' },
      '"mailSendr" is unknown; valid settings are deletionProtection,',
    ],
    ['a stage', { stage: 'dev' }, '"stage" is unknown'],
    [
      'no deletion protection',
      { deletionProtection: undefined },
      '"deletionProtection" must be true',
    ],
    ['a private key', { walletXpub: xprv }, '"walletXpub" must be a BIP-32 extended public key'],
    ['a broken key', { walletXpub: `${developmentXpub.slice(0, -1)}1` }, '"walletXpub" must be'],
    ['a key that is not a string', { walletXpub: 1 }, '"walletXpub" must be a string.'],
    [
      'an id that is no table',
      { tableId: 'Alarms' },
      '"tableId" must be "Table" and up to 8 digits',
    ],
    ['a wallet type', { walletType: 'A b' }, '"walletType" must be'],
    ['an origin with a path', { corsOrigins: ['https://a.example/x'] }, '"corsOrigins".0 must be'],
    ['origins in one text', { corsOrigins: 'https://a.example' }, '"corsOrigins" must be an array'],
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
    ['half of one', { webhookConcurrency: 1.5 }, '"webhookConcurrency" must be a whole number.'],
    ['a concurrency in words', { webhookConcurrency: '9' }, '"webhookConcurrency" must be a whole'],
    ['half a throttle', { throttle: { rate: 1 } }, '"throttle".burst must be a whole number.'],
    ['no burst', { throttle: { rate: 1, burst: 0 } }, '"throttle".burst must be at least 1.'],
    ['tracing in words', { tracing: 'no' }, '"tracing" must be true or false.'],
    ['a retention', { logRetentionDays: 31 }, '"logRetentionDays" must be one of 1, 3, 5,'],
    ['a retention in words', { logRetentionDays: 'x' }, '"logRetentionDays" must be a number'],
    [
      'a secret instead of its digest',
      { trustedProxy: { secretDigests: ['hunter2'] } },
      'must be a SHA-256 in 64 lower-case hex digits.',
    ],
    ['no digest', { trustedProxy: { secretDigests: [] } }, 'must have at least one digest.'],
    [
      'a proxy before an address that clients do not call',
      { trustedProxy: { secretDigests: ['0'.repeat(64)] } },
      '"trustedProxy" requires "domainName"',
    ],
    [
      'a domain of pages without a certificate',
      { pagesDomains: [{ domainName: 'auth.example.com' }] },
      '"pagesDomains".0.certificateArn must be a string.',
    ],
    [
      'a domain of pages in upper case',
      { pagesDomains: [{ domainName: 'Auth.acme.com', certificateArn }] },
      '"pagesDomains".0.domainName must be a host name',
    ],
    [
      'a domain of pages twice',
      { pagesDomains: [auth, auth] },
      '"pagesDomains" must not have a name twice',
    ],
    [
      'more domains of pages than a stack has room for',
      { pagesDomains: pagesDomains(41) },
      '"pagesDomains" must have at most 40 domains.',
    ],
    [
      'the domain of the service for pages',
      { domainName: auth.domainName, certificateArn, pagesDomains: [auth] },
      'nor "domainName".',
    ],
    ['tags in a list', { tags: ['owner'] }, '"tags" must be a record.'],
    ['a tag of AWS', { tags: { 'AWS:owner': 'me' } }, '"tags" must have names of 1 to 128 letters'],
    [
      'a tag whose value AWS refuses',
      { tags: { owner: 'R&D' } },
      '"tags".owner must have letters, digits',
    ],
    ['a tag twice', { tags: { Owner: 'a', owner: 'b' } }, '"tags" must have names that differ'],
    ['a tag with a number', { tags: { 'cost-center': 1 } }, '"tags".cost-center must be a string.'],
    ['a long tag', { tags: { owner: 'a'.repeat(257) } }, '"tags".owner must have at most 256'],
    ['51 tags', { tags: manyTags(51) }, '"tags" must have at most 50 tags.'],
    [
      'the name of a boundary',
      { permissionsBoundaryArn: 'boundary' },
      '"permissionsBoundaryArn" must be the ARN of a managed policy.',
    ],
    ['a path without its last slash', { rolePath: '/teams' }, '"rolePath" must begin and end with'],
    [
      'the alias of a key',
      { kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:alias/own' },
      '"kmsKeyArn" must be the ARN of a KMS key, not of an alias.',
    ],
    ['a long qualifier', { bootstrapQualifier: 'a'.repeat(11) }, '"bootstrapQualifier" must be 1'],
    ['a domain alone', { domainName: 'id.example.com' }, 'must be given together.'],
  ])('%s', (_, content, part) => {
    const message = messageOf(() => readOf({ ...required, ...content }));
    expect(message).toMatch(/^\S*dev\.json is wrong:\n {2}"[^\n]*\.$/);
    expect(message).toContain(part);
    expect(message).not.toContain(xprv);
  });

  test('is refused with all invalid settings in one error', () => {
    const content = {
      deletionProtection: 1,
      walletXpub: xprv,
      alarmEmail: 'ops',
      logRetentionDays: 31,
      x: 1,
      y: 2,
    };
    const message = messageOf(() => readOf(content));
    for (const name of Object.keys(content)) expect(message).toContain(`\n  "${name}" `);
    expect(message).not.toContain(xprv);
  });

  test.each([
    ['{"walletXpub": "xprv', 'is not valid JSON.'],
    ['[]', 'is wrong:\n  The file must be a JSON object of settings.'],
    ['null', 'is wrong:\n  The file must be a JSON object of settings.'],
  ])('%s', (content, end) => {
    const message = messageOf(() => readOf(content));
    expect(message).toMatch(/^\S*dev\.json is /);
    expect(message.endsWith(end)).toBe(true);
    expect(message).not.toContain('xprv');
  });

  describe.each(['dev', 'prod'])('a publicly known key, in %s', (stage) => {
    test.each([
      ['of development', developmentXpub],
      ['of an example', xpubOf(xprv)],
      ['derived from that', xpubOf(xprv, "m/0'/1")],
    ])('%s', (_, walletXpub) => {
      expect(messageOf(() => readOf({ ...required, walletXpub }, stage))).toContain(
        '"walletXpub" must be your own extended public key: anyone can derive',
      );
    });
  });
});

describe('the committed files', () => {
  const example: Record<string, unknown> = JSON.parse(
    readFileSync(join(committed, 'example.json'), 'utf8'),
  );

  test('dev deploys without changes', () => {
    expect(readConfig(new App({ context: {} }).node)).toStrictEqual({ stage: 'dev', ...defaults });
  });

  test('the example has a value for every setting, and is not a stage', () => {
    expect(Object.keys(example)).toStrictEqual(Object.keys(settings.shape));
    const filledIn = { ...example, walletXpub: ownXpub };
    expect(readOf(filledIn, 'staging')).toMatchObject(filledIn);
    expect(messageOf(() => readConfig(new App({ context: { stage: 'example' } }).node))).toContain(
      'is only an example',
    );
  });

  test('a copy of the example deploys only with an own key', () => {
    expect(example['walletXpub']).toMatch(/^REPLACE/);
    expect(messageOf(() => readOf(example, 'staging'))).toContain(
      '"walletXpub" must be a BIP-32 extended public key (xpub...), never a private one: npm run wallet',
    );
  });

  test('the README describes every setting, and no other', () => {
    const readme = readFileSync(join(committed, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(rows).toStrictEqual(Object.keys(settings.shape));
  });

  test("are README.md, dev.json and example.json only, so that no file conflicts with an operator's", () => {
    expect(readdirSync(committed).sort()).toEqual(['README.md', 'dev.json', 'example.json']);
  });
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
