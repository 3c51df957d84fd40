/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { keys } from '#shared/db/keys.ts';
import {
  claimMail,
  type MailItem,
  newMail,
  recordOutcome,
  releaseMail,
} from '#shared/mail/mails.ts';
import { lostAnswers, lostCalls } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
let mail: MailItem;
const now = new Date('2026-11-21T08:00:00.000Z');

beforeEach(async () => {
  mail = await signUpMail();
  await faults.seed([mail]);
});

const signUpMail = () =>
  request(async () => newMail('sign_up', { project_id: 'demo', to: 'ada@example.com' }, now));
const claim = (mail_id = mail.mail_id, at = now) => request(() => claimMail(mail_id, at));
const release = (mail_id = mail.mail_id) => request(() => releaseMail(mail_id));
const settle = (outcome: 'sent' | 'unneeded' = 'unneeded') =>
  request(() => recordOutcome(mail.mail_id, { outcome }));
const stored = () => request(() => getItem<MailItem>(keys.mail(mail.mail_id)));

test('a new mail has its kind, recipient and project, and expires after a week', () => {
  expect(mail).toEqual({
    ...keys.mail(mail.mail_id),
    mail_id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    project_id: 'demo',
    kind: 'sign_up',
    to: 'ada@example.com',
    created_at: '2026-11-21T08:00:00.000Z',
    expires_at: Date.parse('2026-11-28T08:00:00.000Z') / 1_000,
  });
});

describe('a claim', () => {
  const claimed = () => ({
    ...mail,
    claimed_at: now.toISOString(),
    write_id: expect.any(String),
  });

  test('is won by one of many concurrent claims, which gets the mail', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));
    expect(claims.filter((each) => each !== 'taken')).toEqual([claimed()]);
  });

  test.each(Object.entries({ ...lostAnswers, ...lostCalls }))(
    '%s: is won anyway, and once',
    async (_, fault) => {
      faults.inject(fault);
      expect(await claim()).toEqual(claimed());
      expect(await claim()).toBe('taken');
    },
  );

  test('without an outcome is void after the longest run of a sender', async () => {
    await claim();
    const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    expect(await claim(mail.mail_id, after(75_000))).toBe('taken');
    const again = after(75_001);
    const claimed_at = again.toISOString();
    expect(await claim(mail.mail_id, again)).toEqual({ ...claimed(), claimed_at });
  });

  test('of an unknown mail returns and writes nothing', async () => {
    const { mail_id } = await signUpMail();
    expect(await claim(mail_id)).toBe('ended');
    await release(mail_id);
    expect(await request(() => getItem(keys.mail(mail_id)))).toBeUndefined();
  });

  test('that was released is won by the next', async () => {
    await claim();
    await release();
    expect(await stored()).toEqual({ ...mail, write_id: expect.any(String) });
    expect(await claim()).toEqual(claimed());
  });

  test.each(Object.entries(lostAnswers))(
    '%s: is released once, and the next claim is kept',
    async (_, fault) => {
      await claim();
      faults.inject(fault);
      await release();
      expect(await claim()).toEqual(claimed());
      expect(await claim()).toBe('taken');
    },
  );
});

describe('recording the outcome', () => {
  test('ends claims and releases of the mail', async () => {
    await claim();
    await settle('sent');
    await release();
    expect(await stored()).toMatchObject({ claimed_at: now.toISOString(), outcome: 'sent' });
    expect(await claim()).toBe('ended');
  });

  test('does not create a deleted mail again', async () => {
    mail = await signUpMail();
    await settle();
    expect(await stored()).toBeUndefined();
  });
});
