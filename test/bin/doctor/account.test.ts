import { SESv2Client } from '@aws-sdk/client-sesv2';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  checkConcurrency,
  checkRegion,
  checkSandbox,
  checkSenders,
} from '../../../bin/doctor/account.ts';
import { readStack } from '../../../bin/doctor/stack.ts';
import { type Account, configOf, healthy, stackName, startAws } from './aws.ts';

let account: Account;
await startAws(() => account);
beforeEach(() => {
  account = healthy();
});

describe('concurrency', () => {
  const more =
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';
  const check = async (webhookConcurrency?: number) =>
    checkConcurrency(await readStack(stackName), configOf({ webhookConcurrency }));
  /** Before the first deployment. */
  const newAccount = () => {
    account.stack = undefined;
    account.concurrency = { limit: 10, unreserved: 10 };
  };

  test('of a usual account is ok', async () => {
    expect(await check()).toMatchObject({ status: 'ok', text: expect.stringContaining('1000') });
    expect(await check(900)).toMatchObject({ status: 'ok' });
  });

  test('of a new account is a note, with the command to request more', async () => {
    newAccount();
    expect(await check()).toMatchObject({
      status: 'note',
      text: expect.stringMatching(/runs 10 functions at once .* requests get 503/),
      fix: [more],
    });
  });

  test('reports webhookConcurrency on a new account as wrong, with the reason', async () => {
    newAccount();
    expect(await check(1)).toMatchObject({
      status: 'wrong',
      text: 'webhookConcurrency is 1, but Lambda runs 10 functions at once in this account and region and keeps 100 of them unreserved: at most 0 can be reserved. A new account starts with 10 and can reserve none.',
      fix: [expect.stringContaining('config/dev.json'), more],
    });
  });

  test('counts what other functions reserve, but not what webhooks already reserve', async () => {
    account.concurrency = { limit: 1000, unreserved: 150, reserved: 50 };
    expect(await check(100)).toMatchObject({ status: 'ok' });
    expect(await check(101)).toMatchObject({
      status: 'wrong',
      text: expect.stringContaining('at most 100 can be reserved'),
    });
  });
});

describe('a sender', () => {
  const sender = 'no-reply@mail.example.com';
  const check = async () => (await checkSenders([sender, sender]))[0];

  test.each(['no-reply@mail.example.com', 'mail.example.com', 'example.com'])(
    'is verified by %s',
    async (identity) => {
      account.ses.identities = { [identity]: true };
      expect(await checkSenders([sender, sender])).toMatchObject([
        { status: 'ok', text: expect.stringContaining(identity) },
      ]);
    },
  );

  const create = 'aws sesv2 create-email-identity --email-identity mail.example.com';
  const tokens =
    'aws sesv2 get-email-identity --email-identity example.com --query DkimAttributes.Tokens';
  test.each<[string, Record<string, boolean>, object]>([
    ['that SES does not know', { com: true }, { fix: [create] }],
    [
      'whose mail was not opened',
      { [sender]: false },
      { text: expect.stringContaining('open the link in the mail') },
    ],
    ['whose domain has no records yet', { 'example.com': false }, { fix: [tokens] }],
  ])('%s is reported as wrong', async (_, identities, expected) => {
    account.ses.identities = identities;
    expect(await check()).toMatchObject({ status: 'wrong', ...expected });
  });

  test('an error of SES is thrown, not reported as an unverified sender', async () => {
    account.denied = [`/v2/email/identities/${sender}`];
    await expect(check()).rejects.toThrow('Not allowed.');
  });
});

test('reports a region without SES, and accepts one with SES', async () => {
  expect(await checkRegion()).toMatchObject({ status: 'ok', text: 'eu-west-1 has SES.' });
  const absent = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  vi.spyOn(SESv2Client.prototype, 'send').mockRejectedValueOnce(absent);
  expect(await checkRegion()).toMatchObject({
    status: 'wrong',
    text: 'SES has no address in eu-west-1, and without SES the stack cannot be created.',
  });
  account.denied = ['/v2/email/account'];
  await expect(checkRegion()).rejects.toThrow('Not allowed.');
});

test('reports the sandbox of SES and suspended sending, and accepts neither', async () => {
  expect(await checkSandbox()).toMatchObject({ status: 'ok' });
  account.ses.sending = false;
  expect(await checkSandbox()).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('SHUTDOWN'),
  });
  account.ses.production = false;
  expect(await checkSandbox()).toMatchObject({
    status: 'wrong',
    fix: [expect.stringContaining('put-account-details --production-access-enabled')],
  });
});
