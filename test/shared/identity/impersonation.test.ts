import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { lifetimes, limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { invitationCalls, tokenIn } from '../../support/invitations.ts';
import { pass, sessionIdOf } from '../../support/started.ts';
import { type Person, startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const project = await world.newProject({ impersonation: 'on' });
const notified = await world.newProject({ impersonation: 'notify' });
const actor = { id: 'grace@support.example', reason: 'Ticket 4711' };
const start = (uid: string, of: TestProject = project, who = actor) =>
  world.as(of).sessions.create({ uid, actor: who });

/** A user, and a token of an actor who impersonates that user. */
async function acted(of = project) {
  const user = await world.user({ project: of, verified: true });
  const { body } = await start(user.uid, of);
  const token = body.access_token as string;
  return { user, token, session_id: sessionIdOf(body), by: world.as(`Bearer ${token}`) };
}

const eventsOf = async (of: TestProject) => {
  await world.drainStream();
  return (await world.as(of).events.list({ limit: 100 })).body.result;
};

test('201 returns a token of one hour that names user and actor, and no refresh token', async () => {
  const user = await world.user({ project });
  const { status, body } = await start(user.uid);
  const { iat, exp, act, sub } = claimsOf(body.access_token);
  expect([status, body.refresh_token, sub, exp - iat]).toEqual([201, '', user.uid, 3_600]);
  expect(act).toEqual({ sub: actor.id });
  const me = await world.as(`Bearer ${body.access_token}`).users.getMe();
  expect(me.body).toEqual(body.user);
});

test("an invitation that the actor accepts does not verify the user's e-mail", async () => {
  const workspace = await world.workspace({ owner: await world.user({ project }) });
  const invitee = await world.user({ project, verified: false });
  const { uid, email } = await world.invited(workspace, 'member', invitee);
  const { body } = await start(uid);
  const token = tokenIn((await invitationCalls(world).mailsTo(email))[0]?.text);
  const accepted = await world.as(`Bearer ${body.access_token}`).invitations.accept({ token });
  expect([accepted.status, accepted.body.status]).toEqual([201, 'accepted']);
  // The first verification of the e-mail removes the user's sign-in methods.
  expect((await world.as(project).users.get({ uid })).body.verified.email).toBe(false);
});

test('the token works for an hour, and no longer', async () => {
  const { by, token } = await acted();
  pass((lifetimes.actingSession - 60) * 1_000);
  expect((await by.users.getMe()).status).toBe(200);
  const { body } = await world.as(project).sessions.introspect({ token });
  expect(body).toMatchObject({ active: true, act: { sub: actor.id } });
  pass(60_000);
  expectProblem(await by.users.getMe(), 'unauthenticated');
  pass((lifetimes.clockTolerance + 1) * 1_000);
  expectProblem(await by.users.getMe(), 'token_expired');
});

test('it is not a sign-in of the user: not recorded, counted or renewed', async () => {
  const ours = await world.newProject({ impersonation: 'on' });
  const { user, by, token } = await acted(ours);
  const { last_sign_in_at } = (await world.as(user).users.getMe()).body;
  expect((await by.users.getMe()).body.last_sign_in_at).toBe(last_sign_in_at);
  const claims = claimsOf(token);
  expect(claims).toHaveProperty('act');
  for (const claim of ['auth_time', 'amr', 'acr']) expect(claims).not.toHaveProperty(claim);
  await world.drainStream();
  const { days } = (await world.as(ours).stats.get()).body;
  expect(days).toMatchObject([{ active_users: 1, sign_ins: { project: 1 } }]);
});

test('the user sees the actor and the reason, and can end the session', async () => {
  const { user, by, session_id } = await acted();
  const { body } = await world.as(user).sessions.list();
  expect(body.result).toMatchObject([{ session_id, actor, current: false }, { current: true }]);
  expect(body.result[1]).not.toHaveProperty('actor');
  expect((await world.as(user).sessions.end({ session_id })).status).toBe(200);
  expectProblem(await by.users.getMe(), 'unauthenticated');
});

test('the actor can sign out, which ends only their session', async () => {
  const { user, by } = await acted();
  expect((await by.sessions.signOut()).status).toBe(200);
  expectProblem(await by.users.getMe(), 'unauthenticated');
  expect((await world.as(user).users.getMe()).status).toBe(200);
});

test('the events of the session and of its changes name user and actor', async () => {
  const ours = await world.newProject({ impersonation: 'on' });
  const { user, by } = await acted(ours);
  await by.users.update({ uid: user.uid, display_name: 'Ada' });
  await world.as(user).users.update({ uid: user.uid, display_name: 'Countess' });
  const events = await eventsOf(ours);
  expect(events.slice(-3)).toMatchObject([
    {
      type: 'session.started',
      actor: { kind: 'key' },
      data: { user_id: user.uid, impersonator: actor.id, reason: actor.reason },
    },
    { type: 'user.updated', actor: { kind: 'user', id: user.uid, impersonator: actor.id } },
    { type: 'user.updated', actor: { kind: 'user', id: user.uid } },
  ]);
  expect(events.at(-1).actor).not.toHaveProperty('impersonator');
});

describe('403 for an actor:', () => {
  // Every new route for users must state, here and in the contract, whether an actor may call it too.
  const refused = [
    ...['apiKeys.create', 'apiKeys.revoke', 'apiKeys.rotate', 'apiKeys.update'],
    ...['emails.change', 'emails.confirm', 'emails.verify', 'factors.confirmTotp'],
    ...['factors.deleteTotp', 'factors.renewRecoveryCodes', 'factors.startTotp'],
    ...['identities.link', 'identities.unlink', 'ownership.accept', 'ownership.end'],
    ...['ownership.offer', 'passkeys.delete', 'passkeys.register', 'passkeys.rename'],
    ...['passkeys.startRegistration', 'passwords.change', 'sessions.end', 'sessions.endAll'],
    ...['sessions.reauthenticate', 'users.delete', 'workspaceKeys.create', 'workspaceKeys.revoke'],
    ...['workspaceKeys.rotate', 'workspaceKeys.update', 'workspaces.create', 'workspaces.delete'],
  ];
  const allowed = [
    ...['domains.prove', 'domains.set', 'invitations.accept', 'invitations.create'],
    ...['invitations.end', 'invitations.endByEmail', 'invitations.resend', 'joinLinks.create'],
    ...['joinLinks.revoke', 'joinRequests.approve', 'joinRequests.create', 'joinRequests.delete'],
    ...['members.add', 'members.changeRole', 'members.join', 'members.remove', 'members.suspend'],
    ...['sessions.selectWorkspace', 'sessions.signOut', 'users.mergeMetadata', 'users.setMetadata'],
    ...['users.update', 'workspaceRoles.delete', 'workspaceRoles.set', 'workspaces.restore'],
    ...['workspaces.setAllowedDomains', 'workspaces.update'],
  ];
  const ofUsers = routes.filter(
    (route) => route.auth.includes('access') && takesIdempotencyKey(route),
  );
  test('every operation is listed as allowed or refused', () => {
    const named = (only: boolean) =>
      ofUsers
        .filter(({ notByActor = false }) => notByActor === only)
        .map(({ name }) => name)
        .sort();
    expect([named(true), named(false)]).toEqual([refused, allowed]);
  });

  test('every refused operation', async () => {
    const { token } = await acted();
    for (const { name, method, path } of ofUsers.filter(({ notByActor }) => notByActor)) {
      const at = path.replaceAll(/\{(\w+)\}/g, 'x');
      const { status, body } = await world.call(method, at, `Bearer ${token}`, undefined);
      expect([name, status, body.code]).toEqual([name, 403, 'forbidden']);
    }
  });

  test('users.update with agreed terms; other fields of the profile are allowed', async () => {
    const { user, by } = await acted();
    const { uid } = user;
    const agreeing = { uid, display_name: 'Ada', agreed_terms: { tos: true } };
    expectProblem(await by.users.update(agreeing), 'forbidden');
    const { body } = await by.users.update({ uid, display_name: 'Ada' });
    expect([body.display_name, body.agreed_terms]).toEqual(['Ada', undefined]);
  });
});

test('choosing the active workspace keeps the expiry and the actor', async () => {
  const { user, token, by } = await acted();
  const { workspace_id } = await world.workspace({ owner: user });
  pass(1_800_000);
  const { body } = await by.sessions.selectWorkspace({ workspace_id });
  const [first, chosen] = [claimsOf(token), claimsOf(body.access_token)];
  expect(chosen).toMatchObject({ act: { sub: actor.id }, workspace_id, exp: first.exp });
  expect(body.expires_in).toBeLessThanOrEqual(1_800);
  expect((await world.as(`Bearer ${body.access_token}`).users.getMe()).status).toBe(200);
});

describe('if the project does not allow it,', () => {
  const set = ({ project_id }: TestProject, impersonation: 'off' | 'on') =>
    world.operate({ action: 'update', project_id, impersonation });
  const introspected = async (of: TestProject, token: string) =>
    (await world.as(of).sessions.introspect({ token })).body;

  test('403 by default, and no session starts', async () => {
    const user = await world.user();
    expectProblem(await start(user.uid, world.project), 'forbidden');
    expect((await world.as(user).sessions.list()).body.count).toBe(1);
  });

  test('sessions end when it is switched off', async () => {
    const ours = await world.newProject({ impersonation: 'on' });
    const { user, by, token } = await acted(ours);
    await set(ours, 'off');
    pass(61_000);
    expectProblem(await by.users.getMe(), 'unauthenticated');
    expect(await introspected(ours, token)).toEqual({ active: false });
    expect((await world.as(user).users.getMe()).status).toBe(200);
  });

  test('sessions stay ended when it is on again, including those that an instance started late', async () => {
    const ours = await world.newProject({ impersonation: 'on' });
    const { user, ...early } = await acted(ours);
    const { workspace_id } = await world.workspace({ owner: user });
    await set(ours, 'off');
    pass(50_000);
    // The instance still caches the project.
    const { body } = await start(user.uid, ours);
    const late = { token: body.access_token, by: world.as(`Bearer ${body.access_token}`) };
    const chosen = (await early.by.sessions.selectWorkspace({ workspace_id })).body.access_token;
    const moved = { token: chosen, by: world.as(`Bearer ${chosen}`) };
    await set(ours, 'on');
    pass(61_000);
    for (const { token, by } of [early, late, moved]) {
      expectProblem(await by.users.getMe(), 'unauthenticated');
      expect(await introspected(ours, token)).toEqual({ active: false });
    }
    const { token, by } = await acted(ours);
    expect((await by.users.getMe()).status).toBe(200);
    expect(await introspected(ours, token)).toMatchObject({ active: true });
  });

  test('403 for a minute after it was switched off, even if it is on again', async () => {
    const ours = await world.newProject({ impersonation: 'on' });
    const { uid } = await world.user({ project: ours });
    pass(50_000);
    await set(ours, 'off');
    await set(ours, 'on');
    // By now the instance has re-read the project.
    pass(11_000);
    expectProblem(await start(uid, ours), 'forbidden');
    pass(51_000);
    expect((await start(uid, ours)).status).toBe(201);
  });
});

test.each<[object, string[]]>([
  [{}, []],
  [{ id: '', reason: '' }, []],
  [{ id: 'x'.repeat(limits.actorId + 1), reason: 'a\nb', role: 'x' }, ['/body/actor/role']],
])('400 %o names id and reason, and %j', async (who, more) => {
  const { uid } = await world.user({ project });
  const answer = await world.call('POST', '/sessions', project.basic, { uid, actor: who });
  expectInvalid(answer, '/body/actor/id', '/body/actor/reason', ...more);
});

describe('the mail to the user', () => {
  const mailsTo = async (address: string) => {
    await world.drainStream();
    return world.mails().filter(({ to }) => to === address);
  };

  test('says that an actor acts as them, and why', async () => {
    const { user } = await acted(notified);
    const text = expect.stringContaining('“Ticket 4711”');
    expect(await mailsTo(user.email)).toMatchObject([{ text }]);
  });

  test('is sent once for a retried request', async () => {
    const user = await world.user({ project: notified, verified: true });
    const options = { headers: { 'idempotency-key': 'act-as-ada-0123456789' } };
    const once = () => world.as(notified).sessions.create({ uid: user.uid, actor }, options);
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(await mailsTo(user.email)).toHaveLength(1);
  });

  test('is not sent if the setting is only "on", nor to an unverified e-mail', async () => {
    const { user } = await acted();
    const unverified: Person = await world.user({ project: notified });
    expect((await start(unverified.uid, notified)).status).toBe(201);
    expect(await mailsTo(user.email)).toEqual([]);
    expect(await mailsTo(unverified.email)).toEqual([]);
  });
});

test('beyond 50 sessions, those of actors end first', async () => {
  const { user, by } = await acted();
  for (let i = 0; i < limits.sessionsPerUser - 1; i += 1) await world.session(user.uid, project);
  expectProblem(await by.users.getMe(), 'unauthenticated');
  expect((await world.as(user).users.getMe()).status).toBe(200);
});
