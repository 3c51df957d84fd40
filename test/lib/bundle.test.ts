/** @module-tag proof */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Bundler, type BundleSizes, buildFunction, bundleFunctions } from '../../lib/bundle.ts';
import { functionNames, variablesOf } from '../../lib/functions.ts';
import { docsAssets, docsScripts } from '../../shared/contract/docs.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { newFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';

// Outside of the repository: no bundle can reach node_modules.
const folder = newFolder();
let sizes: BundleSizes;
beforeAll(async () => {
  sizes = await bundleFunctions(join(folder, 'dist'));
});

const codeOf = async (name: string) => {
  const files = await readdir(join(folder, 'dist', name));
  const code = files.filter((file) => file.endsWith('.mjs'));
  return Promise.all(code.map((file) => readFile(join(folder, 'dist', name, file), 'utf8')));
};

test("every file may be read by others, as Lambda needs, under any umask of the operator's machine", async () => {
  const into = join(folder, 'private');
  const usual = process.umask(0o077);
  // Has code, and responses that are made.
  await buildFunction('docs.page', into).finally(() => process.umask(usual));
  const files = await readdir(into);
  const modes = await Promise.all(files.map(async (file) => (await stat(join(into, file))).mode));
  expect(modes.map((mode) => mode & 0o777)).toEqual(files.map(() => 0o644));
});

test('there is exactly one bundle for every function', async () => {
  expect((await readdir(join(folder, 'dist'))).sort()).toStrictEqual([...functionNames].sort());
});

/** Size limits in bytes of functions that need more than 215 KB. */
const larger: { [F in FunctionName]?: number } = {
  // Verify foreign signatures, with more algorithms than ours and keys from verified addresses: 19 KB of jose, which
  // every call needs. Linking also accepts the code of a redirect.
  'identities.link': 234_400,
  'identities.signIn': 245_300,
  // Redeem codes at providers: 50 KB of openid-client and jose, which every call needs.
  'providers.callback': 262_800,
  'providers.callbackByForm': 263_100,
  // Start a session or require the second factor. The first also requires a captcha, and loads its verification on
  // demand. All but the first also end API keys, with an event for each.
  'passwords.signIn': 219_700,
  'passwords.set': 217_500,
  'codes.verify': 219_200,
  'links.signIn': 220_400,
  'providers.signIn': 219_500,
  // Depends on users, workspaces, roles, rate limits and mails, and on every kind and limit added to them.
  'invitations.create': 219_500,
  // Reads every domain of a user, and what keeps them from signing in. Support calls it, and one who leaves.
  'users.export': 216_700,
  // Can also suspend the added member.
  'members.add': 217_200,
  // Contain clients of other AWS services. No client waits for them, or they are rarely called. The first contains jose
  // too.
  'keys.rotate': 282_000,
  'webhooks.deliver': 234_000,
  'stream.consume': 284_700,
  'webhooks.redeliver': 352_000,
  // Counts notices too.
  'mail.send': 322_000,
};

// An upgrade of the SDK that moves code removed by lib/bundle-sdk.ts exceeds them.
test.each(functionNames)('%s loads at most 215 KB at a cold start, or its agreed limit', (name) => {
  expect(sizes[name].coldStart).toBeGreaterThan(1_000);
  expect(
    sizes[name].coldStart,
    'see "If a bundle grows" in docs/guide/contributing.md',
  ).toBeLessThanOrEqual(larger[name] ?? 215_000);
  expect(sizes[name].total).toBeGreaterThanOrEqual(sizes[name].coldStart);
});

test('the same sources give the same bytes', async () => {
  await buildFunction('users.create', join(folder, 'again', 'users.create'));
  const files = await readdir(join(folder, 'again', 'users.create'));
  expect(files).toStrictEqual(await readdir(join(folder, 'dist', 'users.create')));
  for (const file of files)
    expect(await readFile(join(folder, 'again', 'users.create', file))).toStrictEqual(
      await readFile(join(folder, 'dist', 'users.create', file)),
    );
});

test('functions built one after the other equal those built alone', async () => {
  const names = ['docs.page', 'discovery.jwks', 'stream.sort'] as const;
  const bytesOf = async (at: string) =>
    Promise.all(
      (await readdir(at)).sort().map(async (file) => [file, await readFile(join(at, file))]),
    );
  await using bundler = new Bundler();
  for (const name of names) {
    const [together, alone] = [join(folder, 'together', name), join(folder, 'alone', name)];
    const built = await bundler.build(name, together);
    expect(built).toEqual(await buildFunction(name, alone));
    expect(await bytesOf(together)).toStrictEqual(await bytesOf(alone));
  }
});

test('docs.asset includes its files', async () => {
  expect(await readdir(join(folder, 'dist', 'docs.asset'))).toEqual(
    expect.arrayContaining(['index.mjs', ...Object.values(docsScripts)]),
  );
});

test('static files are stored compressed beside their function, with the content that it serves', async () => {
  const statics = {
    'docs.page': ['page.html'],
    'docs.openapi': ['openapi.json'],
    'docs.asset': docsAssets,
  };
  for (const [name, files] of Object.entries(statics))
    for (const file of files) {
      const at = join(folder, 'dist', name, file);
      const [br, gzip] = await Promise.all([readFile(`${at}.br`), readFile(`${at}.gzip`)]);
      const text = brotliDecompressSync(br).toString();
      expect(gunzipSync(gzip).toString()).toBe(text);
      expect(br.length, file).toBeLessThan(text.length * (text.length > 1_000 ? 0.5 : 1.1));
      if (name === 'docs.asset' && file !== 'errors') expect(text).toBe(await readFile(at, 'utf8'));
    }
});

describe('the environment of a function', () => {
  const readers = {
    TABLE_NAME: '.tableName()',
    BASE_URL: '.baseUrl()',
    SIGNING_SECRET_ID: '.signingSecretId()',
    MAIL_SECRET_ID: '.mailSecretId()',
    WEBHOOK_SECRET_ID: '.webhookSecretId()',
    FACTOR_SECRET_ID: '.factorSecretId()',
    CAPTCHA_SECRET_ID: '.captchaSecretId()',
    PROVIDER_SECRETS_PREFIX: '.providerSecretsPrefix()',
    PROVIDER_TOKEN_SECRET_ID: '.providerTokenSecretId()',
    MAIL_SENDER: '.mailSender()',
    MAIL_CONFIGURATION_SET: '.mailConfigurationSet()',
    EVENT_BUS: '.eventBus()',
    SCHEDULE_GROUP: '.scheduleGroup()',
    SCHEDULE_ROLE_ARN: '.scheduleRoleArn()',
    DEAD_LETTERS_ARN: '.deadLettersArn()',
    WEBHOOK_SENDER_ARN: '.webhookSenderArn()',
    CHANGES_QUEUE_URL: '.changesQueueUrl()',
    MAILS_QUEUE_URL: '.mailsQueueUrl()',
    WALLET_XPUB: '.walletXpub()',
    WALLET_TYPE: '.walletType()',
    TRUSTED_PROXY_SHA256: '.trustedProxy()',
    TRUSTED_PROXY_ONLY: '.trustedProxy()',
  } as const;

  // Unreachable code does not count: the framework of every endpoint can read the table.
  test.each(functionNames)('%s has exactly the variables that its bundle reads', async (name) => {
    const code = (await codeOf(name)).join('\n');
    const read = Object.entries(readers).filter(([, reader]) => code.includes(reader));
    const given = variablesOf(name);
    const names = read.map(([variable]) => variable);
    expect(names).toEqual(expect.arrayContaining(given));
    const own = (all: readonly string[]) =>
      all.filter((variable) => !/^(?:TABLE_NAME|BASE_URL)$/.test(variable)).sort();
    expect(own(names)).toEqual(own(given));
  });
});

describe.each([
  ["the service's own transport", {}],
  ["the SDK's transport", { DYNAMODB_TRANSPORT: 'sdk' }],
])('a bundle on %s', (_, transport: Record<string, string>) => {
  /** Calls a bundle whose table returns these responses one after another. */
  async function callJwks(answers: { status: number; body: string }[]) {
    const seen: (string | string[] | undefined)[] = [];
    const endpoint = await serve((request, response) => {
      const {
        authorization,
        'x-amz-security-token': token,
        'x-amz-target': target,
      } = request.headers;
      seen.push(authorization, token, target);
      const { status = 500, body = '' } = answers.shift() ?? {};
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    }, onTestFinished);
    const script = `
      const { handler } = await import(${JSON.stringify(`file://${folder}/dist/discovery.jwks/index.mjs`)});
      const event = { rawPath: '/.well-known/jwks.json', rawQueryString: '', headers: {}, isBase64Encoded: false,
        requestContext: { requestId: 'r', http: { method: 'GET' } } };
      console.log(JSON.stringify(await handler(event, { getRemainingTimeInMillis: () => 3000 })));
    `;
    const { stdout } = await run(script, {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
      TABLE_NAME: 'table',
      BASE_URL: 'https://id.example.com',
      ...transport,
    });
    return { seen, answer: JSON.parse(stdout) as { statusCode: number; body: string } };
  }
  const empty = { status: 200, body: '{"Items":[],"Count":0}' };

  test('signs its calls with the credentials from Lambda', async () => {
    const { seen, answer } = await callJwks([empty]);
    expect(answer).toMatchObject({ statusCode: 200, body: '{"keys":[]}' });
    expect(seen).toStrictEqual([
      expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\//,
      ),
      'session',
      'DynamoDB_20120810.Query',
    ]);
  });

  test('retries a throttled call, and not a refused one', async () => {
    const refused = (name: string) => ({
      status: 400,
      body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name }),
    });
    const throttled = refused('ProvisionedThroughputExceededException');
    expect(await callJwks([throttled, empty])).toMatchObject({ answer: { statusCode: 200 } });
    const { seen, answer } = await callJwks([refused('ResourceNotFoundException'), empty]);
    expect([answer.statusCode, seen.length]).toEqual([500, 3]);
  });
});

function run(script: string, environment: Record<string, string>) {
  const args = ['--input-type=module', '-e', script];
  const env = { PATH: process.env['PATH'], ...environment };
  return promisify(execFile)(process.execPath, args, { cwd: folder, env });
}
