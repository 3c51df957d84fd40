import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { workspaceKey } from '../../support/api-keys.ts';
import {
  aTime,
  expectProblem,
  expectSame,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { anEvent, self, withoutEvents } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, table, as } = world;
const restore = (workspace_id: string, auth: string | undefined = project.basic) =>
  as(auth).workspaces.restore({ workspace_id });
const read = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body;
const countsOf = async ({ uid }: { uid: string }) => {
  const { workspace_count = 0, owned_workspace_count = 0 } =
    (await table.get(keys.user(uid))) ?? {};
  return [workspace_count, owned_workspace_count];
};
/** The items of a workspace without the bookkeeping of their last writes. */
const itemsOf = async (workspace_id: string): Promise<Record<string, unknown>[]> =>
  (await table.query(`WS#${workspace_id}`)).map((each) => {
    const { modified_at: _, write_id: __, generation: ___, profile = '{}', ...item } = each;
    return { ...withoutEvents(item), profile: JSON.parse(String(profile)) };
  });

/** A workspace with an admin, a member, an invitation and two domains. */
async function place() {
  const workspace = await world.workspace({ owner: await world.user({ verified: true }) });
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const invited = await world.invited(workspace);
  const allowed_domains = ['restored.com', 'restored.org'];
  await as(project).workspaces.setAllowedDomains({
    workspace_id: workspace.workspace_id,
    allowed_domains,
  });
  await world.drainStream();
  return { ...workspace, admin, member, invited };
}

test('200 restores the workspace with its members, invitations and domains', async () => {
  const { workspace_id, owner, admin, member, invited } = await place();
  const before = await read(workspace_id);
  const items = await itemsOf(workspace_id);
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  expect(await countsOf(owner)).toEqual([0, 0]);
  const { status, body } = await restore(workspace_id, owner.bearer);
  expect([status, body]).toEqual([200, { ...before, modified_at: aTime() }]);
  expect(await read(workspace_id)).toEqual(body);
  // Immediately, before any job: all former members are members again.
  for (const { bearer } of [owner, admin, member])
    expect((await as(bearer).workspaces.get({ workspace_id })).status).toBe(200);
  await world.drainStream();
  expect(await itemsOf(workspace_id)).toEqual(items);
  expect(await countsOf(owner)).toEqual([1, 1]);
  for (const each of [admin, member]) expect(await countsOf(each)).toEqual([1, 0]);
  for (const { bearer } of [owner, admin, member])
    expect((await as(bearer).workspaces.list()).body).toMatchObject({
      total: 1,
      result: [{ workspace_id }],
    });
  expect((await as(invited).workspaces.listInvited()).body.invited_workspaces).toHaveLength(1);
  const colleague = await world.user({ email: 'new@restored.org', verified: true });
  expect((await as(colleague).workspaces.listInvited()).body.same_domain_workspaces).toMatchObject([
    { workspace_id, domain: 'restored.org' },
  ]);
});

/** A workspace with a domain, a user who requests to join by it, a join link and an API key. */
async function joinPaths() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const domain = `${workspace_id}.example`;
  await as(project).domains.set({ workspace_id, domain, mode: 'suggest' });
  const asker = await world.user({ email: `asker@${domain}`, verified: true });
  const make = async () => {
    await as(asker).joinRequests.create({ workspace_id });
    const { body: link } = await as(owner).joinLinks.create({ workspace_id });
    const key = await workspaceKey(world, workspace, { role: 'admin' });
    return { key, link };
  };
  const join = async (join_token: string) => {
    const { uid: user_id, bearer } = await world.user();
    return as(bearer).members.join({ workspace_id, user_id, join_token });
  };
  const asked = { workspace_id, user_id: asker.uid };
  const lists = async () => {
    const { joinLinks, joinRequests, workspaceKeys } = as(owner);
    const answers = await Promise.all([
      ...[joinLinks, joinRequests, workspaceKeys].map((each) => each.list({ workspace_id })),
      as(asker).workspaces.listInvited(),
    ]);
    const [links, requests, keysOf, own] = answers.map(({ body }) => body);
    return [links.total, requests.total, keysOf.total, own.requested_workspaces.length];
  };
  return { workspace, owner, asker, asked, make, join, lists };
}

test('API keys, join links and join requests stay ended, before and after the job that deletes them', async () => {
  const { workspace, owner, asker, asked, make, join, lists } = await joinPaths();
  const { workspace_id } = workspace;
  const { key, link } = await make();
  const { key_id } = key;
  expect(await lists()).toEqual([1, 1, 1, 1]);
  await as(project).workspaces.delete({ workspace_id });
  await restore(workspace_id);

  async function expectEnded() {
    const { workspaces, workspaceKeys, joinLinks, joinRequests, members } = as(owner);
    expect(await lists()).toEqual([0, 0, 0, 0]);
    expect((await as(key.bearer).workspaces.get({ workspace_id })).status).toBe(401);
    expectProblem(await join(link.token), 'join_link_invalid');
    for (const refused of [
      await workspaceKeys.rotate({ workspace_id, key_id }),
      await workspaceKeys.revoke({ workspace_id, key_id }),
      await joinLinks.revoke({ workspace_id, link_id: link.link_id }),
      await joinRequests.approve(asked),
      await joinRequests.delete(asked),
      await as(asker).joinRequests.delete(asked),
    ])
      expectProblem(refused, 'not_found');
    // The former requester is a stranger again, and is invited.
    const { body } = await members.add({ ...asked, role: 'member' });
    expect(body.status).toBe('pending');
    await as(owner).invitations.end(asked);
    expect((await workspaces.get({ workspace_id })).body.total_member_count).toBe(1);
  }
  await expectEnded();
  await world.drainStream();
  await expectEnded();
  const { join_link_count, join_request_count } = (await table.get(keys.workspace(workspace_id)))!;
  expect([join_link_count, join_request_count]).toEqual([0, 0]);
  for (const prefix of ['LINK#', 'REQUEST#', 'API_KEY#'])
    expect(await table.query(`WS#${workspace_id}`, prefix)).toEqual([]);
});

test('API keys, join links and join requests created after the restore work, before and after the job', async () => {
  const { workspace, asked, make, join, lists } = await joinPaths();
  const { workspace_id } = workspace;
  await make();
  for (let i = 0; i < 2; i += 1) {
    await as(project).workspaces.delete({ workspace_id });
    await restore(workspace_id);
    const { key, link } = await make();
    for (const settled of [false, true]) {
      if (settled) await world.drainStream();
      expect(await lists()).toEqual([1, 1, 1, 1]);
      expect((await as(key.bearer).workspaces.get({ workspace_id })).status).toBe(200);
      expect((await join(link.token)).status).toBe(201);
    }
  }
  expect((await as(workspace.owner).joinRequests.approve(asked)).status).toBe(201);
});

test('ended join links and API keys do not count towards the limits', async () => {
  const { workspace, owner, make } = await joinPaths();
  const { workspace_id } = workspace;
  const { key, link } = await make();
  const [aKey, aLink] = await Promise.all([
    table.get(keys.apiKey(keys.workspace(workspace_id), key.key_id)),
    table.get(keys.joinLink(workspace_id, link.link_id)),
  ]);
  const numbers = Array.from({ length: 49 }, (_, i) => `more-${i}`);
  await Promise.all([
    ...numbers.map((id) => table.put({ ...aLink, ...keys.joinLink(workspace_id, id) })),
    ...numbers
      .slice(0, 19)
      .map((id) => table.put({ ...aKey, ...keys.apiKey(keys.workspace(workspace_id), id) })),
    table.update(keys.workspace(workspace_id), { join_link_count: 50 }),
  ]);
  const full = await as(owner).joinLinks.create({ workspace_id });
  expectProblem(full, 'join_link_limit_reached');
  await as(project).workspaces.delete({ workspace_id });
  await restore(workspace_id);
  expect((await as(owner).joinLinks.create({ workspace_id })).status).toBe(201);
  await workspaceKey(world, workspace);
  expect((await table.get(keys.workspace(workspace_id)))?.['join_link_count']).toBe(1);
});

test('200 for concurrent requests, with one event', async () => {
  const { workspace_id, owner } = await world.workspace();
  await as(project).workspaces.delete({ workspace_id });
  const before = await table.get(keys.workspace(workspace_id));
  const answers = await Promise.all([1, 2, 3].map(() => restore(workspace_id, owner.bearer)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(answers[2]?.body).toEqual(answers[0]?.body);
  const after = await table.get(keys.workspace(workspace_id));
  expect(after?.['event_count']).toBe(Number(before?.['event_count']) + 1);
  expect(after?.['events']).toEqual([anEvent(self(owner), 'workspace.restored')]);
  expect(await countsOf(owner)).toEqual([1, 1]);
});

test('200 for a workspace that is not deleted changes nothing', async () => {
  const workspace = await world.workspace();
  const before = await itemsOf(workspace.workspace_id);
  const { status, body } = await restore(workspace.workspace_id);
  expect([status, body]).toEqual([200, await read(workspace.workspace_id)]);
  expect(await itemsOf(workspace.workspace_id)).toEqual(before);
});

test('200 shows current profiles, also those changed after the deletion', async () => {
  const { workspace_id, owner, member } = await place();
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  const change = (uid: string, email: string) =>
    as(project).users.update({ uid, email, display_name: email });
  await change(owner.uid, 'owner@elsewhere.com');
  await change(member.uid, 'member@elsewhere.com');
  await world.drainStream();
  expect((await restore(workspace_id)).body.owner_email).toBe('owner@elsewhere.com');
  await world.drainStream();
  const { body } = await as(project).members.list({ workspace_id, status: 'accepted' });
  expect(body.result.map(({ display_name }: { display_name: string }) => display_name)).toEqual([
    'owner@elsewhere.com',
    '',
    'member@elsewhere.com',
  ]);
});

test('an e-mail that the owner changes before the restore job runs is shown', async () => {
  const { workspace_id, owner } = await world.workspace();
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  await restore(workspace_id);
  const email = `changed.${owner.email}`;
  expect((await as(project).users.update({ uid: owner.uid, email })).status).toBe(200);
  await world.drainStream();
  const { body } = await as(project).members.get({ workspace_id, user_id: owner.uid });
  expect([body.email, (await read(workspace_id)).owner_email]).toEqual([email, email]);
});

test('the last of several quick deletions and restores counts', async () => {
  const first = await place();
  const { workspace_id, owner, member } = first;
  for (let i = 0; i < 2; i += 1) {
    await as(project).workspaces.delete({ workspace_id });
    await restore(workspace_id);
  }
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  expect(await countsOf(owner)).toEqual([0, 0]);
  expect(await countsOf(member)).toEqual([0, 0]);
  await restore(workspace_id);
  await as(project).workspaces.delete({ workspace_id });
  await restore(workspace_id);
  await world.drainStream();
  expect(await countsOf(owner)).toEqual([1, 1]);
  expect(await countsOf(member)).toEqual([1, 0]);
  const items = await itemsOf(workspace_id);
  for (const { by_member_sk = '' } of items) expect(by_member_sk).not.toMatch(/^ARCHIVED#/);
  expect(items).toHaveLength(7);
});

test('a member who leaves right after the restore is subtracted from the counts once', async () => {
  const { workspace_id, member } = await place();
  await as(project).workspaces.delete({ workspace_id });
  await world.drainStream();
  await restore(workspace_id);
  expect((await as(member).members.remove({ workspace_id, user_id: member.uid })).status).toBe(200);
  await world.drainStream();
  expect(await countsOf(member)).toEqual([0, 0]);
  expect((await read(workspace_id)).total_member_count).toBe(2);
});

test('404 after 30 days, with the same response as for an unknown workspace', async () => {
  const { workspace_id } = await world.workspace();
  await as(project).workspaces.delete({ workspace_id });
  const day = 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * day - 60_000 });
  await restore(workspace_id);
  expect((await read(workspace_id)).workspace_id).toBe(workspace_id);
  await as(project).workspaces.delete({ workspace_id });
  vi.setSystemTime(Date.now() + 30 * day);
  const answer = await restore(workspace_id);
  expectProblem(answer, 'not_found');
  expectSame(answer, await restore(unknownWorkspaceId));
});

test('404 for a workspace that was deleted by a release without restores', async () => {
  const { workspace_id } = await world.workspace();
  await table.update(keys.workspace(workspace_id), { deleted_at: '2020-01-01T00:00:00.000Z' });
  expectProblem(await restore(workspace_id), 'not_found');
  expectProblem(await as(project).workspaces.get({ workspace_id }), 'not_found');
});

test.each(['with', 'after'])('404 if the owner was deleted %s the workspace', async (when) => {
  const { workspace_id, owner } = await world.workspace();
  if (when === 'after') await as(project).workspaces.delete({ workspace_id });
  await as(project).users.delete({ uid: owner.uid });
  expectProblem(await restore(workspace_id), 'not_found');
});

test('409 while the owner owns too many workspaces', async () => {
  const { workspace_id, owner } = await world.workspace();
  await as(project).workspaces.delete({ workspace_id });
  await table.update(keys.user(owner.uid), { owned_workspace_count: 500 });
  const before = await table.get(keys.workspace(workspace_id));
  expectProblem(await restore(workspace_id), 'owned_workspace_limit_reached');
  expect(await table.get(keys.workspace(workspace_id))).toEqual(before);
});
