import { expect, test } from 'vitest';
import { expectProblem, expectSame, nowhere } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const list = (workspace_id: string, auth = project.basic) =>
  world.call('GET', `/workspaces/${workspace_id}/join_links`, auth);

test('200 the live links, the oldest first, with their uses and without a token', async () => {
  const { workspace_id, owner } = await world.workspace();
  const path = `/workspaces/${workspace_id}/join_links`;
  const links = [];
  for (const max_uses of [1, 2, 3])
    links.push((await world.call('POST', path, owner.bearer, { max_uses })).body);
  const [one, two, three] = links;
  const { uid, bearer } = await world.user();
  const join = { workspace_id, user_id: uid, join_token: two.token };
  expect((await world.call('POST', '/workspaces/join', bearer, join)).status).toBe(201);
  const key = { pk: `WS#${workspace_id}`, sk: `LINK#${three.link_id}` };
  await world.table.update(key, { expires_at: Math.floor(Date.now() / 1_000) });
  const shown = (link: object) => ({ ...link, token: undefined, url: undefined });
  const { status, body } = await list(workspace_id, owner.bearer);
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 2,
    count: 2,
    result: [shown(one), { ...shown(two), use_count: 1 }],
  });
});

test('403 for a plain member, 404 for strangers as for a missing one', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  expectProblem(await list(workspace_id, (await world.member(workspace)).bearer), 'forbidden');
  const foreign = await world.newProject();
  for (const auth of [foreign.basic, (await world.user()).bearer]) {
    const answer = await list(workspace_id, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await list(nowhere, auth));
  }
});
