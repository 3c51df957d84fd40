import { afterAll, afterEach, expect, test } from 'vitest';
import { domainRecord } from '#shared/workspaces/domains/modes.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { startNameServer } from '../../support/name-server.ts';
import type { Caller } from '../../support/routes.ts';
import { startWorld } from '../../support/world.ts';

const dns = await startNameServer();
afterAll(() => dns.close());
afterEach(() => dns.behave('answers'));
const world = await startWorld();
const { project } = world;
const { project_id } = project;
const prove = (workspace_id: string, domain: string, who: Caller = project) =>
  world.as(who).domains.prove({ workspace_id, domain });
const recordOf = (workspace_id: string, domain: string) =>
  domainRecord({ project_id, workspace_id }, domain);
const publish = (domain: string, ...workspaces: { workspace_id: string }[]) => {
  const records = workspaces.map(({ workspace_id }) => recordOf(workspace_id, domain));
  dns.publish(`_identity-workspace.${domain}`, 'v=spf1 -all', ...records.map(({ value }) => value));
};
const factsOf = async (workspace_id: string) =>
  (await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' }))?.['events'];

test('200 once the DNS record exists; a repeated request asks no name server', async () => {
  const { workspace_id } = await world.workspace();
  const refused = await prove(workspace_id, 'Proven.com');
  const record = recordOf(workspace_id, 'proven.com');
  expectProblem(refused, 'domain_not_proven', {
    record_name: '_identity-workspace.proven.com',
    record_value: record.value,
  });
  expect(refused.body.detail).toContain(record.value);
  publish('proven.com', { workspace_id });
  const { status, body } = await prove(workspace_id, 'proven.com');
  expect(status).toBe(200);
  expect(body).toEqual({ domain: 'proven.com', mode: 'off', proven_at: aTime(), record });
  expect(await factsOf(workspace_id)).toMatchObject([
    { type: 'workspace.domain_proven', data: { domain: 'proven.com' }, actor: { kind: 'key' } },
  ]);
  const asked = dns.queries.length;
  const again = await prove(workspace_id, 'proven.com');
  expect([again.status, again.body]).toEqual([200, body]);
  expect(dns.queries).toHaveLength(asked);
});

test('200 a proof keeps the mode of an allowed domain, and lets a user set it to auto', async () => {
  const owner = await world.user({ email: 'ada@owned.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const mode = (to: string) =>
    world.as(owner).domains.set({ workspace_id, domain: 'owned.com', mode: to });
  await mode('suggest');
  expectProblem(await mode('auto'), 'domain_not_proven', {
    record_name: '_identity-workspace.owned.com',
    record_value: recordOf(workspace_id, 'owned.com').value,
  });
  const found = () => world.table.get({ pk: `WS#${workspace_id}`, sk: 'DOMAIN#owned.com' });
  expect((await found())?.['by_email_sk']).toBe(`WS#${workspace_id}`);
  publish('owned.com', { workspace_id });
  expect((await prove(workspace_id, 'owned.com', owner)).body.mode).toBe('suggest');
  expect((await found())?.['by_email_sk']).toBe(`WS#PROVEN#${workspace_id}`);
  expect((await mode('auto')).body).toMatchObject({ mode: 'auto', proven_at: aTime() });
});

test('200 several workspaces can prove the same domain, each with its own record', async () => {
  const [one, other, third] = [
    await world.workspace(),
    await world.workspace(),
    await world.workspace(),
  ];
  publish('shared.com', one, other);
  expect((await prove(one.workspace_id, 'shared.com')).status).toBe(200);
  expect((await prove(other.workspace_id, 'shared.com')).status).toBe(200);
  expectProblem(await prove(third.workspace_id, 'shared.com'), 'domain_not_proven', {
    record_name: expect.any(String),
    record_value: recordOf(third.workspace_id, 'shared.com').value,
  });
});

test('409 for the record of another domain or project, or a text that merely contains the right value', async () => {
  const { workspace_id } = await world.workspace();
  const name = '_identity-workspace.near.com';
  const { value } = recordOf(workspace_id, 'near.com');
  const near = [
    recordOf(workspace_id, 'x.near.com').value,
    domainRecord({ project_id: 'other', workspace_id }, 'near.com').value,
    `${value} `,
    `"${value}"`,
    value.toLowerCase(),
  ];
  dns.publish(name, ...near);
  expect((await prove(workspace_id, 'near.com')).body.code).toBe('domain_not_proven');
  dns.publish(name);
  expect((await prove(workspace_id, 'near.com')).body.code).toBe('domain_not_proven');
  // The label for the challenge makes this name too long for DNS.
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(56)}.com`;
  expect((await prove(workspace_id, long)).body.code).toBe('domain_not_proven');
});

test('503 if the name server fails or is silent; nothing is proven', async () => {
  const { workspace_id } = await world.workspace();
  publish('down.com', { workspace_id });
  for (const behaviour of ['fails', 'is silent'] as const) {
    dns.behave(behaviour);
    const answer = await prove(workspace_id, 'down.com');
    expectProblem(answer, 'temporarily_unavailable');
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  dns.behave('answers');
  expect((await prove(workspace_id, 'down.com')).status).toBe(200);
});

test('keeps the proofs of all allowed domains, and the newest 50 of the others', async () => {
  const { workspace_id } = await world.workspace();
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  const proofs = Array.from({ length: 50 }, (_, i) => [
    `d${i}.com`,
    `2026-01-01T00:00:00.0${String(i).padStart(2, '0')}Z`,
  ]);
  const proven_domains = {
    ...Object.fromEntries(proofs),
    'allowed.com': '2025-01-01T00:00:00.000Z',
  };
  await world.table.update(key, { allowed_domains: ['allowed.com'], proven_domains });
  publish('late.com', { workspace_id });
  expect((await prove(workspace_id, 'late.com')).status).toBe(200);
  const kept = Object.keys((await world.table.get(key))?.['proven_domains'] as object);
  expect(kept).toHaveLength(51);
  expect(kept).toEqual(expect.arrayContaining(['allowed.com', 'late.com', 'd1.com']));
  expect(kept).not.toContain('d0.com');
});

test('asks no name server for a plain member, a stranger or another project', async () => {
  const workspace = await world.workspace();
  const others = [await world.member(workspace), await world.user(), await world.newProject()];
  const asked = dns.queries.length;
  const answers = await Promise.all(
    others.map((who) => prove(workspace.workspace_id, 'strange.com', who)),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404]);
  expect(dns.queries).toHaveLength(asked);
});
