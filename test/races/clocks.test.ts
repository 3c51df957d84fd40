import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type Person, startWorld } from '../support/world.ts';

const world = await startWorld();
const { project, table, call, make } = {
  ...world,
  make: async (method: string, path: string, auth: string, body?: unknown) => {
    const { status, body: answer } = await world.call(method, path, auth, body);
    expect(status).toBeLessThan(300);
    return answer;
  },
};

/** A minute from now: as by another machine's clock, or a request that began later and wrote first. */
const later = new Date(Date.now() + 60_000).toISOString();

describe('modified_at never goes back, if another machine with a clock ahead wrote before', () => {
  let owner: Person;
  let admin: Person;
  let workspace_id: string;
  beforeAll(async () => {
    owner = await world.user({ verified: true });
    const workspace = await world.workspace({ owner });
    ({ workspace_id } = workspace);
    admin = await world.member(workspace, 'admin');
  });
  const path = (rest = '') => `/workspaces/${workspace_id}${rest}`;
  const ahead = (key: { pk: string; sk: string }) => table.update(key, { modified_at: later });
  const workspaceAhead = () => ahead(keys.workspace(workspace_id));

  test.each<[string, string, string, unknown]>([
    ['its name', 'PUT', '', { name: 'Another' }],
    ['its domains', 'PUT', '/allowed_domains', { allowed_domains: ['later.example'] }],
    ['the mode of a domain', 'PUT', '/allowed_domains/later.example', { mode: 'off' }],
    ['its deletion', 'DELETE', '', undefined],
    ['its restoration', 'POST', '/restore', undefined],
  ])('a workspace: %s', async (_, method, rest, body) => {
    await workspaceAhead();
    await make(method, path(rest), project.basic, body);
    expect(await table.get(keys.workspace(workspace_id))).toMatchObject({ modified_at: later });
  });

  test('a workspace: its deletion together with its owner', async () => {
    const alone = await world.user();
    const own = await world.workspace({ owner: alone });
    await ahead(keys.workspace(own.workspace_id));
    await make('DELETE', `/users/${alone.uid}`, project.basic, {});
    expect(await table.get(keys.workspace(own.workspace_id))).toMatchObject({
      ...{ deleted_at: expect.any(String), modified_at: later },
    });
  });

  test('a workspace: the offer, the withdrawal and the acceptance of its ownership', async () => {
    await workspaceAhead();
    const offer = { user_id: admin.uid };
    await make('POST', path('/ownership'), owner.bearer, offer);
    await make('DELETE', path('/ownership'), owner.bearer);
    await make('POST', path('/ownership'), owner.bearer, offer);
    const { body } = await call('POST', path('/ownership/accept'), admin.bearer);
    expect(body).toMatchObject({ owner_id: admin.uid, modified_at: later });
  });

  test('a user: the profile by the user, and the e-mail by the backend', async () => {
    await ahead(keys.user(owner.uid));
    const user = `/users/${owner.uid}`;
    expect(await make('PUT', user, owner.bearer, { display_name: 'Ada' })).toMatchObject({
      ...{ display_name: 'Ada', modified_at: later },
    });
    expect(await make('PUT', user, project.basic, { email: 'ahead@example.com' })).toMatchObject({
      ...{ email: 'ahead@example.com', modified_at: later },
    });
  });

  test('a user: a change with an Idempotency-Key', async () => {
    const { uid } = await world.user();
    await ahead(keys.user(uid));
    const headers = { 'idempotency-key': 'a-key-of-this-very-test' };
    const body = { display_name: 'Grace' };
    const answer = await call('PUT', `/users/${uid}`, project.basic, body, { headers });
    expect(answer.body).toMatchObject({ display_name: 'Grace', modified_at: later });
  });

  test('a member: the role, and the suspension', async () => {
    const { uid } = await world.member({ workspace_id, owner });
    const member = keys.member(workspace_id, uid);
    await ahead(member);
    await make('PUT', path(`/users/${uid}/role`), project.basic, { role: 'admin' });
    expect(await table.get(member)).toMatchObject({ role: 'admin', modified_at: later });
    const suspended = await make('PUT', path(`/users/${uid}/suspension`), project.basic, {
      suspended: true,
    });
    expect(suspended).toMatchObject({ suspended: true, modified_at: later });
  });

  test('a resent invitation keeps its expiry', async () => {
    const { uid } = await world.invited({ workspace_id, owner });
    await ahead(keys.invitation(workspace_id, uid));
    const before = await table.get(keys.invitation(workspace_id, uid));
    const again = await make('POST', path(`/invitations/${uid}/resend`), project.basic);
    expect(again).toMatchObject({
      modified_at: later,
      expires_at: before?.['invitation_expires_at'],
    });
  });
});
