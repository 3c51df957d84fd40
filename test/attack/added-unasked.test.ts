import { expect, test } from 'vitest';
import { archivedPrefix, byMember } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { expectProblem } from '../support/expectations.ts';
import { type Person, startWorld } from '../support/world.ts';

/**
 * Somebody who shares a workspace with a user adds them to workspaces of their own, and suspends them there: the user
 * does not see these, cannot leave them, and has as many less of those that a user may have.
 */

const world = await startWorld();
const { as, table } = world;
const { workspacesUnasked } = limits;

/** Two users who share a workspace. */
async function acquaintances(): Promise<{ ada: Person; mallory: Person }> {
  const [ada, mallory] = [await world.user({ verified: true }), await world.user()];
  await world.member(await world.workspace({ owner: mallory }), 'member', ada);
  return { ada, mallory };
}
const ownWorkspace = (owner: Person) => world.workspace({ owner });
async function add(by: Person, { uid }: Person, more: object = {}): Promise<string> {
  const { workspace_id } = await ownWorkspace(by);
  const asked = { workspace_id, user_id: uid, role: 'member', ...more };
  return (await as(by).members.add(asked)).body.status;
}
/** Sets how many workspaces a user has. */
const has = ({ uid }: Person, workspace_count: number) =>
  table.update(keys.user(uid), { workspace_count });
const countOf = async ({ uid }: Person) => (await table.get(keys.user(uid)))?.['workspace_count'];

test('a user neither sees nor leaves a workspace where they are suspended', async () => {
  const { ada, mallory } = await acquaintances();
  const { workspace_id } = await ownWorkspace(mallory);
  const asked = { workspace_id, user_id: ada.uid, role: 'member', suspended: true };
  expect((await as(mallory).members.add(asked)).status).toBe(201);
  expect(await countOf(ada)).toBe(2);
  expect((await as(ada).workspaces.listJoined()).body).toHaveLength(1);
  const leaving = as(ada).members.remove({ workspace_id, user_id: ada.uid });
  expectProblem(await leaving, 'not_found');
});

test('one of eight at once is added last; then users are invited, and still join and create workspaces', async () => {
  const { ada, mallory } = await acquaintances();
  await has(ada, workspacesUnasked - 1);
  const statuses = await Promise.all(Array.from({ length: 8 }, () => add(mallory, ada)));
  expect(statuses.toSorted()).toEqual(['accepted', ...Array(7).fill('pending')]);
  expect(await countOf(ada)).toBe(workspacesUnasked);
  const refused = { workspace_id: (await ownWorkspace(mallory)).workspace_id, user_id: ada.uid };
  expectProblem(
    await as(mallory).members.add({ ...refused, role: 'member', suspended: true }),
    'forbidden',
  );
  const [{ workspace_id } = { workspace_id: '' }] = (await as(ada).workspaces.listInvited()).body
    .invited_workspaces;
  expect((await as(ada).members.join({ workspace_id, user_id: ada.uid })).status).toBe(201);
  await ownWorkspace(ada);
  expect(await countOf(ada)).toBe(workspacesUnasked + 2);
});

test('workspaces that are deleted count too: their owners may restore them all at once', async () => {
  const { ada, mallory } = await acquaintances();
  const archived = Array.from({ length: workspacesUnasked - 2 }, (_, i) => {
    const wid = `wid-0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    const { by_member_sk, ...index } = byMember('accepted', ada.uid, wid);
    const by = { ...index, by_member_sk: `${archivedPrefix}${by_member_sk}` };
    return { pk: `OTHERS#${ada.uid}`, sk: `${i}`, role: 'member', ...by };
  });
  await table.putAll(archived);
  expect(await add(mallory, ada)).toBe('accepted');
  expect(await add(mallory, ada)).toBe('pending');
  for (const { pk, sk } of archived) await table.delete({ pk, sk });
  expect(await add(mallory, ada)).toBe('accepted');
});

test('who has asked to join is added, and whom the backend adds', async () => {
  const { ada, mallory } = await acquaintances();
  await has(ada, workspacesUnasked);
  const { workspace_id } = await ownWorkspace(mallory);
  const domain = ada.email.split('@')[1] ?? '';
  await as(world.project).domains.set({ workspace_id, domain, mode: 'suggest' });
  expect((await as(ada).joinRequests.create({ workspace_id })).status).toBe(201);
  const asked = { workspace_id, user_id: ada.uid, role: 'member' };
  expect((await as(mallory).members.add(asked)).body.status).toBe('accepted');
  const other = await ownWorkspace(mallory);
  const byBackend = { ...asked, workspace_id: other.workspace_id };
  expect((await as(world.project).members.add(byBackend)).body.status).toBe('accepted');
});
