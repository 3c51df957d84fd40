import { describe, expect, test } from 'vitest';
import { readOnlyUserFields } from '#shared/contract/user-fields.ts';
import { readOnlyWorkspaceFields } from '#shared/contract/workspace-fields.ts';
import { newUid } from '#shared/model/ids.ts';
import type { User } from '#shared/model/user-resources.ts';
import {
  aTime,
  expectInvalid,
  expectProblem,
  unknownId,
  unknownWorkspaceId,
} from '../support/expectations.ts';
import { startWorld } from '../support/world.ts';

/** A client may read a resource, change a field, and send the whole resource. */

const world = await startWorld();
const { project } = world;
const update = (uid: string, auth: string, body: object) =>
  world.call<User>('PUT', `/users/${uid}`, auth, body);
const read = async (uid: string) =>
  (await world.call<User>('GET', `/users/${uid}`, project.basic)).body;
const updateWorkspace = (workspace_id: string, auth: string, body: object) =>
  world.call('PUT', `/workspaces/${workspace_id}`, auth, body);
const readWorkspace = async (workspace_id: string) =>
  (await world.call('GET', `/workspaces/${workspace_id}`, project.basic)).body;

describe('a whole user, sent back as read', () => {
  /** A user with every field that one can have. */
  async function fullUser() {
    const { uid, bearer } = await world.user({ email: 'full@example.com', display_name: 'Ada' });
    await update(uid, bearer, { agreed_terms: { tos: true, sign_up: true } });
    return { uid, bearer };
  }
  const readMe = async (bearer: string) =>
    (await world.call<User>('GET', '/users/me', bearer)).body;
  const find = async (uid: string) =>
    (await world.call('POST', '/users/search', project.basic, { uids: [uid] })).body.result[0];

  test('200 changes only the changed fields, for the user and the backend', async () => {
    const { uid, bearer } = await fullUser();
    const mine = await update(uid, bearer, { ...(await readMe(bearer)), display_name: 'Mine' });
    expect(mine.status).toBe(200);
    const again = await update(uid, project.basic, { ...mine.body, about_me: 'Hello' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...mine.body, about_me: 'Hello', modified_at: aTime() });
    expect(await read(uid)).toEqual(again.body);
    // As in search results, with displayed_name.
    const found = await update(uid, project.basic, { ...(await find(uid)), about_me: 'Found' });
    expect([found.status, found.body]).toEqual([
      200,
      { ...again.body, about_me: 'Found', modified_at: aTime() },
    ]);
    await world.call('DELETE', `/users/${uid}`, project.basic);
  });

  test('200 for a user without an e-mail too, and with If-Match and an Idempotency-Key', async () => {
    const made = await world.call<User>('GET', `/users/${newUid(new Date())}`, project.basic);
    const { uid } = made.body;
    const send = () =>
      world.call<User>({
        method: 'PUT',
        path: `/users/${uid}`,
        auth: project.basic,
        headers: {
          'if-match': made.headers.get('etag') ?? '',
          'idempotency-key': `whole-user-${uid}`,
        },
        body: { ...made.body, display_name: 'Nameless' },
      });
    const first = await send();
    expect([first.status, first.body]).toEqual([
      200,
      { ...made.body, display_name: 'Nameless', modified_at: aTime() },
    ]);
    const second = await send();
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('400 names every changed field that is read-only, and changes nothing', async () => {
    const { uid, bearer } = await fullUser();
    const before = await read(uid);
    const time = '2026-01-01T00:00:00.000Z';
    const changed = {
      ...before,
      display_name: 'Never',
      ...{ uid: unknownId, project_id: 'other', displayed_name: 'Other', social: 'google' },
      ...{
        sign_in_methods: { idpw: { enabled: true } },
        verified: { email: true },
        address: '0x0',
      },
      wallet: { address: '0x0', type: 'other' },
      ...{ created_at: time, modified_at: time, last_sign_in_at: time },
      agreed_terms: { tos: before.agreed_terms?.tos, sign_up: time },
    };
    const names = Object.keys(readOnlyUserFields).map((name) => `/body/${name}`);
    for (const auth of [bearer, project.basic])
      expectInvalid(await update(uid, auth, changed), ...names, '/body/agreed_terms/sign_up');
    expectInvalid(
      await update(uid, bearer, {
        ...before,
        wallet: { ...before.wallet, key: 'x' },
        role: 'admin',
      }),
      '/body/wallet/key',
      '/body/role',
    );
    expect(await read(uid)).toEqual(before);
    await world.call('DELETE', `/users/${uid}`, project.basic);
  });

  test('400 for an invalid e-mail, and 403 for a user who changes the e-mail', async () => {
    const { uid, bearer } = await fullUser();
    const before = await read(uid);
    expectInvalid(await update(uid, project.basic, { ...before, email: '' }), '/body/email');
    const other = { ...before, email: 'other@example.com' };
    expectProblem(await update(uid, bearer, other), 'forbidden');
    expect(await read(uid)).toEqual(before);
    await world.call('DELETE', `/users/${uid}`, project.basic);
  });
});

describe('a whole workspace, sent back as read', () => {
  test('200 changes only the changed field', async () => {
    const logo = 'https://example.com/logo.png';
    const { workspace_id, owner } = await world.workspace({ logo, description: 'Things' });
    const before = await readWorkspace(workspace_id);
    for (const auth of [project.basic, owner.bearer]) {
      const shown = await readWorkspace(workspace_id);
      const { status, body } = await updateWorkspace(workspace_id, auth, {
        ...shown,
        name: 'Renamed',
      });
      expect([status, body]).toEqual([200, { ...before, name: 'Renamed', modified_at: aTime() }]);
      expect(await readWorkspace(workspace_id)).toEqual(body);
    }
  });

  test('400 names every changed field that is read-only, and changes nothing', async () => {
    const { workspace_id, owner } = await world.workspace();
    const before = await readWorkspace(workspace_id);
    const time = '2026-01-01T00:00:00.000Z';
    const changed = {
      name: 'Never',
      ...{
        workspace_id: unknownWorkspaceId,
        project_id: 'other',
        invitation_url: 'https://example.org',
      },
      ...{
        logo_url: 'https://example.com/x.png',
        owner_id: unknownId,
        owner_email: 'x@example.com',
      },
      ...{ created_at: time, modified_at: time, allowed_domains: ['example.com'] },
      ...{ total_member_count: 7, ownership_offered_to: unknownId, mfa_required_at: time },
    };
    for (const auth of [project.basic, owner.bearer])
      expectInvalid(
        await updateWorkspace(workspace_id, auth, changed),
        ...Object.keys(readOnlyWorkspaceFields).map((name) => `/body/${name}`),
      );
    expect(await readWorkspace(workspace_id)).toEqual(before);
  });
});
