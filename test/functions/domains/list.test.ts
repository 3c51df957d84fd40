import { expect, test } from 'vitest';
import { domainRecord } from '#shared/workspaces/domain-modes.ts';
import { expectProblem, expectSame, nowhere } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const list = (workspace_id: string, auth = project.basic) =>
  world.call('GET', `/workspaces/${workspace_id}/allowed_domains`, auth);

test('200 every allowed domain in its order, then what is only proven, each with its record', async () => {
  const { workspace_id, owner } = await world.workspace();
  expect((await list(workspace_id)).body).toEqual({ total: 0, count: 0, result: [] });
  const path = `/workspaces/${workspace_id}/allowed_domains`;
  await world.call('PUT', path, project.basic, { allowed_domains: ['b.com', 'a.com'] });
  await world.call('PUT', `${path}/c.com`, project.basic, { mode: 'suggest' });
  const proven_at = '2026-11-21T08:00:00.000Z';
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  await world.table.update(key, { proven_domains: { 'z.com': proven_at, 'a.com': proven_at } });
  const { status, body } = await list(workspace_id, owner.bearer);
  const of = (domain: string) => ({
    domain,
    record: domainRecord({ project_id: project.project_id, workspace_id }, domain),
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 4,
    count: 4,
    result: [
      { ...of('b.com'), mode: 'auto' },
      { ...of('a.com'), mode: 'auto', proven_at },
      { ...of('c.com'), mode: 'suggest' },
      { ...of('z.com'), mode: 'off', proven_at },
    ],
  });
});

test('200 a workspace of before there were modes lets people in', async () => {
  const { workspace_id } = await world.workspace();
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  await world.table.update(key, { allowed_domains: ['old.com'], domain_modes: undefined });
  expect((await list(workspace_id)).body.result).toMatchObject([
    { domain: 'old.com', mode: 'auto' },
  ]);
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
