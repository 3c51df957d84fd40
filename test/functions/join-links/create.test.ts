import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { sha256 } from '#shared/model/ids.ts';
import { anId, aTime, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const day = 86_400_000;
const create = (workspace_id: string, body: object = {}, auth = project.basic) =>
  as(auth).joinLinks.create({ workspace_id, ...body });
const itemsOf = (workspace_id: string) => world.table.query(`WS#${workspace_id}`, 'LINK#');
const workspaceOf = async (workspace_id: string) =>
  (await world.table.get(keys.workspace(workspace_id))) ?? {};

test('201 a link for members, valid for 30 days and any number of uses; its token is not stored', async () => {
  const { workspace_id, owner, invitation_url } = await world.workspace();
  const { status, body } = await create(workspace_id, {}, owner.bearer);
  expect(status).toBe(201);
  expect(body).toEqual({
    link_id: anId('lnk-'),
    workspace_id,
    role: 'member',
    restrict_to_allowed_domains: false,
    use_count: 0,
    created_by: owner.uid,
    created_at: aTime(),
    expires_at: aTime(),
    token: expect.stringMatching(/^jl_[\w-]{43}\.[\w-]{43}$/),
    url: `${invitation_url}#join=${body.token}`,
  });
  const lifetime = Date.parse(body.expires_at) - Date.parse(body.created_at);
  expect(Math.abs(lifetime - 30 * day)).toBeLessThan(1_000);
  const [item] = await itemsOf(workspace_id);
  const secret = body.token.split('.')[1];
  expect(item).toMatchObject({ token_sha256: sha256(secret), expires_at: expect.any(Number) });
  expect(JSON.stringify(item)).not.toContain(secret);
  expect(await workspaceOf(workspace_id)).toMatchObject({
    join_link_count: 1,
    events: [
      {
        type: 'workspace.join_link.created',
        data: { link_id: body.link_id, role: 'member' },
        actor: { kind: 'user', id: owner.uid },
      },
    ],
  });
});

test('201 with the settings of the backend; each link has its own token and id', async () => {
  const { workspace_id } = await world.workspace();
  const given = {
    role: 'admin',
    expires_in: 365 * 86_400,
    max_uses: 100_000,
    restrict_to_allowed_domains: true,
  };
  const [one, other] = [await create(workspace_id, given), await create(workspace_id, given)];
  const { expires_in: _, ...shown } = given;
  for (const { status, body } of [one, other]) {
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...shown, use_count: 0 });
    expect(body).not.toHaveProperty('created_by');
  }
  expect(one.body.token.split('.')[1]).not.toBe(other.body.token.split('.')[1]);
  expect(one.body.link_id).not.toBe(other.body.link_id);
});

test('409 for the 51st valid link; a revoked or expired link no longer counts', async () => {
  const { workspace_id } = await world.workspace();
  const { link_id } = (await create(workspace_id)).body;
  const [first] = await itemsOf(workspace_id);
  const more = Array.from({ length: 48 }, (_, i) => `stored-${i}`);
  await world.table.putAll(
    more.map((id) => ({ ...first, ...keys.joinLink(workspace_id, id), link_id: id })),
  );
  await world.table.update(keys.workspace(workspace_id), { join_link_count: 49 });
  expect((await create(workspace_id)).status).toBe(201);
  expectProblem(await create(workspace_id), 'join_link_limit_reached');
  expect(await itemsOf(workspace_id)).toHaveLength(50);
  await as(project).joinLinks.revoke({ workspace_id, link_id });
  expect((await create(workspace_id)).status).toBe(201);
  expectProblem(await create(workspace_id), 'join_link_limit_reached');
  // Two have expired; DynamoDB has deleted one of them.
  const [one, other] = await itemsOf(workspace_id);
  await world.table.update({ pk: String(one?.['pk']), sk: String(one?.['sk']) }, { expires_at: 1 });
  await world.table.delete({ pk: String(other?.['pk']), sk: String(other?.['sk']) });
  for (let i = 0; i < 2; i += 1) expect((await create(workspace_id)).status).toBe(201);
  expectProblem(await create(workspace_id), 'join_link_limit_reached');
  expect(await itemsOf(workspace_id)).toHaveLength(50);
  expect(await workspaceOf(workspace_id)).toMatchObject({ join_link_count: 50 });
});
