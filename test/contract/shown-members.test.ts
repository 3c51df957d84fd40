import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { workspaceKey } from '../support/api-keys.ts';
import type { Call } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { roleTools } from '../support/roles.ts';
import { type Person, startWorld } from '../support/world.ts';

/** Responses to writes must not show a role or a limited key more of other members than reads do. */

const world = await startWorld();
const { as, project } = world;
const permissions = [
  ...['member:read', 'member:add', 'member:change-role', 'member:suspend', 'member:remove'],
  'join-request:approve',
];
const role = await roleTools(world).define('manager', permissions);
const workspace = await world.workspace();
const { workspace_id, owner } = workspace;
const manager = await world.member(workspace, role);
const limited = await workspaceKey(world, workspace, { role: 'admin', permissions });
const whole = await workspaceKey(world, workspace, { role: 'admin' });

/** A member with metadata, who has signed in with a password and agreed to the terms. */
async function aMember(): Promise<Person> {
  const person = await world.member(workspace);
  await as(project).members.setMetadata({
    ...{ workspace_id, user_id: person.uid, app_metadata: { salary: 9 } },
  });
  await world.table.update(keys.user(person.uid), {
    sign_in_methods: { idpw: { enabled: true } },
    last_sign_in_at: '2026-01-02T03:04:05.678Z',
    agreed_tos_at: '2026-01-02T03:04:05.678Z',
  });
  return person;
}

const requests: Record<string, (of: string, uid: string) => Call> = {
  'members.get': (of) => ({ method: 'GET', path: of }),
  'members.add': (_, user_id) => ({
    ...{ method: 'POST', path: `/workspaces/${workspace_id}/users` },
    body: { user_id, role: 'member' },
  }),
  'joinRequests.approve': (_, uid) => ({
    ...{ method: 'POST', path: `/workspaces/${workspace_id}/join_requests/${uid}/approve` },
    body: {},
  }),
  'members.changeRole': (of) => ({
    ...{ method: 'PUT', path: `${of}/role`, body: { role: 'member' } },
  }),
  'members.suspend, unchanged': (of) => ({
    ...{ method: 'PUT', path: `${of}/suspension`, body: { suspended: false } },
  }),
  'members.suspend': (of) => ({
    ...{ method: 'PUT', path: `${of}/suspension`, body: { suspended: true } },
  }),
  'members.remove': (of) => ({ method: 'DELETE', path: of }),
};
const conditional = /changeRole|suspend|remove/;
const hidden = /app_metadata|salary|last_sign_in_at|agreed_terms|idpw/;
/** Callers who see only the fields of others that a plain member sees. */
const narrow = { 'a role of the project': manager.bearer, 'a limited key': limited.bearer };
const wide = { 'a backend': project.basic, 'the owner': owner.bearer, 'a key': whole.bearer };

test.each(Object.keys(requests))(
  '%s: returns to a role or a limited key only the fields that a read returns',
  async (name) => {
    for (const [who, auth] of Object.entries({ ...narrow, ...wide })) {
      const { uid } = await aMember();
      const path = `/workspaces/${workspace_id}/users/${uid}`;
      const read = await world.call({ method: 'GET', path, auth });
      const request = { ...(requests[name] as (typeof requests)[string])(path, uid), auth };
      const versioned = (etag: string) => ({ ...request, headers: { 'if-match': etag } });
      if (conditional.test(name))
        expectProblem(await world.call(versioned('"other"')), 'precondition_failed');
      const answer = await world.call(
        conditional.test(name) ? versioned(read.headers.get('etag') ?? '') : request,
      );
      expect([who, answer.status]).toEqual([who, 200]);
      const isHidden = Object.hasOwn(narrow, who);
      expect([who, hidden.test(JSON.stringify(answer.body))]).toEqual([who, !isHidden]);
    }
  },
);

test('a role sees all fields of its own member', async () => {
  await as(project).members.setMetadata({
    ...{ workspace_id, user_id: manager.uid, app_metadata: { desk: 1 } },
  });
  const own = { workspace_id, user_id: manager.uid };
  const { body, headers } = await as(manager).members.get(own);
  expect(body.app_metadata).toEqual({ desk: 1 });
  const etag = { headers: { 'if-match': headers.get('etag') ?? '' } };
  const kept = await as(manager).members.suspend({ ...own, suspended: false }, etag);
  expect([kept.status, kept.body]).toEqual([200, body]);
  const left = await as(manager).members.remove(own, etag);
  expect([left.status, left.body]).toEqual([200, body]);
});
