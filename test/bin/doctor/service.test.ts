import { beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../../bin/doctor/http.ts';
import {
  checkAlarms,
  checkEventSources,
  checkFirstKey,
  checkRouteSettings,
  checkXpub,
} from '../../../bin/doctor/service.ts';
import { readStack } from '../../../bin/doctor/stack.ts';
import { developmentXpub } from '../../../shared/identity/wallet/development-wallet.ts';
import { serve } from '../../support/serve.ts';
import { type Account, configOf, healthy, stackName, startAws } from './aws.ts';

const xpub = 'xpub-of-the-operator';
const bip32Xpub =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

let account: Account;
let keys: object[] = [];
await startAws(() => account);
/** The service, of which only the key set is requested here. */
const url = await serve((request, response) => {
  response.statusCode = request.url === '/.well-known/jwks.json' ? 200 : 404;
  response.end(JSON.stringify({ keys, host: request.headers.host }));
});
const { port } = new URL(url);

beforeEach(() => {
  account = healthy();
  if (account.stack) account.stack.outputs['BaseUrl'] = url;
  keys = [{ kid: 'a' }, { kid: 'b' }];
});

describe('checking the event sources', () => {
  const check = async () => checkEventSources(await readStack(stackName));

  test('accepts those that are enabled', async () => {
    expect(await check()).toMatchObject([{ status: 'ok' }]);
  });

  test('reports one that is disabled, and leaves one that is just updated for later', async () => {
    account.mappings = {
      sort: { State: 'Disabled', StateTransitionReason: 'User action' },
      send: { State: 'Updating' },
    };
    expect(await check()).toMatchObject([
      {
        status: 'wrong',
        text: expect.stringMatching(/^StreamSort0A1B2C3D is Disabled \(User action\): /),
        fix: ['aws lambda update-event-source-mapping --uuid sort --enabled'],
      },
      { status: 'note', text: expect.stringContaining('Streammailsend0A1B2C3D is Updating: ') },
    ]);
  });

  test('reports one that does not exist', async () => {
    account.mappings = {};
    await expect(check()).rejects.toThrow('There is no');
  });
});

describe('checking the signing key', () => {
  const check = async () => checkFirstKey(await readStack(stackName));

  test('accepts a key that exists', async () => {
    expect(await check()).toMatchObject({
      status: 'ok',
      text: expect.stringContaining('2 public keys are'),
    });
    account.secret.stages = [['AWSCURRENT']];
    expect(await check()).toMatchObject({ status: 'ok' });
  });

  test('reports a key that was never created', async () => {
    keys = [];
    expect(await check()).toMatchObject({
      status: 'wrong',
      fix: [
        'aws secretsmanager rotate-secret --secret-id arn:signing',
        `aws logs tail log-of-platform --since 10m --filter-pattern '{ $.operation = "keys.rotate" }'`,
      ],
    });
  });

  test('notes a rotation in progress, and reports one that did not finish', async () => {
    account.secret = { stages: [['AWSCURRENT'], ['AWSPENDING']], changed: Date.now() - 60_000 };
    expect(await check()).toMatchObject({ status: 'note' });
    account.secret.changed = Date.now() - 6 * 60_000;
    expect(await check()).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('did not finish'),
    });
  });

  test('fails if the service does not respond', async () => {
    if (account.stack) account.stack.outputs['BaseUrl'] = 'http://127.0.0.1:1';
    await expect(check()).rejects.toThrow('ECONNREFUSED');
  });
});

test('names under .localhost resolve to this machine, and are kept as the Host', async () => {
  const { body } = await call(`http://api1.execute-api.localhost:${port}`, 'GET', '/');
  expect(body).toMatchObject({ host: `api1.execute-api.localhost:${port}` });
});

describe('checking the alarms', () => {
  const alarmEmail = 'oncall@example.com';
  const check = async (set: object = { alarmEmail }) =>
    checkAlarms(await readStack(stackName), configOf(set));
  const subscribe = `aws sns subscribe --topic-arn arn:topic --protocol email --notification-endpoint ${alarmEmail}`;

  test('accepts a confirmed subscription', async () => {
    account.subscriptions = [
      { endpoint: 'other@example.com', arn: 'PendingConfirmation' },
      { endpoint: alarmEmail, arn: 'arn:aws:sns:eu-west-1:1:topic:2' },
    ];
    expect(await check()).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['is not confirmed', [{ endpoint: alarmEmail, arn: 'PendingConfirmation' }]],
    ['is of another', [{ endpoint: 'other@example.com', arn: 'arn:aws:sns:x' }]],
    ['was deleted', []],
  ])('reports a subscription that %s', async (_, subscriptions) => {
    account.subscriptions = subscriptions;
    expect(await check()).toMatchObject({ status: 'wrong', fix: [subscribe] });
  });

  test('notes that no address is set', async () => {
    expect(await check({})).toMatchObject({ status: 'note' });
  });

  test('reports a topic that is not deployed yet', async () => {
    const stack = await readStack(stackName);
    stack.resources = [];
    expect(await checkAlarms(stack, configOf({ alarmEmail }))).toMatchObject({
      status: 'wrong',
      fix: ['npx cdk deploy'],
    });
  });
});

describe('checking the wallets', () => {
  const check = async (walletXpub: string | undefined) =>
    checkXpub(await readStack(stackName), { ...configOf(), walletXpub });

  test('accepts the xpub of the settings', async () => {
    account.variables = { WALLET_XPUB: xpub };
    expect(await check(xpub)).toMatchObject({ status: 'ok' });
  });

  test('reports an xpub that differs from the settings', async () => {
    account.variables = { WALLET_XPUB: xpub };
    for (const other of [undefined, `${xpub}x`])
      expect(await check(other)).toMatchObject({ status: 'wrong', fix: ['npx cdk deploy'] });
    account.variables = {};
    expect(await check(xpub)).toMatchObject({ status: 'wrong', fix: ['npx cdk deploy'] });
  });

  test.each([
    ['of development', developmentXpub],
    ['of an example in BIP-32', bip32Xpub],
  ])('reports a published xpub: that %s', async (_, published) => {
    account.variables = { WALLET_XPUB: published };
    expect(await check(published)).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('no user can be created'),
    });
  });

  test('notes that no xpub is set', async () => {
    expect(await check(undefined)).toMatchObject({ status: 'note' });
  });
});

test('reports settings of single routes, each with the command that deletes it', async () => {
  const check = async () => checkRouteSettings(await readStack(stackName));
  expect(await check()).toMatchObject({ status: 'ok' });
  account.routeSettings = { 'GET /users/{uid}': { throttlingBurstLimit: 1 } };
  expect(await check()).toMatchObject({
    status: 'wrong',
    fix: [
      "aws apigatewayv2 delete-route-settings --api-id api1 --stage-name '$default' --route-key 'GET /users/{uid}'",
    ],
  });
});
