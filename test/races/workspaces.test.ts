import { expect, test } from 'vitest';
import type { User } from '#shared/model/user-resources.ts';
import { startWorld } from '../support/world.ts';
import { counted, times } from './many.ts';

// No local engine raises TransactionConflict: here concurrent transactions fail only by their conditions. Conflicts are
// injected in test/shared.
const world = await startWorld();
const { users, workspaces, members, invitations } = world.as(world.project);
const itemsOf = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => String(sk));

test('joins, invitations and domains during the deletion of the workspace leave nothing visible', async () => {
  const people = await times(8, () => world.user({ verified: true }));
  const spaces = await times(5, async () => world.workspace());
  await Promise.all(
    spaces.flatMap(({ workspace_id }) => {
      const calls: (() => Promise<{ status: number }>)[] = people.flatMap(
        ({ uid: user_id, email }, i) => [
          () => members.join({ workspace_id, user_id }),
          () => invitations.create({ workspace_id, email: `x${email}`, role: 'member' }),
          () => workspaces.setAllowedDomains({ workspace_id, allowed_domains: [`d${i}.com`] }),
        ],
      );
      calls.splice(6, 0, () => workspaces.delete({ workspace_id }));
      return calls.map(async (call) => {
        const [answer] = await times(1, call);
        expect([200, 201, 404]).toContain(answer?.status);
      });
    }),
  );
  await world.drainStream();
  for (const { workspace_id } of spaces) {
    const [workspace, ...kept] = (await world.table.query(`WS#${workspace_id}`)).toSorted((a, b) =>
      a['sk'] === 'WS' ? -1 : b['sk'] === 'WS' ? 1 : 0,
    );
    // Kept for a restore: no index shows it, and the counters equal the items.
    const prefixes = kept.map(({ by_member_sk }) => String(by_member_sk).split('#', 2).join('#'));
    const archived = { 'ARCHIVED#MEMBER': 0, 'ARCHIVED#INVITE': 0 };
    for (const prefix of prefixes) archived[prefix as keyof typeof archived] += 1;
    expect(archived).toEqual({
      'ARCHIVED#MEMBER': workspace?.['total_member_count'],
      'ARCHIVED#INVITE': workspace?.['pending_member_count'],
    });
  }
});

test('domains that are set concurrently match their lookup items', async () => {
  const { workspace_id } = await world.workspace();
  const sets = [['a.com', 'b.com'], ['b.com', 'c.com'], [], ['d.com'], ['a.com', 'd.com', 'e.com']];
  const answers = await times(40, (i) =>
    workspaces.setAllowedDomains({ workspace_id, allowed_domains: sets[i % sets.length] }),
  );
  expect(counted(answers)).toEqual({ 200: 40 });
  const { body } = await workspaces.get({ workspace_id });
  expect(sets).toContainEqual(body.allowed_domains);
  const found = (await itemsOf(workspace_id)).filter((sk) => sk.startsWith('DOMAIN#'));
  expect(found).toEqual(body.allowed_domains.map((domain: string) => `DOMAIN#${domain}`).sort());
});

test('a name, a logo and a description that are set concurrently are all stored', async () => {
  const { workspace_id } = await world.workspace();
  const changes = [{ name: 'New' }, { logo: 'https://example.com/l.png' }, { description: 'Why' }];
  await times(12, (i) => workspaces.update({ workspace_id, ...changes[i % 3] }));
  const { body } = await workspaces.get({ workspace_id });
  expect(body).toMatchObject({
    name: 'New',
    logo_url: 'https://example.com/l.png',
    description: 'Why',
  });
});

test('the copies of a profile that changes while its user joins end as the last version', async () => {
  const { uid } = await world.user();
  const spaces = await times(6, () => world.workspace());
  const update = (i: number) =>
    users.update({ uid, display_name: `n${i}`, email: `copy${i}@example.com` });
  await Promise.all([
    times(6, (i) => members.join({ workspace_id: spaces[i]?.workspace_id, user_id: uid })),
    times(10, update),
    workspaces.create({ name: 'Own', owner_id: uid }),
  ]);
  await world.drainStream();
  const user = (await users.get({ uid })).body;
  const { body } = await workspaces.list({ user_id: uid });
  expect(body.total).toBe(7);
  for (const { workspace_id, owner_id, owner_email } of body.result) {
    const listed = (await members.list({ workspace_id, status: 'accepted' })).body.result;
    const copy = listed.find((member: User) => member.uid === uid);
    expect(copy).toMatchObject({ display_name: user.display_name, email: user.email });
    if (owner_id === uid) expect(owner_email).toBe(user.email);
  }
});
