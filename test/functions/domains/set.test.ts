import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import type { Caller } from '../../support/routes.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const set = (workspace_id: string, domain: string, mode: string, who: Caller = project) =>
  world.as(who).domains.set({ workspace_id, domain, mode });
const itemOf = async (workspace_id: string) =>
  (await world.table.get(keys.workspace(workspace_id))) ?? {};
const read = async (workspace_id: string) =>
  (await world.as(project).workspaces.get({ workspace_id })).body;
/** The items that make the workspace discoverable, in the order of the index. */
const found = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`, 'DOMAIN#')).map(({ sk, by_email_sk }) => [
    String(sk).slice(7),
    by_email_sk,
  ]);
const prove = (workspace_id: string, ...domains: string[]) => {
  const proofs = domains.map((domain) => [domain, '2026-11-21T08:00:00.000Z']);
  return world.table.update(keys.workspace(workspace_id), {
    proven_domains: Object.fromEntries(proofs),
  });
};

test('200 the backend sets any domain to any mode; off removes it', async () => {
  const { workspace_id } = await world.workspace();
  for (const mode of ['suggest', 'auto', 'suggest']) {
    const { status, body } = await set(workspace_id, 'BigCorp.com', mode);
    expect(status).toBe(200);
    expect(body).toEqual({ domain: 'bigcorp.com', mode, record: expect.any(Object) });
    expect((await read(workspace_id)).allowed_domains).toEqual(['bigcorp.com']);
    expect((await itemOf(workspace_id))['domain_modes']).toEqual({ 'bigcorp.com': mode });
    expect(await found(workspace_id)).toEqual([['bigcorp.com', `WS#${workspace_id}`]]);
  }
  expect((await itemOf(workspace_id))['events']).toMatchObject([
    { type: 'workspace.domains_changed' },
  ]);
  expect((await set(workspace_id, 'bigcorp.com', 'off')).body.mode).toBe('off');
  expect((await read(workspace_id)).allowed_domains).toEqual([]);
  expect((await itemOf(workspace_id))['domain_modes']).toEqual({});
  expect(await found(workspace_id)).toEqual([]);
});

test('200 an unchanged mode writes nothing and is no event', async () => {
  const { workspace_id } = await world.workspace();
  await set(workspace_id, 'same.com', 'suggest');
  const before = await itemOf(workspace_id);
  expect((await set(workspace_id, 'same.com', 'suggest')).status).toBe(200);
  expect((await set(workspace_id, 'never.com', 'off')).body).toMatchObject({ mode: 'off' });
  expect(await itemOf(workspace_id)).toEqual(before);
});

test('200 a proof survives turning the domain off; a proven domain sorts first in the index', async () => {
  const { workspace_id } = await world.workspace();
  await prove(workspace_id, 'proven.com');
  expect((await set(workspace_id, 'proven.com', 'auto')).body.proven_at).toEqual(aTime());
  expect(await found(workspace_id)).toEqual([['proven.com', `WS#PROVEN#${workspace_id}`]]);
  expect((await set(workspace_id, 'proven.com', 'off')).body).toMatchObject({ proven_at: aTime() });
  expect(await found(workspace_id)).toEqual([]);
});

test('200 a user can set the domain of their own e-mail to suggest; auto requires a proof', async () => {
  const owner = await world.user({ email: 'ada@mine.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const record = {
    record_name: '_identity-workspace.mine.com',
    record_value: expect.stringMatching(/^identity-workspace=[\w-]{43}$/),
  };
  expectProblem(await set(workspace_id, 'mine.com', 'auto', owner), 'domain_not_proven', record);
  expect((await set(workspace_id, 'mine.com', 'suggest', owner)).status).toBe(200);
  expectProblem(await set(workspace_id, 'mine.com', 'auto', owner), 'domain_not_proven', record);
  await prove(workspace_id, 'mine.com', 'sister.com');
  expect((await set(workspace_id, 'mine.com', 'auto', owner)).status).toBe(200);
  // A verified domain need not be that of the caller's e-mail.
  expect((await set(workspace_id, 'sister.com', 'auto', owner)).status).toBe(200);
});

test('200 a user can restrict a domain that the backend has set, but not open it again', async () => {
  const { workspace_id, owner } = await world.workspace();
  await set(workspace_id, 'partner.com', 'auto');
  expect((await set(workspace_id, 'partner.com', 'auto', owner)).status).toBe(200);
  expect((await set(workspace_id, 'partner.com', 'suggest', owner)).status).toBe(200);
  expectProblem(await set(workspace_id, 'partner.com', 'auto', owner), 'domain_not_proven', {
    record_name: '_identity-workspace.partner.com',
    record_value: expect.any(String),
  });
  expect((await set(workspace_id, 'partner.com', 'off', owner)).status).toBe(200);
  expectProblem(await set(workspace_id, 'partner.com', 'suggest', owner), 'forbidden');
});

test('400 a user cannot claim a domain of public mailboxes; the backend can', async () => {
  const owner = await world.user({ email: 'ada.king@gmail.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  for (const mode of ['suggest', 'auto'])
    expectInvalid(await set(workspace_id, 'gmail.com', mode, owner), '/path/domain');
  expect((await set(workspace_id, 'gmail.com', 'suggest')).status).toBe(200);
  expect((await set(workspace_id, 'gmail.com', 'off', owner)).status).toBe(200);
});

test('400 for the 51st domain; the mode of an existing domain can still change', async () => {
  const { workspace_id } = await world.workspace();
  const allowed_domains = Array.from({ length: 50 }, (_, i) => `d${i}.com`);
  await world.as(project).workspaces.setAllowedDomains({ workspace_id, allowed_domains });
  expectInvalid(await set(workspace_id, 'more.com', 'suggest'), '/path/domain');
  expect((await set(workspace_id, 'd7.com', 'suggest')).status).toBe(200);
  expect((await read(workspace_id)).allowed_domains).toEqual(allowed_domains);
});
