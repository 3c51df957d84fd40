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
  const deleted = Math.floor(Date.parse(body.deleted_at) / 1_000);
  const { expires_at } = (await world.table.get(keys.workspace(workspace_id))) ?? {};
  expect(expires_at).toBe(deleted + 31 * 86_400);
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
