/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { ConditionFailed } from '#shared/db/change.ts';
import { keys } from '#shared/db/keys.ts';
import { transact } from '#shared/db/transaction.ts';
import {
  type ChallengeItem,
  consumeToken,
  countCodeAttempt,
  newEmailChallenge,
  newMailToken,
  requireEmailToken,
  type TokenPurpose,
  tokenLifetimes,
} from '#shared/identity/sign-in/email-challenges.ts';
import { newMail } from '#shared/mail/mails.ts';
import { ApiError } from '#shared/model/errors.ts';
import { newSecret } from '#shared/model/ids.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const now = new Date('2026-11-21T08:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

/** The result of a request or its error code. */
const ended = <T>(work: () => Promise<T>) =>
  request(work).catch((error: unknown) => {
    if (error instanceof ApiError) return error.code;
    if (error instanceof ConditionFailed) return 'stale';
    throw error;
  });

describe('a code', () => {
  let challenge: ChallengeItem;
  beforeEach(async () => {
    const mail = await request(async () =>
      newMail('sign_in_code', { project_id: 'demo', to: 'Ada@example.com' }, now),
    );
    challenge = newEmailChallenge(mail, now);
    await faults.seed([challenge]);
  });
  const tryOnce = (at = now, project_id = 'demo') =>
    ended(() =>
      countCodeAttempt<ChallengeItem>(keys.challenge(challenge.challenge_id), project_id, at),
    );
  const tries = async () =>
    (await request(() => getItem<ChallengeItem>(keys.challenge(challenge.challenge_id))))?.tries;

  test('is not stored in its item, which lasts ten minutes', () => {
    const { challenge_id } = challenge;
    expect(challenge).toEqual({
      ...{ ...keys.challenge(challenge_id), challenge_id, project_id: 'demo' },
      ...{ email: 'Ada@example.com', tries: 0, created_at: now.toISOString() },
      expires_at: now.getTime() / 1_000 + 600,
    });
  });

  test('allows five attempts, however many are concurrent', async () => {
    const all = await Promise.all(Array.from({ length: 15 }, () => tryOnce()));
    expect(all.filter((each) => each === 'invalid_credentials')).toHaveLength(10);
    expect(await tries()).toBe(5);
    expect(await tryOnce()).toBe('invalid_credentials');
  });

  test('expires on time, whether or not the table has deleted the item', async () => {
    expect(await tryOnce(later(599))).toMatchObject({ tries: 1 });
    expect(await tryOnce(later(600))).toBe('invalid_credentials');
    expect(await tries()).toBe(1);
  });

  test('is refused in another project, which counts no attempt, and with another id', async () => {
    expect(await tryOnce(now, 'other')).toBe('invalid_credentials');
    expect(await tries()).toBe(0);
    const unknown = keys.challenge('unknown');
    expect(await ended(() => countCodeAttempt(unknown, 'demo', now))).toBe('invalid_credentials');
  });

  test('can be used once, however many requests are concurrent', async () => {
    const use = () => ended(() => transact({ proof: consumeToken(challenge) }));
    const all = await Promise.all([use(), use(), use()]);
    expect(all.filter((each) => each === undefined)).toHaveLength(1);
    expect(all.filter((each) => each === 'stale')).toHaveLength(2);
    expect(await tryOnce()).toBe('invalid_credentials');
  });
});

describe('a token', () => {
  const of = { project_id: 'demo', email: 'ada@example.com', uid: 'u', from_email: 'old@a.com' };

  test.each(Object.keys(tokenLifetimes) as TokenPurpose[])(
    '%s: is stored as its digest, and expires after the time of its purpose',
    async (purpose) => {
      const token = newSecret();
      const item = newMailToken(token, purpose, of, now);
      const expires_at = now.getTime() / 1_000 + tokenLifetimes[purpose];
      const created_at = now.toISOString();
      expect(item).toEqual({ ...keys.mailToken(token), ...of, purpose, created_at, expires_at });
      expect(JSON.stringify(item)).not.toContain(token);
      await faults.seed([item]);
      const find = (at: Date) => ended(() => requireEmailToken(token, 'demo', [purpose], at));
      expect(await find(later(tokenLifetimes[purpose] - 1))).toEqual(item);
      expect(await find(later(tokenLifetimes[purpose]))).toBe('mail_token_invalid');
    },
  );

  test('is refused for another purpose, in another project, or with a character changed', async () => {
    const token = newSecret();
    await faults.seed([newMailToken(token, 'verify_email', of, now)]);
    const other = token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
    const wrong = [
      () => requireEmailToken(token, 'demo', ['sign_up', 'reset_password', 'change_email'], now),
      () => requireEmailToken(token, 'demo', [], now),
      () => requireEmailToken(token, 'other', ['verify_email'], now),
      () => requireEmailToken(other, 'demo', ['verify_email'], now),
    ];
    for (const find of wrong) expect(await ended(find)).toBe('mail_token_invalid');
  });
});
