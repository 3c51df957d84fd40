import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Caller } from '../support/routes.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, times } from './many.ts';

// No local engine raises TransactionConflict: here concurrent transactions fail only by their conditions. Conflicts are
// injected in test/shared.
const world = await startWorld();
const { as, project, table } = world;
const backend = as(project);

type Place = { workspace_id: string; owner: Person };
const accept = ({ workspace_id }: Place, by: Person) => as(by).ownership.accept({ workspace_id });
const offer = ({ workspace_id }: Place, user_id: string, by: Caller) =>
  as(by).ownership.offer({ workspace_id, user_id });
const leave = ({ workspace_id }: Place, person: Person, by: Caller = person) =>
  as(by).members.remove({ workspace_id, user_id: person.uid });
const add = ({ workspace_id }: Place, { uid: user_id }: { uid: string }) =>
  backend.members.add({ workspace_id, user_id, role: 'member' });
const itemsOf = (workspace_id: string) => table.query(`WS#${workspace_id}`);
const userOf = async (uid: string) => (await table.get(keys.user(uid))) ?? {};

/** A workspace whose ownership is offered to one of its admins. */
async function offered() {
  const workspace = await world.workspace();
  const admin = await world.member(workspace, 'admin');
  await offer(workspace, admin.uid, workspace.owner);
  return { ...workspace, admin };
}

/**
 * One accepted, unsuspended admin must own it and count it, and counters must equal the items. After a timeout on a
 * busy machine a write may still be in flight, and a Query may see half of it: so this retries.
 */
async function expectOneOwner({ workspace_id }: Place): Promise<string> {
  const owner_id = await vi.waitFor(
    async () => {
      const items = await itemsOf(workspace_id);
      const meta = items.find(({ sk }) => sk === 'WS') ?? {};
      const members = items.filter(({ sk }) => String(sk).startsWith('MEMBER#'));
      const invited = items.filter(({ sk }) => String(sk).startsWith('INVITE#'));
      const owner = members.find(({ user_id }) => user_id === meta['owner_id']);
      expect(owner).toMatchObject({ role: 'admin' });
      expect(owner).not.toHaveProperty('suspended_at');
      expect(meta).toMatchObject({
        total_member_count: members.length,
        pending_member_count: invited.length,
      });
      return String(meta['owner_id']);
    },
    { timeout: 5_000, interval: 250 },
  );
  await expectCounted(owner_id);
  return owner_id;
}

/** Users' counters must equal the items: unarchived memberships, and live workspaces that they own. */
async function expectCounted(...uids: string[]) {
  const items = await world.table.all();
  const found = uids.map((uid) => [
    items.filter(
      ({ sk, user_id, by_member_sk }) =>
        String(sk).startsWith('MEMBER#') &&
        user_id === uid &&
        !String(by_member_sk).startsWith('ARCHIVED#'),
    ).length,
    items.filter(
      ({ sk, owner_id, deleted_at }) => sk === 'WS' && owner_id === uid && deleted_at === undefined,
    ).length,
  ]);
  const users = uids.map((uid) =>
    items.find(({ pk, sk }) => pk === `USER#${uid}` && sk === 'USER'),
  );
  expect(
    users.map((user) => [user?.['workspace_count'] ?? 0, user?.['owned_workspace_count'] ?? 0]),
  ).toEqual(found);
}

test('200 concurrent acceptances of one offer make one owner, and get equal responses', async () => {
  const workspace = await offered();
  const before = await table.get(keys.workspace(workspace.workspace_id));
  const answers = await times(200, () => accept(workspace, workspace.admin));
  expect(counted(answers)).toEqual({ 200: 200 });
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await expectOneOwner(workspace)).toBe(workspace.admin.uid);
  await expectCounted(workspace.owner.uid);
  const after = await table.get(keys.workspace(workspace.workspace_id));
  expect(after?.['event_count']).toBe(Number(before?.['event_count']) + 1);
  // A later click writes nothing.
  const written = await table.query(`WS#${workspace.workspace_id}`);
  expect((await accept(workspace, workspace.admin)).status).toBe(200);
  expect(await table.query(`WS#${workspace.workspace_id}`)).toEqual(written);
});

/** How an admin ceases to be one. */
const ends = {
  leaves: leave,
  'is removed': (place: Place, admin: Person) => leave(place, admin, project),
  'is demoted': ({ workspace_id }: Place, { uid: user_id }: Person) =>
    backend.members.changeRole({ workspace_id, user_id, role: 'member' }),
  'is suspended': ({ workspace_id }: Place, { uid: user_id }: Person) =>
    backend.members.suspend({ workspace_id, user_id, suspended: true }),
};

test.each(Object.entries(ends))(
  'either the acceptance of the offer or a concurrent change succeeds: the admin %s',
  async (_, end) => {
    await times(10, async () => {
      const workspace = await offered();
      const { admin } = workspace;
      const [[accepted], [ended]] = await Promise.all([
        times(1, () => accept(workspace, admin)),
        times(1, () => end(workspace, admin)),
      ]);
      const owner = await expectOneOwner(workspace);
      const took = owner === admin.uid;
      if (!disturbed()) expect(accepted?.status === 200).toBe(took);
      // Exactly one succeeds: the owner cannot leave, and a user who left cannot become the owner.
      if (!disturbed()) expect(ended?.status === 200).toBe(!took);
    });
  },
);

test.each(Object.entries(ends))(
  'no offer remains to an admin who can no longer become the owner: the admin %s',
  async (_, end) => {
    await times(10, async () => {
      const workspace = await world.workspace();
      const admin = await world.member(workspace, 'admin');
      const [, [ended]] = await Promise.all([
        times(1, () => offer(workspace, admin.uid, workspace.owner)),
        times(1, () => end(workspace, admin)),
      ]);
      // A retry after a 503 no longer finds a user who had left.
      expect(disturbed() ? 200 : ended?.status).toBe(200);
      const meta = await table.get(keys.workspace(workspace.workspace_id));
      expect(meta).not.toHaveProperty('offered_to');
    });
  },
);

test('an acceptance against a withdrawal, another offer and a transfer leaves one owner', async () => {
  await times(8, async () => {
    const workspace = await offered();
    const { workspace_id, owner, admin } = workspace;
    const other = await world.member(workspace, 'admin');
    await Promise.all([
      times(3, () => accept(workspace, admin)),
      times(1, () => as(owner).ownership.end({ workspace_id })),
      times(1, () => offer(workspace, other.uid, owner)),
      times(2, () => accept(workspace, other)),
      times(1, () => offer(workspace, other.uid, project)),
    ]);
    await expectOneOwner(workspace);
    await expectCounted(owner.uid, admin.uid, other.uid);
  });
});

test('if its owner is deleted during a transfer, a workspace has the new owner', async () => {
  const spaces = await times(4, async () => {
    const workspace = await offered();
    const { owner, admin } = workspace;
    const [[deleted], [accepted]] = await Promise.all([
      times(1, () => backend.users.delete({ uid: owner.uid })),
      times(1, () => accept(workspace, admin)),
    ]);
    if (!disturbed()) expect(accepted?.status).toBe(200);
    // Before the transfer there was another member; after it, the user owns nothing.
    expect(['200', 'owns_workspaces']).toContain(Object.keys(counted([deleted!]))[0]);
    return workspace;
  });
  await world.drainStream();
  for (const space of spaces) expect(await expectOneOwner(space)).toBe(space.admin.uid);
});

test('concurrent deletions and restorations of a workspace end in a consistent state', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const people = await times(5, () => world.member(workspace));
  await Promise.all([
    times(20, () => backend.workspaces.delete({ workspace_id })),
    times(20, () => backend.workspaces.restore({ workspace_id })),
    times(5, (i) => add(workspace, people[i] ?? owner)),
    world.drainStream(),
  ]);
  await world.drainStream();
  const meta = await table.get(keys.workspace(workspace_id));
  const archived = (await itemsOf(workspace_id)).filter(({ by_member_sk }) =>
    String(by_member_sk).startsWith('ARCHIVED#'),
  );
  expect(archived).toHaveLength(meta?.['deleted_at'] === undefined ? 0 : 6);
  await expectCounted(owner.uid, ...people.map(({ uid }) => uid));
});

test('a user who joins during the deletion of the workspace is archived and restored with it', async () => {
  await times(3, async () => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const people = await times(10, () => world.user());
    const [joined] = await Promise.all([
      times(10, (i) => add(workspace, people[i] ?? workspace.owner)),
      times(1, () => backend.workspaces.delete({ workspace_id })),
    ]);
    await world.drainStream();
    const done = joined.filter(({ status }) => status < 300).length;
    await expectCounted(...people.map(({ uid }) => uid));
    await backend.workspaces.restore({ workspace_id });
    await world.drainStream();
    await expectOneOwner(workspace);
    const { body } = await backend.workspaces.get({ workspace_id });
    if (!disturbed()) expect(body.total_member_count).toBe(1 + done);
    await expectCounted(...people.map(({ uid }) => uid));
  });
});

test('a user who is deleted while they join, are invited, sign in and get a workspace leaves nothing', async () => {
  await times(3, async () => {
    const person = await world.user();
    const { uid, email } = person;
    const spaces = await times(3, () => world.workspace());
    const invited = { email, role: 'member', send_mail: false } as const;
    await Promise.all([
      times(1, () => backend.users.delete({ uid })),
      times(3, (i) => add(spaces[i] ?? spaces[0]!, person)),
      times(3, (i) =>
        backend.invitations.create({ workspace_id: spaces[i]?.workspace_id, ...invited }),
      ),
      times(3, () => backend.sessions.create({ uid })),
      times(2, () => backend.workspaces.create({ name: 'Own', owner_id: uid })),
      times(2, () => backend.users.update({ uid, display_name: 'Late' })),
    ]);
    // The second attempt always succeeds.
    const [again] = await times(1, () => backend.users.delete({ uid }));
    expect(again?.status).toBe(200);
    await world.drainStream();
    const items = (await world.table.all()).filter(
      ({ pk, sk }) => !/^(?:LOG|FEED|MAIL)#/.test(String(pk)) && sk !== 'WS',
    );
    const left = items.filter((item) => {
      const { events: _, ...rest } = item;
      return JSON.stringify(rest).includes(uid);
    });
    expect(left.map(({ sk }) => sk)).toEqual(['USER']);
    expect(left[0]).toMatchObject({
      deleted_at: expect.any(String),
      completed_at: expect.any(String),
      owned_workspace_count: 0,
    });
    expect(left[0]?.['workspace_count'] ?? 0).toBe(0);
    for (const { workspace_id, owner } of spaces) await expectOneOwner({ workspace_id, owner });
    // The e-mail is free, or belongs to a user created by the invitation.
    const [made] = await times(1, () => backend.users.create({ email }));
    expect(made?.body.uid).not.toBe(uid);
  });
});

test('50 concurrent deletions of one user return the same receipt', async () => {
  const { uid } = await world.user();
  const before = await userOf(uid);
  const answers = await times(50, () => backend.users.delete({ uid }));
  expect(counted(answers)).toEqual({ 200: 50 });
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await userOf(uid))['event_count']).toBe(Number(before['event_count']) + 1);
});
