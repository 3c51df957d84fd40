/** @module-tag proof */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { isGrantable, policy } from '#shared/model/policy.ts';
import type { Call } from '../../support/call.ts';
import { unknownId } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { type Person, startWorld } from '../../support/world.ts';

/**
 * Random roles over HTTP: a member has exactly the permissions of their role, from the first request after a change.
 */

const world = await startWorld();
const { as } = world;
const { roles } = roleTools(world);
let path: string;
let people: Record<'member' | 'suspended' | 'stranger', Person>;
const role = 'random';

beforeAll(async () => {
  await roles.set({ role, permissions: [] });
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  path = `/workspaces/${workspace_id}`;
  const proven_domains = { 'proven.example': '2026-11-21T08:00:00.000Z' };
  await world.table.update(keys.workspace(workspace_id), { proven_domains });
  const [member, suspended] = [
    await world.member(workspace, role),
    await world.member(workspace, role),
  ];
  await as(owner).members.suspend({ workspace_id, user_id: suspended.uid, suspended: true });
  // A user with the role in another workspace.
  const stranger = await world.member(await world.workspace(), role);
  people = { member, suspended, stranger };
});

const user = `/users/${unknownId}`;
const dryRun = { invitations: [{ email: 'new@new.example', role: 'member' }], dry_run: true };
/** For each action, a request that changes nothing if it is allowed, with its status then. */
const probes: Record<string, [route: string, body: object | undefined, status: number]> = {
  'workspace:update': ['PUT ', { name: 'Acme' }, 200],
  'workspace:read-metadata': ['GET /metadata', undefined, 200],
  'workspace:set-domains': ['PUT /allowed_domains', { allowed_domains: [] }, 200],
  'domain:list': ['GET /allowed_domains', undefined, 200],
  'domain:prove': ['POST /allowed_domains/proven.example/proof', undefined, 200],
  'event:list': ['GET /events', undefined, 200],
  'api-key:manage': ['GET /api_keys', undefined, 200],
  // A role that does not exist: if allowed, the request fails because of its name.
  'role:manage': ['DELETE /roles/ws-nobodys', undefined, 404],
  'member:list-pending': ['GET /users?status=pending', undefined, 200],
  'member:add': ['POST /users', { user_id: unknownId, role: 'member' }, 404],
  'member:change-role': [`PUT ${user}/role`, { role: 'member' }, 404],
  'member:suspend': [`PUT ${user}/suspension`, { suspended: true }, 404],
  'member:remove': [`DELETE ${user}`, undefined, 404],
  'invitation:create': ['POST /invitations', dryRun, 200],
  'invitation:list': ['GET /invitations', undefined, 200],
  'invitation:resend': [`POST /invitations/${unknownId}/resend`, undefined, 404],
  'invitation:revoke': [`DELETE /invitations/${unknownId}`, undefined, 404],
  'join-link:create': ['POST /join_links', { role: 'ghost' }, 400],
  'join-link:list': ['GET /join_links', undefined, 200],
  'join-link:revoke': [`DELETE /join_links/lnk-${unknownId}`, undefined, 404],
  'join-request:list': ['GET /join_requests', undefined, 200],
  'join-request:approve': [`POST /join_requests/${unknownId}/approve`, {}, 404],
  'join-request:refuse': [`DELETE /join_requests/${unknownId}`, undefined, 404],
};
const never: [route: string, body: object | undefined, status: number][] = [
  ['DELETE ', undefined, 403],
  ['POST /restore', undefined, 404],
  ['POST /ownership', { user_id: unknownId }, 403],
  ['POST /ownership/accept', undefined, 403],
  ['DELETE /ownership', undefined, 403],
];

const ask = async (by: Person, [route, body]: [string, object | undefined, number]) => {
  const [method = '', to = ''] = route.split(' ');
  const call: Call = { method, path: path + to, auth: by.bearer, ...(body && { body }) };
  return (await world.call(call)).status;
};

beforeEach(async () => {
  for (const { uid } of Object.values(people)) await world.table.forgetChanges(uid);
});

test('there is a request for each action that a role can have', () => {
  const grantable = (Object.keys(policy) as (keyof typeof policy)[])
    .filter((action) => isGrantable(action) && policy[action].member === 'forbid')
    .toSorted();
  expect(Object.keys(probes).toSorted()).toEqual(grantable);
});

test.each(Array.from({ length: 10 }, (_, i) => i))(
  'random role %i allows its actions and no other, for an active member only',
  async (seed) => {
    // The first has no permissions, the second all; the others each have a different part.
    const share = [0, 1][seed] ?? ((seed * 7_919) % 97) / 97;
    const held = new Set(
      Object.keys(probes).filter((_, i) => ((seed * 31 + i * 17) * 7_919) % 101 < share * 101),
    );
    expect((await roles.set({ role, permissions: [...held] })).status).toBe(200);
    const { member, suspended, stranger } = people;
    for (const [action, probe] of Object.entries(probes)) {
      const status = await ask(member, probe);
      expect([action, status]).toEqual([action, held.has(action) ? probe[2] : 403]);
    }
    for (const probe of never)
      expect([probe[0], await ask(member, probe)]).toEqual([probe[0], probe[2]]);
    const any = Object.values(probes)[seed % Object.keys(probes).length];
    if (any) for (const by of [suspended, stranger]) expect(await ask(by, any)).toBe(404);
  },
);
