/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { exists } from '#shared/db/condition.ts';
import { byMember } from '#shared/db/index-attributes.ts';
import type { Item } from '#shared/db/item.ts';
import { keys } from '#shared/db/keys.ts';
import { updateItem } from '#shared/db/transaction.ts';
import type { MailItem } from '#shared/mail/mails.ts';
import { derivedMailId } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { notifyOfSecondFactor } from '#shared/workspaces/second-factor-mail.ts';
import { changed, doneAfter, isTransaction, onlyTheFirst } from '../../faults/fault.ts';
import { deaths, openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

// The recipients of the mails, read directly from the table. test/shared/mail/second-factor-in-full.test.ts tests their
// delivery.
const faults = await openFaultyTable();
const project_id = 'p';
const changed_at = new Date().toISOString();
const day = changed_at.slice(0, 10);
let count = 0;
let id = '';
const inTime = <T>(work: () => Promise<T>) => request(work, 20_000);
const follow = (at = changed_at) =>
  inTime(() => notifyOfSecondFactor({ workspace_id: id, required_at: at, changed_at: at }));

const uidOf = (name: string) => `${id}-${name}`;
const findMail = (name: string, on = day) =>
  getItem<MailItem>(keys.mail(derivedMailId(`second_factor_required ${id} ${uidOf(name)} ${on}`)));
const mailTo = (name: string) => inTime(() => findMail(name));
/** The names of the mails' recipients. */
async function mailed(names: readonly string[], on = day): Promise<string[]> {
  const mails = await inTime(() => Promise.all(names.map((name) => findMail(name, on))));
  return names.filter((_, i) => mails[i]);
}

const set = (changes: Record<string, unknown>, remove: string[] = []) =>
  inTime(() => updateItem(keys.workspace(id), { set: changes, remove }, exists));

const member = (name: string, more: object = {}): Item => ({
  ...keys.member(id, uidOf(name)),
  ...byMember('accepted', uidOf(name), id),
  ...{ user_id: uidOf(name), workspace_id: id, project_id },
  ...more,
});
const user = (name: string, more: object = {}): Item => ({
  ...keys.user(uidOf(name)),
  ...{ uid: uidOf(name), project_id, version: 1, email: `${uidOf(name)}@example.com` },
  verified: { email: true },
  ...more,
});
/** Creates members whose users have these attributes. */
const members = (users: Record<string, object>) =>
  faults.seed(Object.entries(users).flatMap(([name, more]) => [member(name), user(name, more)]));

/** More than fit into a transaction. */
const crowd = Array.from({ length: 120 }, (_, i) => `u${i}`);
const manyMembers = () => members(Object.fromEntries(crowd.map((name) => [name, {}])));

beforeEach(async () => {
  count += 1;
  id = `wid-${count}`;
  const workspace = { workspace_id: id, project_id, name: 'Engines', mfa_required_at: changed_at };
  await faults.seed([{ ...keys.workspace(id), ...workspace }]);
});

test('it goes to members without a second factor who can read it and use it', async () => {
  await members({
    ada: {},
    'has an app': { factor_method: 'idpw' },
    'has a passkey': { passkey_count: 1 },
    'has removed the passkey': { passkey_count: 0 },
    'has not proven the e-mail': { verified: { email: false } },
    'has no e-mail': { email: '', verified: { email: false } },
    'is disabled': { disabled: true },
    'is deleted': { deleted_at: changed_at },
    'is of another project': { project_id: 'q' },
  });
  await faults.seed([
    member('is suspended', { suspended_at: changed_at }),
    user('is suspended'),
    member('is not there'),
    { ...member('is invited'), ...keys.invitation(id, uidOf('is invited')) },
    user('is invited'),
    user('is no member'),
  ]);
  await follow();
  const unreached = ['has not proven the e-mail', 'has no e-mail', 'is disabled', 'is deleted'];
  const others = ['has an app', 'has a passkey', ...unreached];
  const strangers = ['is suspended', 'is not there', 'is invited', 'is no member'];
  const names = ['ada', 'has removed the passkey', 'is of another project', ...others];
  expect(await mailed([...names, ...strangers])).toEqual(['ada', 'has removed the passkey']);
  const mail = await mailTo('ada');
  const created = Date.parse(mail?.created_at ?? '');
  expect(mail).toEqual({
    ...keys.mail(mail?.mail_id ?? ''),
    mail_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    kind: 'second_factor_required',
    project_id,
    to: `${uidOf('ada')}@example.com`,
    workspace_id: id,
    user_id: uidOf('ada'),
    created_at: expect.any(String),
    expires_at: Math.floor(created / 1_000) + lifetimes.mail,
  });
});

describe('at most once a day', () => {
  test('a repetition writes no mail, whether or not the first was sent', async () => {
    await manyMembers();
    await follow();
    expect(await mailed(crowd)).toEqual(crowd);
    const before = await mailTo('u7');
    faults.reset();
    await follow();
    expect(faults.operations()).not.toContain('TransactWriteItems');
    expect(await mailTo('u7')).toEqual(before);
  });

  test('an owner who switches it off and on writes one mail that day', async () => {
    await members({ ada: {} });
    await follow(`${day}T00:00:00.000Z`);
    const before = await mailTo('ada');
    await follow(`${day}T23:59:59.999Z`);
    expect(await mailTo('ada')).toEqual(before);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString();
    await follow(next);
    expect(await mailed(['ada'], next.slice(0, 10))).toEqual(['ada']);
  });

  test('concurrent runs write one mail to each member', async () => {
    await manyMembers();
    await Promise.all([follow(), follow(), follow()]);
    expect(await mailed(crowd)).toEqual(crowd);
  });

  test('a change older than mails are kept is ignored', async () => {
    await members({ ada: {} });
    const at = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const late = at(lifetimes.mail);
    await follow(late);
    expect(faults.operations()).toEqual([]);
    const inPlay = at(lifetimes.mail - 60);
    await follow(inPlay);
    expect(await mailed(['ada'], inPlay.slice(0, 10))).toEqual(['ada']);
  });
});

describe('a limit per recipient, across workspaces', () => {
  const to = (name: string) => `${uidOf(name)}@example.com`;
  const keyOf = (name: string) =>
    keys.rate(
      'invitationsToOne',
      `${project_id} ${to(name)}`,
      Math.floor(Date.now() / 1_000 / rates.invitationsToOne.seconds),
    );
  const countOf = async (name: string) =>
    (await inTime(() => getItem(keyOf(name))))?.['count'] ?? 0;
  const spent = (name: string, uses: number) => faults.seed([{ ...keyOf(name), count: uses }]);

  test('counts each mail once, together with invitations, and leaves out a recipient over it', async () => {
    await members({ ada: {}, bob: {}, eve: {} });
    await spent('bob', rates.invitationsToOne.max - 1);
    await spent('eve', rates.invitationsToOne.max);
    await follow();
    await follow();
    expect(await mailed(['ada', 'bob', 'eve'])).toEqual(['ada', 'bob']);
    expect(await Promise.all(['ada', 'bob', 'eve'].map(countOf))).toEqual([
      1,
      rates.invitationsToOne.max,
      rates.invitationsToOne.max,
    ]);
  });

  test('counts a mailbox once that moves to another member between the reads of both', async () => {
    await members({ ada: {}, bob: {} });
    const when = ({ operation }: { operation: string }) => operation === 'BatchGetItem';
    faults.inject(onlyTheFirst(1), { when });
    const move = () =>
      faults.seed([user('ada', { email: to('eve') }), user('bob', { email: to('ada') })]);
    faults.inject(doneAfter(move), { when });
    await follow();
    expect([await mailed(['ada', 'bob']), await countOf('ada')]).toEqual([['ada', 'bob'], 1]);
  });

  test('leaves out a recipient who reaches it during the run, and mails all others', async () => {
    await manyMembers();
    await spent('u7', rates.invitationsToOne.max - 1);
    faults.inject(
      async (exchange) => {
        await spent('u7', rates.invitationsToOne.max);
        await changed((body) => body)(exchange);
      },
      { when: isTransaction },
    );
    await follow();
    expect(await mailed(crowd)).toEqual(crowd.filter((name) => name !== 'u7'));
  });
});

describe('interrupted', () => {
  test('it continues where it was, without writing mails again', async () => {
    await manyMembers();
    let batches = 0;
    const when = ({ operation }: { operation: string }) =>
      operation === 'TransactWriteItems' && (batches += 1) === 2;
    faults.inject(deaths['before'] as never, { when });
    await expect(follow()).rejects.toMatchObject({ name: 'ValidationException' });
    const done = await mailed(crowd);
    expect(done).toHaveLength(49);
    const before = await Promise.all(done.map((name) => mailTo(name)));
    faults.reset();
    await follow();
    const written = faults.operations().filter((each) => each === 'TransactWriteItems');
    expect(written).toHaveLength(2);
    expect(await Promise.all(done.map((name) => mailTo(name)))).toEqual(before);
    expect(await mailed(crowd)).toEqual(crowd);
  });

  test.each([
    ['switches it off', () => set({}, ['mfa_required_at'])],
    ['deletes the workspace', () => set({ deleted_at: changed_at })],
  ])('by an owner who %s, it writes no further mail', async (_, act) => {
    await manyMembers();
    let batches = 0;
    const when = ({ operation }: { operation: string }) =>
      operation === 'TransactWriteItems' && (batches += 1) === 2;
    faults.inject(
      async (exchange) => {
        await act();
        await changed((body) => body)(exchange);
      },
      { when },
    );
    await follow();
    expect(await mailed(crowd)).toHaveLength(49);
  });
});

test('in a large workspace, a call is about a hundred members, not about all', async () => {
  const many = Array.from({ length: 400 }, (_, i) => `m${i}`);
  await members(Object.fromEntries(many.map((name) => [name, {}])));
  await follow();
  expect(await mailed(many)).toEqual(many);
  const writes = faults.operations().filter((each) => each === 'TransactWriteItems');
  expect(writes).toHaveLength(Math.ceil(196 / 49) * 2 + 1);
  expect(faults.operations().filter((each) => each === 'Query')).toHaveLength(3);
});
