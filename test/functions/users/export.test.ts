import { afterAll, expect, test } from 'vitest';
import { keys } from '#shared/table/shape.ts';
import {
  aMember,
  aTime,
  aWorkspace,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
} from '../../support/expectations.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, call, table } = world;
const openid = await startOpenidProvider();
afterAll(() => openid.close());
const exportOf = (uid: string, auth: string | undefined = project.basic) =>
  call('GET', `/users/${uid}/export`, auth);

test('200 everything that is held on a person, and no secret', async () => {
  const { issuer, jwks_uri, client_id } = openid;
  const home = await signInProject(world, {
    identity_providers: { google: { issuer, jwks_uri, client_ids: [client_id] } },
  });
  const back = home.project.basic;
  const ada = await home.signUp('ada@example.com', goodPassword, { display_name: 'Ada' });
  const id_token = openid.signed({ sub: 'ada-1815', email: ada.email });
  const linking = { provider: 'google', id_token, current_password: goodPassword };
  await call('POST', '/users/me/identities', ada.bearer, linking);
  const owner = await world.user({ project: home.project });
  const own = await world.workspace({ owner: ada, name: 'Own' });
  const joined = await world.workspace({ owner, name: 'Joined' });
  const { member } = await world.member(joined, 'admin', ada);
  const inviting = await world.workspace({ owner, name: 'Inviting' });
  await world.invited(inviting, 'member', ada);
  const gone = await world.workspace({ owner, name: 'Gone' });
  await world.member(gone, 'member', ada);
  const asked = await world.workspace({ owner, name: 'Asked' });
  const domain = `/workspaces/${asked.workspace_id}/allowed_domains/example.com`;
  await call('PUT', domain, back, { mode: 'suggest' });
  const request = `/workspaces/${asked.workspace_id}/join_requests`;
  expect((await call('POST', request, ada.bearer, { message: 'Let me in' })).status).toBe(201);
  await call('DELETE', `/workspaces/${gone.workspace_id}`, back);
  await world.drainStream();

  const { status, body } = await exportOf(ada.uid, ada.bearer);
  expect(status).toBe(200);
  const user = (await call('GET', `/users/${ada.uid}`, back)).body;
  const { member_id: _, ...mine } = aMember(own.workspace_id, user, user, { role: 'admin' });
  expect(body).toEqual({
    exported_at: aTime(),
    user,
    password: { changed_at: aTime() },
    identities: [{ provider: 'google', issuer, subject: 'ada-1815' }],
    sessions: (await call('GET', '/sessions', ada.bearer)).body.result,
    memberships: [
      { ...mine, member_id: expect.any(String), workspace_name: 'Own' },
      { ...member, workspace_name: 'Joined' },
      {
        ...aMember(gone.workspace_id, user, owner.user),
        workspace_name: 'Gone',
        workspace_deleted: true,
      },
    ],
    invitations: [
      {
        ...aMember(inviting.workspace_id, user, owner.user, { status: 'pending' }),
        state: 'pending',
        expires_at: aTime(),
        workspace_name: 'Inviting',
      },
    ],
    join_requests: [
      {
        workspace_id: asked.workspace_id,
        created_at: aTime(),
        message: 'Let me in',
        workspace_name: 'Asked',
      },
    ],
    owned_workspaces: [aWorkspace(user, { workspace_id: own.workspace_id, name: 'Own' })],
    events: expect.any(Array),
  });
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
    'user.created',
    'user.password_changed',
    'session.started',
    'user.identity_linked',
  ]);
  const password = await table.get(keys.password(ada.uid));
  const text = JSON.stringify(body);
  for (const secret of [password?.['hash'], ada.access_token, ada.refresh_token, id_token])
    expect(text).not.toContain(secret);
  const byBackEnd = await exportOf(ada.uid, back);
  expect({ ...byBackEnd.body, exported_at: '', sessions: [] }).toEqual({
    ...body,
    exported_at: '',
    sessions: [],
  });
});

test('200 of somebody who has nothing', async () => {
  const { uid, user } = await world.user();
  await call('DELETE', `/sessions?user_id=${uid}`, project.basic);
  const { body } = await exportOf(uid);
  expect(body).toEqual({
    exported_at: aTime(),
    user: { ...user, last_sign_in_at: aTime() },
    identities: [],
    sessions: [],
    memberships: [],
    invitations: [],
    join_requests: [],
    owned_workspaces: [],
    events: [],
  });
});

test('200 of somebody with more events than an answer holds: the newest, and that there are older ones', async () => {
  const { uid } = await world.user();
  await world.drainStream();
  const [first] = await table.query(`LOG#USER#${uid}`, 'EVENT#');
  const event = JSON.parse(String(first?.['event'])) as { data: object };
  for (let number = 2; number <= 60; number += 1)
    await table.put({
      ...first,
      ...keys.logEntry(keys.user(uid).pk, number),
      event: JSON.stringify({
        ...event,
        id: `evt-${number}`,
        data: { ...event.data, about_me: '"'.repeat(25_000) },
      }),
    });
  const { status, body } = await exportOf(uid);
  expect(status).toBe(200);
  // As Lambda carries it, escaped once more: under its 6 MB, of which 4 are for events.
  expect(JSON.stringify(JSON.stringify(body)).length).toBeLessThan(4_100_000);
  expect(body.events_truncated).toBe(true);
  const ids = body.events.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(Array.from({ length: 39 }, (_, i) => `evt-${i + 22}`));
});

test('404 for a neighbour, for nobody, for another project: one and the same answer', async () => {
  const { uid } = await world.user();
  const neighbour = await world.user();
  const foreign = await world.newProject();
  for (const auth of [neighbour.bearer, foreign.basic]) {
    const answer = await exportOf(uid, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await exportOf(nobody, auth));
  }
  expectProblem(await exportOf(nobody), 'not_found');
});

test('400 for what is no uid, 401 without a credential', async () => {
  expectInvalid(await exportOf('x'), '/path/uid');
  expectProblem(await call('GET', `/users/${nobody}/export`), 'unauthenticated');
});
