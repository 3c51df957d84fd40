import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { limits } from '#shared/model/limits.ts';
import { aTime, aUser, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { anEvent, backend, self, theService } from '../../support/recorded-events.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, table, as } = world;
const openid = await startOpenidProvider();
const countsOf = async (workspace_id: string) => {
  const { total_member_count, pending_member_count } =
    (await table.get(keys.workspace(workspace_id))) ?? {};
  return [total_member_count, pending_member_count];
};

/**
 * All items that still name a user or their e-mail, except mails, which expire after 7 days, and the actors of events.
 */
async function traces({ uid, email }: { uid: string; email: string }) {
  const items = await table.all();
  return items
    .filter(({ pk }) => !/^(?:MAIL|LOG|FEED|RATE|TOKEN|CODE)#/.test(String(pk)))
    .filter((item) => {
      const { events: _, ...rest } = item;
      const text = JSON.stringify(rest);
      return text.includes(uid) || (email !== '' && text.includes(email));
    })
    .map(({ pk, sk }) => `${String(pk)} ${String(sk)}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
}

describe('200 for a user with every kind of data', () => {
  let home: SignIn;
  let ada: Person;
  let back: string;
  let alone: string;
  let joined: string;
  beforeAll(async () => {
    const { issuer, jwks_uri, client_id } = openid;
    home = await signInProject(world, {
      identity_providers: { google: { issuer, jwks_uri, client_ids: [client_id] } },
    });
    back = home.project.basic;
    ada = await home.signUp('ada.gone@example.com');
    const id_token = openid.signed({ sub: 'ada', email: ada.email });
    await as(ada).identities.link({
      ...{ provider: 'google', id_token, current_password: goodPassword },
    });
    await home.signIn(ada.email);
    await as(back).users.setMetadata({ uid: ada.uid, private_metadata: { score: 3 } });
    const owner = await world.user({ project: home.project });
    const workspace = await world.workspace({ owner });
    joined = workspace.workspace_id;
    await world.member(workspace, 'admin', ada);
    const invitation = await world.workspace({ owner });
    await world.invited(invitation, 'member', ada);
    const deleted = await world.workspace({ owner });
    await world.member(deleted, 'member', ada);
    alone = (await world.workspace({ owner: ada })).workspace_id;
    await world.drainStream();
    await as(back).workspaces.delete({ workspace_id: deleted.workspace_id });
  });

  test('returns a receipt with the uid and the time of deletion, and nothing else about the user', async () => {
    const { status, body } = await as(back).users.delete({ uid: ada.uid });
    expect(status).toBe(200);
    expect(body).toEqual({ uid: ada.uid, project_id: home.project_id, deleted_at: aTime() });
    expect(await table.get(keys.user(ada.uid))).toEqual({
      ...keys.user(ada.uid),
      ...body,
      version: expect.any(Number),
      last_session_id: 'deleted',
      workspace_count: 3,
      owned_workspace_count: 0,
      patient_until: expect.any(Number),
      event_count: expect.any(Number),
      events: [anEvent(await backend(world, home.project), 'user.deleted')],
    });
    expect(await as(back).users.getDeletion({ uid: ada.uid })).toMatchObject({ status: 200, body });
    expect(await as(back).users.delete({ uid: ada.uid })).toMatchObject({ status: 200, body });
  });

  test('ends every sign-in method and session immediately, and no request recreates the user', async () => {
    const { email, uid } = ada;
    expectProblem(await as(ada).users.getMe(), 'unauthenticated');
    const refresh = { accessToken: ada.access_token };
    const token = `Bearer ${ada.refresh_token}`;
    expectProblem(await as(token).sessions.refresh(refresh), 'unauthenticated');
    const byPassword = await home.post('/sessions/password', { email, password: goodPassword });
    expectProblem(byPassword, 'invalid_credentials');
    expectProblem(await as(back).users.get({ uid }), 'not_found');
    expectProblem(await as(back).users.update({ uid, display_name: 'A' }), 'not_found');
    expectProblem(await as(back).users.update({ uid, disabled: false }), 'not_found');
    expectProblem(await as(back).sessions.create({ uid }), 'not_found');
    expectProblem(await as(back).users.export({ uid }), 'not_found');
    const search = await as(back).users.search({ uids: [uid] });
    expect(search.body).toEqual({ total: 0, count: 0, result: [] });
    const own = { name: 'Own', owner_id: uid };
    expectProblem(await as(back).workspaces.create(own), 'not_found');
    const join = { workspace_id: alone, user_id: uid };
    expectProblem(await as(back).members.join(join), 'not_found');
    const add = { user_id: uid, role: 'member' };
    expectProblem(await as(back).members.add({ workspace_id: joined, ...add }), 'not_found');
    expect((await table.get(keys.user(uid)))?.['email']).toBeUndefined();
  });

  test('frees the e-mail and the account at the provider for a new user immediately', async () => {
    const id_token = openid.signed({ sub: 'ada', email: ada.email });
    const { status, body } = await home.post<Started>('/sessions/identity', {
      provider: 'google',
      id_token,
    });
    expect([status, body.user_created]).toEqual([201, true]);
    expect(body.uid).not.toBe(ada.uid);
    expect((await as(back).users.create({ email: ada.email })).body.uid).toBe(body.uid);
    expect((await as(back).users.delete({ uid: body.uid })).status).toBe(200);
    const made = await as(back).users.create({ email: ada.email });
    expect([made.status, made.body.display_name]).toEqual([201, '']);
    expect((await as(back).users.delete({ uid: made.body.uid })).status).toBe(200);
  });

  test('then leaves nothing in the workspaces of other users, whose member counts are exact', async () => {
    await world.drainStream();
    // A workspace that only they owned names their id until it is purged a day later.
    expect(await traces(ada)).toEqual([`USER#${ada.uid} USER`, `WS#${alone} WS`]);
    const { deleted_at, expires_at } = (await table.get(keys.workspace(alone))) ?? {};
    const deleted = Math.floor(Date.parse(String(deleted_at)) / 1_000);
    expect(expires_at).toBe(deleted + 86_400);
    expect(await countsOf(joined)).toEqual([1, 0]);
    expectProblem(await as(back).workspaces.get({ workspace_id: alone }), 'not_found');
    const { events } = (await table.get(keys.workspace(joined))) ?? {};
    expect(events).toEqual([
      anEvent(theService, 'workspace.member.removed', {
        user_id: ada.uid,
        member_id: expect.any(String),
        role: 'admin',
      }),
    ]);
  });

  test('then completes the receipt, which stays unchanged', async () => {
    const { body } = await as(back).users.getDeletion({ uid: ada.uid });
    expect(body).toEqual({
      uid: ada.uid,
      project_id: home.project_id,
      deleted_at: aTime(),
      completed_at: aTime(),
    });
    expect((await as(back).users.delete({ uid: ada.uid })).body).toEqual(body);
    expect(await table.get(keys.user(ada.uid))).toMatchObject({ workspace_count: 0 });
  });

  test('removes the data of their events from the feed', async () => {
    expect(await table.query(`LOG#USER#${ada.uid}`, 'EVENT#')).toEqual([]);
    const feed = await table.query(`FEED#${home.project_id}`);
    expect(feed.filter((item) => JSON.stringify(item).includes(ada.email))).toEqual([]);
    expect(feed.filter((item) => JSON.stringify(item).includes('user.deleted'))).toHaveLength(3);
  });
});

test('200 users can delete themselves, which ends the session', async () => {
  const { uid, bearer } = await world.user();
  const { status, body } = await world.call('DELETE', `/users/${uid}`, bearer);
  expect([status, body]).toEqual([
    200,
    { uid, project_id: project.project_id, deleted_at: aTime() },
  ]);
  expectProblem(await as(bearer).users.delete({ uid }), 'unauthenticated');
  expect((await as(project).users.delete({ uid })).body).toEqual(body);
  const { events } = (await table.get(keys.user(uid))) ?? {};
  expect(events).toEqual([anEvent(self({ uid }), 'user.deleted')]);
});

test('a user with a password must send it', async () => {
  const ours = await signInProject(world);
  const { uid, bearer, email } = await ours.signUp('kept@example.com');
  const before = await table.query(`USER#${uid}`);
  for (const body of [undefined, {}])
    expectInvalid(
      await world.call('DELETE', `/users/${uid}`, bearer, body),
      '/body/current_password',
    );
  const wrong = await as(bearer).users.delete({ uid, current_password: `not ${goodPassword}` });
  expectProblem(wrong, 'invalid_credentials');
  expect(await table.query(`USER#${uid}`)).toEqual(before);
  const { status } = await as(bearer).users.delete({ uid, current_password: goodPassword });
  expect(status).toBe(200);
  expectProblem(
    await ours.post('/sessions/password', { email, password: goodPassword }),
    'invalid_credentials',
  );
});

test('200 for a user who was created by uid alone', async () => {
  const uid = newUid(new Date());
  const { body } = await as(project).users.get({ uid });
  expect(body).toEqual(aUser({ uid, project_id: project.project_id }));
  expect((await as(project).users.delete({ uid })).status).toBe(200);
  expectProblem(await as(project).users.get({ uid }), 'not_found');
  await world.drainStream();
  expect(await traces({ uid, email: '' })).toEqual([`USER#${uid} USER`]);
});

test('each workspace that is deleted with its owner has its own event', async () => {
  const owner = await world.user();
  const first = await world.workspace({ owner });
  const second = await world.workspace({ owner });
  await as(project).users.delete({ uid: owner.uid });
  const ends = await Promise.all(
    [first, second].map(async ({ workspace_id }) => {
      const item = await table.get(keys.workspace(workspace_id));
      const [event] = (item?.['events'] ?? []) as object[];
      return event as { id: string; type: string };
    }),
  );
  expect(ends.map(({ type }) => type)).toEqual(['workspace.deleted', 'workspace.deleted']);
  expect(ends[0]?.id).not.toBe(ends[1]?.id);
});

test.each(['before', 'after'])(
  'a user deleted %s the archiving job leaves no e-mail in workspaces that they had deleted',
  async (when) => {
    const owner = await world.user({ email: `erased.${when}@example.com` });
    const workspace = await world.workspace({ owner });
    const { workspace_id } = workspace;
    await world.member(workspace);
    await world.invited(workspace);
    await as(owner).workspaces.delete({ workspace_id });
    if (when === 'after') await world.drainStream();
    const { uid } = owner;
    expect((await as(project).users.delete({ uid })).status).toBe(200);
    await world.drainStream();
    expect((await as(project).users.getDeletion({ uid })).body.completed_at).toEqual(aTime());
    const items = await table.query(`WS#${workspace_id}`);
    expect(items.map(({ sk }) => String(sk).split('#')[0])).toEqual(['INVITE', 'MEMBER', 'WS']);
    expect(JSON.stringify(items)).not.toContain(owner.email);
    expect(items.at(-1)).toMatchObject({ owner_id: uid, owner_email: '' });
    expectProblem(await as(project).workspaces.restore({ workspace_id }), 'not_found');
  },
);

test.each(['before', 'after'])(
  'removes the e-mail of a deleted inviter from a workspace that they left %s the deletion',
  async (when) => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const inviter = await world.member(workspace, 'admin', await world.user({ verified: true }));
    const { uid, email } = inviter;
    const invite = (of: { email: string }) =>
      as(inviter).invitations.create({ workspace_id, email: of.email, role: 'member' });
    const [guest, member] = [await world.user(), await world.user()];
    for (const each of [guest, member]) expect((await invite(each)).status).toBe(201);
    await as(project).members.join({ workspace_id, user_id: member.uid });
    const leave = () => as(project).members.remove({ workspace_id, user_id: uid });
    if (when === 'before') await leave();
    const invitedBy = async () =>
      (await table.query(`WS#${workspace_id}`))
        .filter(({ inviter_id }) => inviter_id === uid)
        .map(({ sk, inviter_email }) => [sk, inviter_email]);
    const sortKeys = [`INVITE#${guest.uid}`, `MEMBER#${member.uid}`];
    expect(await invitedBy()).toEqual(sortKeys.map((sk) => [sk, email]));
    expect((await as(project).users.delete({ uid })).status).toBe(200);
    // Before the job has run.
    if (when === 'after') expect((await leave()).status).toBe(200);
    await world.drainStream();
    expect((await as(project).users.getDeletion({ uid })).body.completed_at).toEqual(aTime());
    expect(await invitedBy()).toEqual(sortKeys.map((sk) => [sk, '']));
    expect(await table.query(`LEFT#${uid}`)).toEqual([]);
  },
);

test.each([
  ['not before', 60, true],
  ['once', -1, false],
] as const)(
  '200 starts a lost job again, also for two requests at once, %s five minutes are over',
  async (_, left, stays) => {
    const uid = newUid(new Date());
    // As a restore of the table brings it back: no record of the stream says that the user was deleted.
    await table.put({
      ...{ ...keys.user(uid), uid, project_id: project.project_id, version: 2 },
      ...{
        deleted_at: new Date().toISOString(),
        patient_until: Math.floor(Date.now() / 1_000) + left,
      },
    });
    const key = keys.apiKey(keys.user(uid), 'left');
    await table.put({ ...key, uid, project_id: project.project_id });
    const remove = () => as(project).users.delete({ uid });
    const answers = await Promise.all([remove(), remove()]);
    const [{ body: receipt }] = answers;
    expect(receipt).toEqual({ uid, project_id: project.project_id, deleted_at: aTime() });
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, receipt]),
    );
    await world.drainStream();
    expect((await table.get(key)) !== undefined).toBe(stays);
    const { body } = await as(project).users.getDeletion({ uid });
    expect(body).toEqual(stays ? receipt : { ...receipt, completed_at: aTime() });
  },
);

test('409 with the ids of owned workspaces that have other members; nothing changes', async () => {
  const owner = await world.user();
  const shared = [await world.workspace({ owner }), await world.workspace({ owner })];
  for (const workspace of shared) await world.member(workspace);
  await world.workspace({ owner });
  const before = await table.query(`USER#${owner.uid}`);
  for (const auth of [project.basic, owner.bearer]) {
    const answer = await as(auth).users.delete({ uid: owner.uid });
    const workspace_ids = shared.map(({ workspace_id }) => workspace_id);
    expectProblem(answer, 'owns_workspaces', { workspace_ids });
  }
  expect(await table.query(`USER#${owner.uid}`)).toEqual(before);
  const [one, two] = shared;
  await as(project).workspaces.delete({ workspace_id: one?.workspace_id });
  const heir = await world.member(two ?? { workspace_id: '', owner }, 'admin');
  await as(project).ownership.offer({ workspace_id: two?.workspace_id, user_id: heir.uid });
  expect((await as(project).users.delete({ uid: owner.uid })).status).toBe(200);
});

test('409 with the workspace ids for a user who owns more than 40; nothing changes', async () => {
  const owner = await world.user();
  const external_ids = Array.from({ length: 41 }, (_, i) => `gone-${i}`);
  const ids: string[] = [];
  for (const external_id of external_ids) {
    const own = { name: 'Own', owner_id: owner.uid, external_id };
    ids.push((await as(project).workspaces.create(own)).body.workspace_id);
  }
  for (let i = 0; i < limits.sessionsPerUser - 1; i += 1) await world.session(owner.uid);
  const before = await table.query(`USER#${owner.uid}`);
  const refused = await as(project).users.delete({ uid: owner.uid });
  expectProblem(refused, 'owns_workspaces', {
    detail: expect.stringContaining('More than 40 workspaces'),
    workspace_ids: ids,
  });
  expect(await table.query(`USER#${owner.uid}`)).toEqual(before);

  // 40, with external ids and the most sessions allowed, are deleted in one request.
  await as(project).workspaces.delete({ workspace_id: ids.pop() });
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => as(owner).users.delete({ uid: owner.uid }, { headers });
  const deleted = await ask();
  expect(deleted.status).toBe(200);
  expect(await table.query(`USER#${owner.uid}`)).toHaveLength(1);
  // There is no room for the oldest sessions, but for the one that asks: otherwise this were 401.
  expect(await ask()).toMatchObject({ status: 200, body: deleted.body });
  for (const external_id of external_ids.slice(0, 2)) {
    const found = await as(project).workspaces.list({ external_id });
    expect(found.body.result).toEqual([]);
    const again = { name: 'New', owner_id: (await world.user()).uid, external_id };
    expect((await as(project).workspaces.create(again)).status).toBe(201);
  }
  await world.drainStream();
  for (const id of ids) {
    const { deleted_at, owner_email } = (await table.get(keys.workspace(id))) ?? {};
    expect([deleted_at, owner_email]).toEqual([aTime(), '']);
  }
  expect(await table.get(keys.user(owner.uid))).toMatchObject({
    workspace_count: 0,
    owned_workspace_count: 0,
    completed_at: aTime(),
  });
});
