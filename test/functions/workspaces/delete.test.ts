import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anId, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const setDomains = (workspace_id: string, allowed_domains: string[]) =>
  as(project).workspaces.setAllowedDomains({ workspace_id, allowed_domains });

test('200 returns the workspace with allowed_domain and deleted_at, without owner_email and logo_url', async () => {
  const workspace = await world.workspace({
    logo: 'https://example.com/l.png',
    description: 'Old',
  });
  const { workspace_id, owner } = workspace;
  const { body: before } = await setDomains(workspace_id, ['example.com']);
  const { status, body } = await as(owner).workspaces.delete({ workspace_id });
  const { allowed_domains, owner_email: _, logo_url: __, ...rest } = before;
  expect(status).toBe(200);
  expect(body).toEqual({
    ...rest,
    allowed_domain: allowed_domains,
    modified_at: body.deleted_at,
    deleted_at: expect.stringMatching(/^\d{4}-.+Z$/),
  });
  expect(body.deleted_at > before.modified_at).toBe(true);
});

test('200 a deleted workspace is in no list, and nobody can join it', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const member = await world.member(workspace);
  const invited = await world.invited(workspace);
  const neighbour = await world.user({ email: 'new@neighbours.com', verified: true });
  await setDomains(workspace_id, ['neighbours.com']);
  expect((await as(project).workspaces.delete({ workspace_id })).status).toBe(200);

  const join = (user_id: string, auth: string) => as(auth).members.join({ workspace_id, user_id });
  expectProblem(await join(neighbour.uid, project.basic), 'not_found');
  for (const { uid, bearer } of [neighbour, invited, member])
    expectProblem(await join(uid, bearer), 'forbidden');

  for (const { bearer } of [owner, member]) {
    expect((await as(bearer).workspaces.listJoined()).body).toEqual([]);
    expect((await as(bearer).workspaces.list()).body.result).toEqual([]);
  }
  for (const { bearer } of [invited, neighbour])
    expect((await as(bearer).workspaces.listInvited()).body).toEqual({
      invited_workspaces: [],
      same_domain_workspaces: [],
      requested_workspaces: [],
    });
});

test('a deletion archives members and invitations, deletes domains, and leaves other workspaces unchanged', async () => {
  const workspace = await world.workspace();
  const other = await world.workspace({ owner: workspace.owner });
  const member = await world.member(workspace);
  await world.member(other, 'member', member);
  const invited = await world.invited(workspace);
  await world.invited(other, 'member', invited);
  for (const { workspace_id } of [workspace, other])
    await setDomains(workspace_id, ['example.com', 'example.org']);
  const itemsOf = async ({ workspace_id }: { workspace_id: string }) =>
    world.table.query(`WS#${workspace_id}`);
  const before = await itemsOf(other);
  const kept = (await itemsOf(workspace)).filter(({ sk }) => !String(sk).startsWith('DOMAIN#'));
  await as(workspace.owner).workspaces.delete({ workspace_id: workspace.workspace_id });
  await world.drainStream();
  const after = await itemsOf(workspace);
  const meta = after.at(-1);
  const { expires_at } = meta ?? {};
  expect(expires_at).toBe(
    Math.floor(Date.parse(String(meta?.['deleted_at'])) / 1_000) + 31 * 86_400,
  );
  expect(after.slice(0, -1)).toEqual(
    kept.slice(0, -1).map((item) => ({
      ...item,
      by_member_sk: `ARCHIVED#${String(item['by_member_sk'])}`,
      // The earlier expiry applies; an invitation also keeps its own.
      expires_at: Math.min(Number(expires_at), Number(item['expires_at'] ?? Infinity)),
      ...(item['expires_at'] !== undefined && { kept_expires_at: item['expires_at'] }),
    })),
  );
  expect(await itemsOf(other)).toEqual(before);
  const counts = async ({ uid }: { uid: string }) => {
    const { workspace_count, owned_workspace_count } =
      (await world.table.get(keys.user(uid))) ?? {};
    return { workspace_count, owned_workspace_count };
  };
  expect(await counts(workspace.owner)).toEqual({ workspace_count: 1, owned_workspace_count: 1 });
  expect(await counts(member)).toEqual({ workspace_count: 1, owned_workspace_count: 0 });
  expect(await counts(invited)).toEqual({ workspace_count: 0, owned_workspace_count: 0 });
  const { body } = await as(member).workspaces.list();
  expect(body).toMatchObject({ total: 1, result: [{ workspace_id: other.workspace_id }] });
});

test('200 for one of two concurrent requests, with one event that has the actor', async () => {
  const { workspace_id, owner } = await world.workspace();
  const before = await world.table.get(keys.workspace(workspace_id));
  const answers = await Promise.all(
    [1, 2].map(() => as(owner).workspaces.delete({ workspace_id })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  const after = await world.table.get(keys.workspace(workspace_id));
  expect(after?.['event_count']).toBe(Number(before?.['event_count']) + 1);
  expect(after?.['events']).toEqual([
    {
      type: 'workspace.deleted',
      id: anId('evt-'),
      time: after?.['deleted_at'],
      actor: { kind: 'user', id: owner.uid },
    },
  ]);
});
