import { expect, test } from 'vitest';
import { keys } from '#shared/db/schema.ts';
import {
  anId,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const remove = (workspace_id: string, auth?: string) =>
  world.call('DELETE', `/workspaces/${workspace_id}`, auth);
const setDomains = (workspace_id: string, allowed_domains: string[]) =>
  world.call('PUT', `/workspaces/${workspace_id}/allowed_domains`, project.basic, {
    allowed_domains,
  });

test('200 the deleted workspace, with allowed_domain and deleted_at, without owner_email and logo_url', async () => {
  const workspace = await world.workspace({
    logo: 'https://example.com/l.png',
    description: 'Old',
  });
  const { workspace_id, owner } = workspace;
  const { body: before } = await setDomains(workspace_id, ['example.com']);
  const { status, body } = await remove(workspace_id, owner.bearer);
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

test('200 it is gone from every read and closed to every change at once', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const member = await world.member(workspace);
  const invited = await world.invited(workspace);
  const neighbour = await world.user({ email: 'new@neighbours.com', verified: true });
  await setDomains(workspace_id, ['neighbours.com']);
  expect((await remove(workspace_id, project.basic)).status).toBe(200);

  const path = `/workspaces/${workspace_id}`;
  const changes = [
    ['GET', path],
    ['GET', `${path}/users?status=accepted`],
    ['GET', `${path}/users?status=pending`],
    ['PUT', path, { name: 'Back' }],
    ['PUT', `${path}/allowed_domains`, { allowed_domains: [] }],
    ['POST', `${path}/users`, { user_id: neighbour.uid, role: 'member' }],
    ['POST', `${path}/invitations`, { email: neighbour.email, role: 'member' }],
    ['PUT', `${path}/users/${member.uid}/role`, { role: 'admin' }],
    ['DELETE', path],
  ] as const;
  for (const auth of [project.basic, owner.bearer, member.bearer])
    for (const [method, target, body] of changes) {
      const answer = await world.call(method, target, auth, body);
      const missing = target.replace(workspace_id, nowhere);
      expectProblem(answer, 'not_found');
      expectSame(answer, await world.call(method, missing, auth, body));
    }
  const join = (user_id: string, auth: string) =>
    world.call('POST', '/workspaces/join', auth, { workspace_id, user_id });
  expectProblem(await join(neighbour.uid, project.basic), 'not_found');
  for (const { uid, bearer } of [neighbour, invited, member])
    expectProblem(await join(uid, bearer), 'forbidden');

  for (const { bearer } of [owner, member]) {
    expect((await world.call('GET', '/workspaces/joined/search', bearer)).body).toEqual([]);
    expect((await world.call('GET', '/workspaces', bearer)).body.result).toEqual([]);
  }
  for (const { bearer } of [invited, neighbour])
    expect((await world.call('GET', '/workspaces/invited/search', bearer)).body).toEqual({
      invited_workspaces: [],
      same_domain_workspaces: [],
      requested_workspaces: [],
    });
});

test('then members and invitations are archived, domains are gone, and no other workspace has lost any', async () => {
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
  await remove(workspace.workspace_id, workspace.owner.bearer);
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
      // An invitation keeps its own time, which is later or earlier.
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
  const { body } = await world.call('GET', '/workspaces', member.bearer);
  expect(body).toMatchObject({ total: 1, result: [{ workspace_id: other.workspace_id }] });
});

test('it tells once that it was deleted, and by whom', async () => {
  const { workspace_id, owner } = await world.workspace();
  const before = await world.table.get(keys.workspace(workspace_id));
  const answers = await Promise.all([1, 2].map(() => remove(workspace_id, owner.bearer)));
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

test('403 for an admin and a member', async () => {
  const workspace = await world.workspace();
  for (const role of ['admin', 'member'] as const) {
    const { bearer } = await world.member(workspace, role);
    expectProblem(await remove(workspace.workspace_id, bearer), 'forbidden');
  }
  const read = await world.call('GET', `/workspaces/${workspace.workspace_id}`, project.basic);
  expect(read.body.total_member_count).toBe(3);
});

test('404 for strangers and the invited, here and of another project: the very answer of a missing one', async () => {
  const workspace = await world.workspace();
  const foreign = await world.newProject();
  const people = [await world.user(), await world.invited(workspace, 'admin')];
  for (const auth of [foreign.basic, ...people.map(({ bearer }) => bearer)]) {
    const answer = await remove(workspace.workspace_id, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await remove(nowhere, auth));
  }
  expect((await remove(workspace.workspace_id, project.basic)).status).toBe(200);
});

test('400 for what is no id of a workspace, 401 without a credential', async () => {
  expectInvalid(await remove('x', project.basic), '/path/workspace_id');
  expectProblem(await remove(nowhere), 'unauthenticated');
});
