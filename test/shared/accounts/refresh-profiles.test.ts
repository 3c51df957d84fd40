/** @module-tag engine */
import { expect, test } from 'vitest';
import { refreshNewProfile, refreshProfiles } from '#shared/accounts/refresh-profiles.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { byMember } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { sortByProject } from '#shared/events/queue-sort.ts';
import { newUser } from '#shared/identity/users/new-user.ts';
import type { MemberItem } from '#shared/workspaces/items.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { streamRecord } from '../../support/stream-record.ts';

const faults = await openFaultyTable();

test.each([
  ['in a live membership', '', 2],
  // Search ignores changes of archived items: it would keep the old names, even after the user is deleted.
  ['but not in an archived one', 'ARCHIVED#', 1],
])('a copy of a profile is updated %s', async (_, archived, profile_version) => {
  const uid = `u${archived}`;
  const user = { ...newUser('p', uid, { email: 'new@example.com' }, new Date()), version: 2 };
  const index = byMember('accepted', uid, 'w');
  const member = {
    ...keys.member('w', uid),
    ...{ ...index, by_member_sk: archived + index.by_member_sk },
    ...{ workspace_id: 'w', user_id: uid, role: 'member', profile: {}, profile_version: 1 },
  } as unknown as MemberItem;
  await faults.seed([user, member]);
  await request(() => refreshNewProfile(member));
  const read = await request(() => getItem<MemberItem>(keys.member('w', uid)));
  expect(read?.profile_version).toBe(profile_version);
});

test('an outdated version of a profile is not written to its copies; the stored version is', async () => {
  const uid = 'often';
  const now = { ...newUser('p', uid, { email: 'now@example.com' }, new Date()), version: 3 };
  const before = { ...now, email: 'before@example.com', version: 2 };
  const copies = Array.from({ length: 30 }, (_, i) => ({
    ...keys.member(`w${i}`, uid),
    ...byMember('accepted', uid, `w${i}`),
    ...{ workspace_id: `w${i}`, user_id: uid, role: 'member', profile: '{}', profile_version: 1 },
  }));
  await faults.seed([now, ...copies]);
  const versions = async () => {
    const read = copies.map(({ pk, sk }) => request(() => getItem<MemberItem>({ pk, sk })));
    return new Set((await Promise.all(read)).map((each) => each?.profile_version));
  };
  await request(() => refreshProfiles(before));
  expect(await versions()).toEqual(new Set([1]));
  await request(() => refreshProfiles(now));
  expect(await versions()).toEqual(new Set([3]));
});

test('of the copies that it writes only those of members are followed up', async () => {
  const uid = 'owner';
  const user = { ...newUser('p', uid, { email: 'new@example.com' }, new Date()), version: 2 };
  const ofUser = { project_id: 'p', user_id: uid, profile: '{}', profile_version: 1 };
  const items = [
    { ...keys.workspace('w'), project_id: 'p', owner_id: uid, owner_email: '', owner_version: 1 },
    { ...keys.member('w', uid), ...byMember('accepted', uid, 'w'), ...ofUser, role: 'admin' },
    { ...keys.invitation('v', uid), ...byMember('pending', uid, 'v'), ...ofUser, role: 'member' },
  ];
  await faults.seed([user, ...items]);
  await request(() => refreshProfiles(user));
  const records = await Promise.all(
    items.map(async (item) => {
      const { pk, sk } = item;
      const after = await request(() => getItem({ pk, sk }));
      expect(after).not.toEqual(item);
      return streamRecord({ before: item, after });
    }),
  );
  const groups = sortByProject(records, () => expect.fail()).map(({ group }) => group);
  expect(groups).toEqual(['p.members']);
});
