import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type Rate, rates } from '#shared/model/rates.ts';
import { type MadeKey, workspaceKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { withJoinRequest } from '../support/join-requests.ts';
import {
  type ChangeByKey,
  changeNames,
  changeScene,
  changesByKeys,
} from '../support/key-changes.ts';
import { roleTools } from '../support/roles.ts';
import { startWorld } from '../support/world.ts';

/** Changes that API keys of a workspace may make there, and those that they may not. */

const world = await startWorld();
const { as, table } = world;
/** The last event, ignoring first uses of a key, whose events arrive at any time. */
const lastEvent = async (workspace_id: string) => {
  await world.drainStream();
  const { body } = await as(world.project).events.listOfWorkspace({ workspace_id, limit: 100 });
  const entries: { event: { type: string; actor: object } }[] = body.result;
  const lasting = entries.filter(({ event }) => !event.type.endsWith('.first_used'));
  return lasting.at(-1)?.event;
};
/** The operations that assign a role. */
const giving = new Set<ChangeByKey>([
  ...(['adds a member', 'changes a role', 'invites', 'invites several', 'approves'] as const),
]);
/** The workspace and its contents. */
const standing = (workspace_id: string) => table.query(`WS#${workspace_id}`);

describe.each(changeNames)('a key of a workspace that %s', (change) => {
  test('succeeds as an admin, also with the role admin, and is the actor of the event', async () => {
    const { workspace, requests } = await changeScene(world);
    const { workspace_id } = workspace;
    const key = await workspaceKey(world, workspace, { role: 'admin' });
    const { status, body } = await requests(key.bearer, 'admin')[change]();
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect((await lastEvent(workspace_id))?.actor).toEqual({
      ...{ kind: 'api_key', id: key.key_id, workspace_id },
    });
  });

  test('is refused as a member, without the permission or in another workspace; with it, it assigns only the role member', async () => {
    const { workspace, requests } = await changeScene(world);
    const { workspace_id } = workspace;
    const elsewhere = await world.workspace({ owner: workspace.owner });
    const permissions = [changesByKeys[change]];
    const made = (given: object, place = workspace) => workspaceKey(world, place, given);
    const able = await made({ role: 'admin', permissions });
    const others: [MadeKey, 'forbidden' | 'not_found'][] = [
      [await made({}), 'forbidden'],
      [await made({ role: 'member', permissions }), 'forbidden'],
      [await made({ role: 'admin', permissions: ['workspace:read'] }), 'forbidden'],
      [await made({ role: 'admin' }, elsewhere), 'not_found'],
    ];
    const before = await standing(workspace_id);
    for (const [{ bearer }, refusal] of others)
      expectProblem(await requests(bearer)[change](), refusal);
    if (giving.has(change))
      expectProblem(await requests(able.bearer, 'admin')[change](), 'forbidden');
    expect(await standing(workspace_id)).toEqual(before);
    const answer = await requests(able.bearer)[change]();
    // A user with a role other than member may do more than the creator of the key.
    if (change === 'changes a role') expectProblem(answer, 'forbidden');
    else expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  });
});

test('a limited key changes and sees only what a plain member with its permissions could', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const permissions = ['member:remove', 'member:suspend', 'member:change-role', 'member:read'];
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin', permissions });
  const { members } = as(bearer);
  const theAdmin = { workspace_id, user_id: admin.uid };
  const before = await standing(workspace_id);
  expectProblem(await members.changeRole({ ...theAdmin, role: 'member' }), 'forbidden');
  expectProblem(await members.suspend({ ...theAdmin, suspended: true }), 'forbidden');
  expectProblem(await members.remove(theAdmin), 'forbidden');
  expect(await standing(workspace_id)).toEqual(before);
  const theMember = { workspace_id, user_id: member.uid };
  const app_metadata = { plan: 'gold' };
  await as(world.project).members.setMetadata({ ...theMember, app_metadata });
  expect((await members.get(theMember)).body).not.toHaveProperty('app_metadata');
  expect((await members.remove(theMember)).status).toBe(200);
});

test('a limited key adds nobody in place of an invitation that it cannot revoke', async () => {
  const { workspace, workspace_id, asker } = await withJoinRequest(world);
  await world.invited(workspace, 'admin', asker);
  const permissions = ['member:add', 'join-request:approve', 'invitation:revoke'];
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin', permissions });
  const { members, joinRequests, invitations } = as(bearer);
  const theAsker = { workspace_id, user_id: asker.uid };
  const before = await standing(workspace_id);
  expectProblem(await invitations.end(theAsker), 'forbidden');
  expectProblem(await members.add({ ...theAsker, role: 'member' }), 'forbidden');
  expectProblem(await joinRequests.approve(theAsker), 'forbidden');
  expect(await standing(workspace_id)).toEqual(before);
});

test('a key can neither change, suspend or remove the owner, nor leave', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  const { members } = as(bearer);
  const theOwner = { workspace_id, user_id: owner.uid };
  const before = await standing(workspace_id);
  expectProblem(await members.changeRole({ ...theOwner, role: 'member' }), 'owner_role_fixed');
  expectProblem(await members.suspend({ ...theOwner, suspended: true }), 'owner_must_stay');
  expectProblem(await members.remove(theOwner), 'owner_must_stay');
  expect(await standing(workspace_id)).toEqual(before);
  const { uid: user_id } = await world.member(workspace);
  const byMember = await workspaceKey(world, workspace);
  expectProblem(await as(byMember.bearer).members.remove({ workspace_id, user_id }), 'forbidden');
  expect((await members.remove({ workspace_id, user_id })).status).toBe(200);
  expect((await lastEvent(workspace_id))?.type).toBe('workspace.member.removed');
});

test('a key cannot set an external id or assign a role with more permissions', async () => {
  const { define } = roleTools(world);
  const role = await define('key-vault', ['vault:of-keys']);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  const { workspaces, members } = as(bearer);
  expectProblem(await workspaces.update({ workspace_id, external_id: 'mine' }), 'forbidden');
  const { uid: user_id } = await world.member(workspace);
  const refused = await members.changeRole({ workspace_id, user_id, role });
  expectProblem(refused, 'forbidden', { missing: ['vault:of-keys'] });
});

test('a key invites a user whom only the owner knows, instead of adding them', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.user();
  await world.member(await world.workspace({ owner }), 'member', ada);
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  const add = { workspace_id, user_id: ada.uid, role: 'member' };
  const { status, body } = await as(bearer).members.add(add);
  expect([status, body.status, body.inviter_id]).toEqual([201, 'pending', owner.uid]);
  expect((await as(bearer).members.add(add)).status).toBe(200);
});

test('all keys of a workspace share a rate limit, separate from that of the owner', async () => {
  const { workspace, requests } = await changeScene(world);
  const { workspace_id, owner } = workspace;
  const fill = async (rate: Rate) => {
    const { seconds, max } = rates[rate];
    const window = Math.floor(Date.now() / 1_000 / seconds);
    for (const each of [window, window + 1])
      await table.put({ ...keys.rate(rate, workspace_id, each), count: max });
  };
  await fill('additionsByOne');
  await fill('invitationsByOne');
  for (const limited of ['adds a member', 'invites'] as const) {
    for (let i = 0; i < 2; i += 1) {
      const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
      expectProblem(await requests(bearer)[limited](), 'too_many_requests');
    }
    expect((await requests(owner.bearer)[limited]()).status).toBe(201);
  }
});

test('an unchanged name, an unchanged role and a second suspension write nothing', async () => {
  const { workspace, member } = await changeScene(world);
  const { workspace_id } = workspace;
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  const theMember = { workspace_id, user_id: member.uid };
  const { workspaces, members } = as(bearer);
  await members.suspend({ ...theMember, suspended: true });
  const before = await standing(workspace_id);
  expect((await workspaces.update({ workspace_id })).status).toBe(200);
  expect((await members.changeRole({ ...theMember, role: 'member' })).status).toBe(200);
  expect((await members.suspend({ ...theMember, suspended: true })).status).toBe(200);
  expect(await standing(workspace_id)).toEqual(before);
});

test('a rename clears empty fields, obeys If-Match, and is applied once', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const key = await workspaceKey(world, workspace, { role: 'admin' });
  const another = await workspaceKey(world, workspace, { role: 'admin' });
  const { workspaces } = as(key.bearer);
  const set = await workspaces.update({
    ...{ workspace_id, description: 'Why', logo: 'https://example.com/l.png' },
  });
  expect(set.body).toMatchObject({ description: 'Why', logo_url: 'https://example.com/l.png' });
  const cleared = await workspaces.update({ workspace_id, name: 'New', description: '', logo: '' });
  expect(cleared.body).toMatchObject({ workspace_id, name: 'New', total_member_count: 1 });
  expect(cleared.body).not.toHaveProperty('description');
  expect(cleared.body).not.toHaveProperty('logo_url');
  expect((await workspaces.get({ workspace_id })).body).toEqual(cleared.body);
  const etag = cleared.headers.get('etag') ?? '';
  const rename = (bearer: string, headers: Record<string, string>) =>
    as(bearer).workspaces.update({ workspace_id, name: 'Newer' }, { headers });
  expectProblem(await rename(key.bearer, { 'if-match': '"old"' }), 'precondition_failed');
  expect((await rename(key.bearer, { 'if-match': etag })).status).toBe(200);
  const once = { 'idempotency-key': 'one-key-of-both-keys' };
  for (const { bearer } of [key, another]) {
    expect((await rename(bearer, once)).headers.get('idempotency-replayed')).toBeNull();
    expect((await rename(bearer, once)).headers.get('idempotency-replayed')).toBe('true');
  }
});
