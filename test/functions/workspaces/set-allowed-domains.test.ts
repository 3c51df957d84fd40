import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import {
  aTime,
  expectInvalid,
  expectProblem,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const set = (workspace_id: string, allowed_domains: unknown, auth = project.basic) =>
  as(auth).workspaces.setAllowedDomains({ workspace_id, allowed_domains });
const read = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body;
/** The domains by which the workspace can be found. */
const found = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`, 'DOMAIN#')).map(({ sk }) => String(sk).slice(7));

test('200 sets the domains in lower case and refreshes modified_at', async () => {
  const { workspace_id } = await world.workspace();
  const before = await read(workspace_id);
  const { status, body } = await set(workspace_id, ['Example.COM', 'mail.example.org']);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...before,
    allowed_domains: ['example.com', 'mail.example.org'],
    modified_at: aTime(),
  });
  expect(body.modified_at > before.modified_at).toBe(true);
  expect(await read(workspace_id)).toEqual(body);
  expect(await found(workspace_id)).toEqual(['example.com', 'mail.example.org']);
});

test('200 replaces or clears all; a repeated request changes nothing, without an event', async () => {
  const { workspace_id } = await world.workspace();
  const eventCount = async () =>
    Number((await world.table.get(keys.workspace(workspace_id)))?.['event_count'] ?? 0);
  const before = await eventCount();
  for (const [events, ...domains] of [
    [1, 'a.com', 'b.com'],
    [2, 'b.com', 'c.com'],
    [2, 'b.com', 'c.com'],
    [3],
    [3],
  ] as const) {
    const { status, body } = await set(workspace_id, domains);
    expect([status, body.allowed_domains]).toEqual([200, domains]);
    expect(await found(workspace_id)).toEqual(domains);
    expect(await eventCount()).toBe(before + events);
  }
});

test('200 replaces the most domains allowed by as many others', async () => {
  const { workspace_id } = await world.workspace();
  const fifty = (tld: string) => Array.from({ length: 50 }, (_, i) => `domain${i}.${tld}`);
  await set(workspace_id, fifty('com'));
  const { status, body } = await set(workspace_id, fifty('org'));
  expect(status).toBe(200);
  expect(body.allowed_domains).toEqual(fifty('org'));
  expect(await read(workspace_id)).toEqual(body);
  const left = (await found(workspace_id)).filter((domain) => !domain.endsWith('.org'));
  expect(left.length).toBeLessThanOrEqual(2);
});

test('200 a user can add the domain of their own verified e-mail, and keep or remove the others', async () => {
  const owner = await world.user({ email: 'ada@Example.com', verified: true });
  const workspace = await world.workspace({ owner });
  const { workspace_id } = workspace;
  await set(workspace_id, ['partner.com', 'former.com']);
  const { status, body } = await set(workspace_id, ['partner.com', 'example.com'], owner.bearer);
  expect(status).toBe(200);
  expect(body.allowed_domains).toEqual(['partner.com', 'example.com']);
  const verified = await world.user({ email: 'bob@admins.com', verified: true });
  const admin = await world.member(workspace, 'admin', verified);
  expect((await set(workspace_id, ['admins.com'], admin.bearer)).status).toBe(200);
});

test('200 a domain gets the mode auto from the backend and suggest from a user, and otherwise keeps its mode', async () => {
  const owner = await world.user({ email: 'ada@modes.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const key = keys.workspace(workspace_id);
  const modes = async () => (await world.table.get(key))?.['domain_modes'];
  await set(workspace_id, ['partner.com']);
  await set(workspace_id, ['modes.com', 'partner.com'], owner.bearer);
  expect(await modes()).toEqual({ 'modes.com': 'suggest', 'partner.com': 'auto' });
  await set(workspace_id, ['modes.com', 'new.com']);
  expect(await modes()).toEqual({ 'modes.com': 'suggest', 'new.com': 'auto' });
  await world.table.update(key, { proven_domains: { 'proven.com': '2026-11-21T08:00:00.000Z' } });
  await set(workspace_id, ['proven.com', 'new.com'], owner.bearer);
  expect(await modes()).toEqual({ 'proven.com': 'auto', 'new.com': 'auto' });
});

test('400 a user cannot add domains of public mailboxes, but can keep them', async () => {
  const owner = await world.user({ email: 'ada.setter@gmail.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const answer = await set(workspace_id, ['gmail.com', 'outlook.com'], owner.bearer);
  expectInvalid(answer, '/body/allowed_domains/0', '/body/allowed_domains/1');
  expect((await set(workspace_id, ['gmail.com'])).status).toBe(200);
  expect((await set(workspace_id, ['gmail.com'], owner.bearer)).status).toBe(200);
});

test('403 for any domain but exactly that of a verified e-mail of the user', async () => {
  const owner = await world.user({ email: 'ada@mail.mine.com', verified: true });
  const { workspace_id } = await world.workspace({ owner });
  for (const domain of ['bigcorp.com', 'mine.com', 'x.mail.mine.com'])
    expectProblem(await set(workspace_id, ['mail.mine.com', domain], owner.bearer), 'forbidden');
  const unverified = await world.user({ email: 'eve@bigcorp.com' });
  const { workspace_id: hers } = await world.workspace({ owner: unverified });
  expectProblem(await set(hers, ['bigcorp.com'], unverified.bearer), 'forbidden');
  expect((await read(workspace_id)).allowed_domains).toEqual([]);
  expect(await found(hers)).toEqual([]);
});

test('400 for an unregistrable domain', async () => {
  for (const domain of ['github.io', '']) {
    const answer = await set(unknownWorkspaceId, ['example.com', domain]);
    expectInvalid(answer, '/body/allowed_domains/1');
  }
});

test('400 for a repeated domain, for 51 domains and for no list', async () => {
  const many = Array.from({ length: 51 }, (_, i) => `domain${i}.com`);
  for (const domains of [['a.com', 'A.com'], many, undefined, 'a.com'])
    expectInvalid(await set(unknownWorkspaceId, domains), '/body/allowed_domains');
});
