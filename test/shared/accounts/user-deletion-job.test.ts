/** @module-tag engine */
import { beforeEach, expect, test, vi } from 'vitest';
import { completeUserDeletion, removeIfDeleted } from '#shared/accounts/user-deletion-job.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { byMember } from '#shared/db/index-attributes.ts';
import type { Item } from '#shared/db/item.ts';
import { keys } from '#shared/db/keys.ts';
import type { DeletedUserItem } from '#shared/identity/users/users.ts';
import type { PendingEvent } from '#shared/model/events.ts';
import { syncArchive } from '#shared/workspaces/archive.ts';
import { deaths, dieAtEveryCall, openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { pass } from '../../support/started.ts';

const faults = await openFaultyTable();
let count = 0;
let uid = '';
let places: string[] = [];
const inTime = <T>(work: () => Promise<T>) => request(work, 20_000);
const read = <T extends Item>({ pk, sk }: { pk: string; sk: string }) =>
  inTime(() => getItem<T>({ pk, sk }));
const receipt = (given: object = {}): DeletedUserItem => ({
  ...keys.user(uid),
  uid,
  project_id: 'p',
  version: 2,
  deleted_at: '2026-01-01T00:00:00.000Z',
  workspace_count: 2,
  patient_until: Math.floor(Date.now() / 1_000) + 300,
  ...given,
});
const workspace = (id: string, given: object = {}): Item => ({
  ...keys.workspace(id),
  workspace_id: id,
  total_member_count: 5,
  pending_member_count: 3,
  join_request_count: 1,
  ...given,
});
const placed = (id: string, status: 'accepted' | 'pending', archived = ''): Item => {
  const { by_member_pk, by_member_sk } = byMember(status, uid, id);
  return {
    ...(status === 'accepted' ? keys.member(id, uid) : keys.invitation(id, uid)),
    by_member_pk,
    by_member_sk: `${archived}${by_member_sk}`,
    user_id: uid,
    member_id: `mid-${id}`,
    workspace_id: id,
    role: 'member',
  };
};
/** The users invited by a user. */
const invited = (id: string, name: string, inviter_id = uid): Item => ({
  ...(name === 'member' ? keys.member(id, name) : keys.invitation(id, name)),
  user_id: name,
  inviter_id,
  inviter_email: 'ada@example.com',
});
const clean = (user = receipt()) => inTime(() => completeUserDeletion(user, 'ada@example.com'));

beforeEach(async () => {
  count += 1;
  uid = `u${count}`;
  places = ['one', 'two', 'invited', 'deleted', 'gone', 'asked', 'left'].map(
    (name) => `${name}${count}`,
  );
  const [one = '', two = '', pending = '', deleted = '', gone = '', asked = '', left = ''] = places;
  await faults.seed([
    receipt(),
    ...[one, two, pending, asked, left].map((id) =>
      workspace(id, { owner_id: 'bob', owner_email: 'bob@example.com' }),
    ),
    workspace(deleted, { deleted_at: 'x', owner_id: uid, owner_email: 'ada@example.com' }),
    placed(one, 'accepted'),
    placed(two, 'accepted'),
    placed(pending, 'pending'),
    placed(deleted, 'accepted', 'ARCHIVED#'),
    invited(one, 'member'),
    invited(one, 'invitee'),
    invited(two, 'member', 'somebody'),
    invited(deleted, 'invitee'),
    ...[left, gone].map((id) => keys.leftWorkspace(uid, id)),
    ...['member', 'invitee'].map((name) => invited(left, name)),
    placed(gone, 'pending', 'ARCHIVED#'),
    {
      ...keys.joinRequest(asked, uid),
      by_member_pk: keys.user(uid).pk,
      by_member_sk: `REQUEST#${asked}`,
      user_id: uid,
      workspace_id: asked,
    },
  ]);
});

async function expectClean() {
  const [one = '', two = '', , deleted = '', gone = '', , left = ''] = places;
  for (const item of [
    ...[one, left].flatMap((id) => [invited(id, 'member'), invited(id, 'invitee')]),
    invited(deleted, 'invitee'),
  ])
    expect(await read(item)).toEqual({ ...item, inviter_email: '', write_id: expect.any(String) });
  const other = invited(two, 'member', 'somebody');
  expect(await read(other)).toEqual(other);
  const emails = places.map(async (id) => (await read(keys.workspace(id)))?.['owner_email']);
  const bob = 'bob@example.com';
  expect(await Promise.all(emails)).toEqual([bob, bob, bob, '', undefined, bob, bob]);
  const counts = await Promise.all(
    places.map(async (id) => {
      const { total_member_count, pending_member_count, join_request_count, event_count } =
        (await read<Item>(keys.workspace(id))) ?? ({} as Partial<Item>);
      return [total_member_count, pending_member_count, join_request_count, event_count];
    }),
  );
  expect(counts).toEqual([
    [4, 3, 1, 1],
    [4, 3, 1, 1],
    [5, 2, 1, 1],
    [4, 3, 1, 1],
    [undefined, undefined, undefined, undefined],
    [5, 3, 0, 1],
    [5, 3, 1, undefined],
  ]);
  for (const id of [left, gone]) expect(await read(keys.leftWorkspace(uid, id))).toBeUndefined();
  for (const id of places)
    for (const key of [keys.member(id, uid), keys.invitation(id, uid), keys.joinRequest(id, uid)])
      expect(await read(key)).toBeUndefined();
  const { patient_until: _, ...rest } = receipt({ workspace_count: 0 });
  expect(await read(keys.user(uid))).toEqual({
    ...rest,
    completed_at: expect.any(String),
    write_id: expect.any(String),
  });
}

test('a user whom the table has keeps everything: the record may be of the table before a restore', async () => {
  const { deleted_at: _, ...live } = receipt();
  const membership = placed(places[0] ?? '', 'accepted');
  await faults.seed([live]);
  await clean();
  for (const item of [live, membership]) expect(await read(item)).toEqual(item);
});

test('memberships, invitations and join requests are deleted and counted off with events; a second run changes nothing', async () => {
  await clean();
  await expectClean();
  const [one = '', , pending = '', , , asked = ''] = places;
  const events = [one, pending, asked].map(async (id) => {
    const { events: recorded } = (await read<Item & { events: PendingEvent[] }>(
      keys.workspace(id),
    ))!;
    return recorded.map(({ type, data }) => [type, data]);
  });
  const ended = (id: string) => ({ user_id: uid, member_id: `mid-${id}`, role: 'member' });
  expect(await Promise.all(events)).toEqual([
    [['workspace.member.removed', ended(one)]],
    [['workspace.invitation.revoked', ended(pending)]],
    [['workspace.join_request.withdrawn', { user_id: uid }]],
  ]);
  const before = await read(keys.user(uid));
  await clean();
  await expectClean();
  expect(await read(keys.user(uid))).toEqual(before);
});

test('users that the deleted user invited are found among a thousand members on several pages', async () => {
  const [one = ''] = places;
  const many = Array.from({ length: 1_010 }, (_, i) => ({
    ...invited(one, 'member', i % 500 === 0 ? uid : 'somebody'),
    ...keys.member(one, `m${String(i).padStart(4, '0')}`),
  }));
  await faults.seed(many);
  await clean();
  const seen = await inTime(() => Promise.all(many.map(({ pk, sk }) => getItem<Item>({ pk, sk }))));
  expect(seen.flatMap((item, i) => (item?.['inviter_email'] === '' ? [i] : []))).toEqual([
    0, 500, 1_000,
  ]);
});

test.each(Object.entries(deaths))(
  'a job that dies %s each of its calls ends in the same state',
  async (_, death) => {
    await dieAtEveryCall(faults, death, clean);
    await expectClean();
  },
);

test("the inviter's e-mail is removed even if a restore removed the membership before the job", async () => {
  const [one = ''] = places;
  await faults.seed([
    receipt({ workspace_count: 1 }),
    workspace(one, { owner_id: 'bob', allowed_domains: [] }),
    placed(one, 'accepted', 'ARCHIVED#'),
  ]);
  await inTime(() => syncArchive(one));
  expect(await read(keys.member(one, uid))).toBeUndefined();
  await clean();
  for (const name of ['member', 'invitee'])
    expect(await read(invited(one, name))).toMatchObject({ inviter_email: '' });
});

test("the inviter's e-mail is removed from an invitation made while the job runs", async () => {
  const [one = ''] = places;
  const last = { ...invited(one, 'last'), ...keys.invitation(one, 'last') };
  faults.beforeWrite(() => faults.seed([last]));
  await clean();
  expect(await read(last)).toMatchObject({ inviter_email: '' });
  await expectClean();
});

test('the job fails while the index shows fewer memberships than are counted', async () => {
  await faults.seed([receipt({ workspace_count: 3 })]);
  await expect(clean()).rejects.toThrow('does not show 1 memberships');
  expect(await read(keys.user(uid))).not.toHaveProperty('completed_at');
  // As a repeated record finds it when the index has caught up.
  const late = `late${count}`;
  await faults.seed([workspace(late), placed(late, 'accepted')]);
  await clean();
  await expectClean();
});

test('the job stops waiting for the index after some time', async () => {
  await faults.seed([receipt({ workspace_count: 3 })]);
  pass(301_000);
  await clean();
  vi.useRealTimers();
  expect(await read(keys.user(uid))).toMatchObject({ completed_at: expect.any(String) });
});

test('a new membership is removed if its user is deleted, and kept otherwise', async () => {
  const [one = ''] = places;
  const added = placed(one, 'accepted') as never;
  // The record of the stream may come twice.
  for (let i = 0; i < 2; i += 1) {
    expect(await inTime(() => removeIfDeleted(added))).toBeUndefined();
    expect(await read(keys.member(one, uid))).toBeUndefined();
    expect(await read(keys.workspace(one))).toMatchObject({ total_member_count: 4 });
  }
  const living = { ...placed(one, 'accepted'), ...keys.member(one, 'living'), user_id: 'living' };
  await faults.seed([{ ...keys.user('living'), uid: 'living' }, living]);
  expect(await inTime(() => removeIfDeleted(living as never))).toMatchObject({ uid: 'living' });
  expect(await read(keys.member(one, 'living'))).toEqual(living);
});
