import { expect, test, vi } from 'vitest';
import type { UserExport } from '#shared/contract/user-export.ts';
import { archivedPrefix } from '#shared/db/index-attributes.ts';
import { joinRequestPrefix, prefixes } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { normalizeEmail } from '#shared/model/email.ts';
import { claimsOf } from '../../model/tokens.ts';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { aMember, aTime, aWorkspace, expectInvalid } from '../../support/expectations.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

// Separate, because it stores thousands of items, which files that scan a shared table would read too.
const world = await startWorld({});
const { project, call, table, as } = world;
const openid = await startOpenidProvider();

test('200 returns all data about the user, and no secret', async () => {
  const { issuer, jwks_uri, client_id } = openid;
  const home = await signInProject(world, {
    identity_providers: { google: { issuer, jwks_uri, client_ids: [client_id] } },
  });
  const back = home.project.basic;
  const ada = await home.signUp('ada@example.com', goodPassword, { display_name: 'Ada' });
  const id_token = openid.signed({ sub: 'ada-1815', email: ada.email });
  const linking = { provider: 'google', id_token, current_password: goodPassword };
  await as(ada).identities.link(linking);
  const owner = await world.user({ project: home.project });
  const own = await world.workspace({ owner: ada, name: 'Own' });
  const joined = await world.workspace({ owner, name: 'Joined' });
  const { member } = await world.member(joined, 'admin', ada);
  const inviting = await world.workspace({ owner, name: 'Inviting' });
  await world.invited(inviting, 'member', ada);
  const gone = await world.workspace({ owner, name: 'Gone' });
  await world.member(gone, 'member', ada);
  const asked = await world.workspace({ owner, name: 'Asked' });
  await as(back).domains.set({
    workspace_id: asked.workspace_id,
    domain: 'example.com',
    mode: 'suggest',
  });
  expect(
    (await as(ada).joinRequests.create({ workspace_id: asked.workspace_id, message: 'Let me in' }))
      .status,
  ).toBe(201);
  await userKey(world, ada, { name: 'CI' });
  await as(back).workspaces.delete({ workspace_id: gone.workspace_id });
  await world.drainStream();

  const { status, body } = await as(ada).users.export({ uid: ada.uid });
  expect(status).toBe(200);
  const user = (await as(back).users.get({ uid: ada.uid })).body;
  const { member_id: _, ...mine } = aMember(own.workspace_id, user, user, { role: 'admin' });
  expect(body).toEqual({
    exported_at: aTime(),
    user,
    password: { changed_at: aTime() },
    identities: [{ provider: 'google', issuer, subject: 'ada-1815' }],
    sessions: (await as(ada).sessions.list()).body.result,
    api_keys: [anApiKey()],
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
    'user.api_key.created',
  ]);
  const password = await table.get(keys.password(ada.uid));
  const text = JSON.stringify(body);
  for (const secret of [password?.['hash'], ada.access_token, ada.refresh_token, id_token])
    expect(text).not.toContain(secret);
  const byBackend = await as(back).users.export({ uid: ada.uid });
  expect({ ...byBackend.body, exported_at: '', sessions: [] }).toEqual({
    ...body,
    exported_at: '',
    sessions: [],
  });
});

test('200 omits private metadata in an export by the user, and includes it for the backend', async () => {
  const { uid, bearer } = await world.user();
  const { users } = as(project);
  await users.setMetadata({ uid, private_metadata: { score: 1 } });
  await world.drainStream();
  const own = async () => (await as(bearer).users.export({ uid })).body;
  const before = await own();
  expect(JSON.stringify(before)).not.toContain('metadata');
  const both = { app_metadata: { plan: 'team' }, private_metadata: { score: 2 } };
  await users.setMetadata({ uid, ...both });
  await world.drainStream();
  const { metadata, events } = await own();
  expect(metadata).toEqual({ app_metadata: both.app_metadata });
  const added = events.slice(before.events.length);
  const data = { user_id: uid, fields: ['app_metadata'], app_metadata: both.app_metadata };
  expect(added).toEqual([expect.objectContaining({ type: 'user.metadata_changed', data })]);
  const whole = (await users.export({ uid })).body;
  expect(whole.metadata).toEqual(both);
  expect(whole.events).toHaveLength(events.length + 1);
});

test('200 omits an invitation to an e-mail that the user no longer has', async () => {
  const home = await signInProject(world, {});
  const back = home.project.basic;
  const [victim, own] = ['victim@example.com', 'mallory@example.com'];
  const mallory = await world.user({ project: home.project, email: victim });
  const { uid } = mallory;
  const owner = await world.user({ project: home.project });
  const { workspace_id } = await world.workspace({ owner });
  const invitation = { workspace_id, email: victim, role: 'member', message: 'For Vicky' } as const;
  await as(owner).invitations.create(invitation);
  const exported = async () => (await as(back).users.export({ uid })).body.invitations;
  expect(await exported()).toMatchObject([{ workspace_id, message: 'For Vicky' }]);
  // An invitation from before version 0.3.0: the e-mail of the user's profile counts as verified.
  const early = await world.workspace({ owner });
  await as(owner).invitations.create({ ...invitation, workspace_id: early.workspace_id });
  const {
    mailbox: _,
    invitation_expires_at: __,
    token_sha256: ___,
    ...former
  } = (await table.get(keys.invitation(early.workspace_id, uid)))!;
  await table.put(former);
  expect(await exported()).toHaveLength(2);

  await as(mallory).emails.change({ email: own });
  expect((await as(mallory).emails.confirm({ token: await home.mailed(own) })).status).toBe(200);
  await world.drainStream();
  expect(await exported()).toMatchObject([{ workspace_id: early.workspace_id }]);
});

test('200 has the day on which an API key was last used, as the list of keys has it', async () => {
  const ada = await world.user();
  const key = await userKey(world, ada);
  await userKey(world, ada, { name: 'Unused' });
  await call('GET', '/users/me', key.bearer);
  const { body } = await as(ada).users.export({ uid: ada.uid });
  const last_used_on = new Date().toISOString().slice(0, 10);
  expect(body.api_keys).toMatchObject([{ key_id: key.key_id, last_used_on }, { name: 'Unused' }]);
  expect(body.api_keys).toEqual((await as(ada).apiKeys.list()).body.result);
});

test('200 lists ended sessions that are still stored, apart from the live ones', async () => {
  const { uid, ...ada } = await world.user();
  const [reused, idle, expired] = [
    await world.session(uid),
    await world.session(uid),
    await world.session(uid),
  ];
  const idOf = ({ access_token }: { access_token: string }) => claimsOf(access_token).sid;
  const { refresh } = as(`Bearer ${reused.refresh_token}`).sessions;
  expect((await refresh({ accessToken: reused.access_token })).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  expect((await refresh({ accessToken: reused.access_token })).status).toBe(401);
  vi.useRealTimers();
  const past = Math.floor(Date.now() / 1_000) - 1;
  await table.update(keys.session(uid, idOf(idle)), { idle_expires_at: past });
  await table.update(keys.session(uid, idOf(expired)), { expires_at: past });
  const { sessions, ended_sessions } = (await as(ada).users.export({ uid })).body;
  expect(sessions).toEqual((await as(ada).sessions.list()).body.result);
  const ended = { ...sessions[0], created_at: aTime(), last_refreshed_at: aTime(), current: false };
  expect(ended_sessions).toEqual([
    { ...ended, session_id: idOf(idle) },
    { ...ended, session_id: idOf(reused) },
  ]);
});

test('200 for a user without data', async () => {
  const { uid, user } = await world.user();
  await as(project).sessions.endAll({ user_id: uid });
  const { body } = await as(project).users.export({ uid });
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

/** All lists of all pages together, as docs/reference/permissions.md describes. */
async function wholeExport(uid: string, auth: string) {
  const pages = await pagesFrom(world, `/users/${uid}/export`, auth);
  const all = pages.map(({ body }) => body as UserExport);
  const sizes = pages.map(({ body }) => JSON.stringify(JSON.stringify(body)).length);
  return {
    pages: all,
    sizes,
    memberships: all.flatMap(({ memberships }) => memberships),
    invitations: all.flatMap(({ invitations }) => invitations),
    join_requests: all.flatMap(({ join_requests }) => join_requests),
    owned_workspaces: all.flatMap(({ owned_workspaces }) => owned_workspaces),
    events: all.toReversed().flatMap(({ events }) => events),
  };
}

test('200 returns the newest events first if they exceed one response, and older ones on further pages', async () => {
  const { uid } = await world.user();
  await world.drainStream();
  const [first] = await table.query(`LOG#USER#${uid}`, 'EVENT#');
  const event = JSON.parse(String(first?.['event'])) as { data: object };
  const older = Array.from({ length: 59 }, (_, i) => ({
    ...first,
    ...keys.logEntry(keys.user(uid).pk, i + 2),
    event: JSON.stringify({
      ...event,
      id: `evt-${i + 2}`,
      data: { ...event.data, about_me: '"'.repeat(25_000) },
    }),
  }));
  await table.putAll(older);
  const { status, body } = await as(project).users.export({ uid });
  expect(status).toBe(200);
  // In Lambda's response the body is escaped once more: below its 6 MB, 2 of which are for events.
  expect(JSON.stringify(JSON.stringify(body)).length).toBeLessThan(2_100_000);
  expect(body.events_truncated).toBe(true);
  const ids = body.events.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(Array.from({ length: 19 }, (_, i) => `evt-${i + 42}`));
  const { pages, events } = await wholeExport(uid, project.basic);
  expect(pages.map((page) => page.events_truncated)).toEqual([true, true, true, undefined]);
  expect(events.slice(1).map(({ id }) => id)).toEqual(
    Array.from({ length: 59 }, (_, i) => `evt-${i + 2}`),
  );
  expect(events[0]!.type).toBe('user.created');
});

let places = 0;

/** Copies a user's item in a workspace, and the workspace, so many times. */
async function copies(
  { uid }: { uid: string },
  prefix: string,
  count: number,
  place: object,
  given: object = {},
) {
  const owner = await world.workspace();
  const model = await world.table.get(keys.workspace(owner.workspace_id));
  const member = await world.table.get(keys.member(owner.workspace_id, owner.owner.uid));
  places += 10_000;
  const items = Array.from({ length: count }, (_, i) => {
    const number = String(i + places).padStart(12, '0');
    const workspace_id = `wid-0192f0c1-0000-7000-8000-${number}`;
    const sk = `${prefix.replace(archivedPrefix, '')}${uid}`;
    const index = { by_member_pk: `USER#${uid}`, by_member_sk: `${prefix}${workspace_id}` };
    const { pk } = keys.workspace(workspace_id);
    return [
      { ...model, pk, workspace_id, ...place },
      { ...member, ...given, pk, sk, ...index, workspace_id, user_id: uid },
    ];
  });
  await world.table.putAll(items.flat());
}
const hard = '"'.repeat(128);
const message = '"'.repeat(500);
const open = ({ email }: { email: string }) => ({
  invitation_expires_at: '2036-01-01T00:00:00.000Z',
  token_sha256: '',
  mailbox: normalizeEmail(email),
  message,
});

test('200 returns hundreds of large workspaces on pages below 6 MB', async () => {
  const ada = await world.user();
  const allowed_domains = Array.from({ length: 50 }, (_, i) => `${i}-${'d'.repeat(245)}.com`);
  const logo_url = `https://example.com/${'l'.repeat(2_028)}`;
  const place = { name: hard, description: '"'.repeat(256), logo_url, allowed_domains };
  await copies(ada, prefixes.accepted, 150, { ...place, owner_id: ada.uid });
  await copies(ada, `${archivedPrefix}${prefixes.accepted}`, 150, { ...place, deleted_at: 'x' });
  await copies(ada, prefixes.pending, 150, place, open(ada));
  await copies(ada, joinRequestPrefix, 150, place, { message });
  const whole = await wholeExport(ada.uid, ada.bearer);
  expect(whole.pages.length).toBe(2);
  // Lambda's limit applies to the response, in which the body is escaped once more.
  for (const size of whole.sizes) expect(size).toBeLessThan(4_000_000);
  expect(whole.memberships).toHaveLength(300);
  expect(whole.owned_workspaces).toHaveLength(150);
  expect(whole.invitations).toHaveLength(150);
  expect(whole.join_requests).toHaveLength(150);
  const ids = [...whole.memberships, ...whole.invitations, ...whole.join_requests].map(
    ({ workspace_id }) => workspace_id,
  );
  expect(new Set(ids).size).toBe(600);
  const [first, second] = whole.pages;
  expect(first!.sessions).toHaveLength(1);
  expect(second).toMatchObject({ user: first!.user, identities: [], sessions: [] });
});

test('200 returns 1,000 invitations on pages of 100, so that each page reads a bounded amount', async () => {
  const ada = await world.user();
  await copies(ada, prefixes.pending, 1_000, {}, open(ada));
  const whole = await wholeExport(ada.uid, ada.bearer);
  expect(whole.pages.map(({ invitations }) => invitations.length)).toEqual(
    Array.from({ length: 10 }, () => 100),
  );
  expect(new Set(whole.invitations.map(({ workspace_id }) => workspace_id)).size).toBe(1_000);
});

test('400 for a cursor of another user or caller', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  for (const one of [ada, bob]) await copies(one, prefixes.pending, 101, {}, open(one));
  const next = nextOf(await as(ada).users.export({ uid: ada.uid })) ?? '';
  expectInvalid(await call('GET', next.replace(ada.uid, bob.uid), bob.bearer), '/query/cursor');
  expectInvalid(await call('GET', next, project.basic), '/query/cursor');
});
