import { expect, test } from 'vitest';
import { domainRecord } from '#shared/workspaces/domains/modes.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { domains, workspaces } = world.as(project);

test('200 lists every allowed domain in its order, then the only proven ones, each with its DNS record', async () => {
  const { workspace_id, owner } = await world.workspace();
  expect((await domains.list({ workspace_id })).body).toEqual({ total: 0, count: 0, result: [] });
  await workspaces.setAllowedDomains({ workspace_id, allowed_domains: ['b.com', 'a.com'] });
  await domains.set({ workspace_id, domain: 'c.com', mode: 'suggest' });
  const proven_at = '2026-11-21T08:00:00.000Z';
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  await world.table.update(key, { proven_domains: { 'z.com': proven_at, 'a.com': proven_at } });
  const { status, body } = await world.as(owner).domains.list({ workspace_id });
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

test('200 a domain that was allowed before modes existed has the mode auto', async () => {
  const { workspace_id } = await world.workspace();
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  await world.table.update(key, { allowed_domains: ['old.com'], domain_modes: undefined });
  expect((await domains.list({ workspace_id })).body.result).toMatchObject([
    { domain: 'old.com', mode: 'auto' },
  ]);
});
