import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { doneAfter } from '../faults/fault.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { newApp } from '../support/factors.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { settingsOf } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { page, passkeyProject } from '../support/passkeys.ts';
import { goodPassword, type Started } from '../support/sign-in.ts';
import { sessionIdOf } from '../support/started.ts';
import type { Person, World } from '../support/world.ts';
import { expectDead, knownCode, newScene, sessionsOf } from './scene.ts';

// Another request runs exactly between the reads and the write of a request: the proxy delays the write.
const { faults, world } = await startFaultyWorld();
const provider = await startOpenidProvider();
const google = settingsOf(provider);
const other = `other ${goodPassword}`;
let people = 0;

async function scene() {
  people += 1;
  const at = await newScene(world, { identity_providers: { google } });
  const { email, post, project } = at;
  const backend = world.as(project);
  const another = `another${people}@example.com`;
  const mailed = async (path: string, to: string, body: object, auth?: string) => {
    if (auth === undefined) await post(path, body);
    else await world.call('POST', path, auth, body);
    return at.mailed(to);
  };
  const ada = await at.signUp(email);
  const reset = await mailed('/passwords/forgotten', email, { email });
  const change = await mailed(
    ...(['/users/me/email', another] as const),
    { email: another, current_password: goodPassword },
    ada.bearer,
  );
  const codes = [await knownCode(at), await knownCode(at)];
  const identity = { provider: 'google', id_token: provider.signed({ sub: `${people}`, email }) };
  const second = await world.session(ada.uid, project);
  const put = (body: object) => () => backend.users.update({ uid: ada.uid, ...body });
  const signIn = () => post<Started>('/sessions/password', { email, password: goodPassword });
  const setPassword = (password: string) => () =>
    post<Started>('/passwords', { token: reset, password });
  const changePassword = (bearer: string, new_password: string) => () =>
    world.as(bearer).passwords.change({ current_password: goodPassword, new_password });
  const link = (bearer: string) => () =>
    world.as(bearer).identities.link({ ...identity, current_password: goodPassword });
  const confirm = (bearer: string) => () =>
    world.call('POST', '/users/me/email/confirmation', bearer, { token: change });
  const actions = {
    signIn,
    start: () => backend.sessions.create({ uid: ada.uid }),
    verifyCode: () => post<Started>('/sessions/code', codes[0] ?? {}),
    setPassword: setPassword(other),
    setAnother: setPassword(`another ${other}`),
    byIdentity: () => post<Started>('/sessions/identity', identity),
    link: link(ada.bearer),
    linkBySecond: link(second.bearer),
    unlink: () =>
      world.as(ada).identities.unlink({ provider: 'google', current_password: goodPassword }),
    changePassword: changePassword(ada.bearer, `new ${goodPassword}`),
    changeBySecond: changePassword(second.bearer, `newer ${goodPassword}`),
    confirm: confirm(ada.bearer),
    confirmBySecond: confirm(second.bearer),
    /** Ends the session that requested the link to change the e-mail. */
    signOutAsker: () => world.as(ada).sessions.signOut(),
    disable: put({ disabled: true }),
    moveEmail: put({ email: `moved${people}@example.com` }),
    rename: put({ display_name: 'Ada' }),
    /** The backend sets an unverified e-mail; its owner then verifies it, which resets the account's credentials. */
    takeOver: async () => {
      await put({ email: `moved${people}@example.com` })();
      await put({ email })();
      return post('/sessions/code', codes[1] ?? {});
    },
    /** The same without the verification. */
    unprove: async () => {
      await put({ email: `moved${people}@example.com` })();
      return put({ email })();
    },
    takeEmail: () => backend.users.create({ email: another }),
    endAll: () => backend.sessions.endAll({ user_id: ada.uid }),
    endOthers: () => world.as(ada).sessions.endAll(),
    signOut: () => world.as(second).sessions.signOut(),
    reauthenticate: () => world.as(second).sessions.reauthenticate({ password: goodPassword }),
    refresh: () => world.renew(second),
  };
  return { ...at, ada, another, second, actions };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Action = keyof Scene['actions'];

const cases: [first: Action, between: Action, outcome: string | number, before?: Action][] = [
  // A sign-in by a credential that ends meanwhile is refused.
  ['signIn', 'disable', 'user_disabled'],
  ['signIn', 'changePassword', 'invalid_credentials'],
  ['signIn', 'setPassword', 'invalid_credentials'],
  ['signIn', 'moveEmail', 'invalid_credentials'],
  ['signIn', 'takeOver', 'invalid_credentials'],
  ['start', 'disable', 'user_disabled'],
  ['verifyCode', 'disable', 'user_disabled'],
  ['verifyCode', 'verifyCode', 'invalid_credentials'],
  ['setPassword', 'disable', 'user_disabled'],
  ['setPassword', 'setAnother', 'mail_token_invalid'],
  ['setPassword', 'changePassword', 'mail_token_invalid'],
  ['byIdentity', 'disable', 'user_disabled'],
  ['link', 'disable', 'unauthenticated'],
  // Whose session has ended adds no way to sign in.
  ['link', 'endAll', 'unauthenticated'],
  ['linkBySecond', 'signOut', 'unauthenticated'],
  ['confirmBySecond', 'signOutAsker', 'mail_token_invalid'],
  ['confirmBySecond', 'signOut', 'unauthenticated'],
  ['unlink', 'signOutAsker', 'unauthenticated', 'link'],
  ['refresh', 'signOut', 'unauthenticated'],
  ['refresh', 'endAll', 'unauthenticated'],
  ['refresh', 'disable', 'unauthenticated'],
  ['refresh', 'setPassword', 'unauthenticated'],
  ['refresh', 'changePassword', 'unauthenticated'],
  ['reauthenticate', 'signOut', 'unauthenticated'],
  ['reauthenticate', 'endAll', 'unauthenticated'],
  ['reauthenticate', 'disable', 'unauthenticated'],
  ['reauthenticate', 'changePassword', 'unauthenticated'],
  ['reauthenticate', 'changeBySecond', 'invalid_credentials'],
  ['reauthenticate', 'rename', 200],
  ['reauthenticate', 'reauthenticate', 200],
  // A request proven by the mailbox succeeds despite concurrent changes.
  ['setPassword', 'start', 201],
  ['setPassword', 'rename', 201],
  ['signIn', 'rename', 201],
  ['signIn', 'signIn', 201],
  ['signIn', 'endAll', 201],
  ['byIdentity', 'byIdentity', 201],
  ['byIdentity', 'rename', 201],
  ['byIdentity', 'link', 201],
  ['byIdentity', 'unlink', 201, 'link'],
  ['link', 'byIdentity', 200],
  ['link', 'link', 200],
  ['unlink', 'unlink', 'not_found', 'link'],
  ['unlink', 'byIdentity', 200, 'link'],
  ['verifyCode', 'takeOver', 201],
  ['verifyCode', 'unprove', 201],
  // A session that starts meanwhile ends too.
  ['disable', 'start', 200],
  ['disable', 'refresh', 200],
  ['endAll', 'start', 200],
  ['endOthers', 'start', 200],
  ['changePassword', 'start', 200],
  ['changePassword', 'setPassword', 'unauthenticated'],
  ['changePassword', 'changeBySecond', 'unauthenticated'],
  ['changePassword', 'rename', 200],
  // An old list of devices is not restored.
  ['changePassword', 'endAll', 'unauthenticated'],
  ['endOthers', 'changeBySecond', 'unauthenticated'],
  ['endOthers', 'disable', 'unauthenticated'],
  // An e-mail has one owner.
  ['confirm', 'takeEmail', 'email_taken'],
  ['confirm', 'moveEmail', 'mail_token_invalid'],
  ['confirm', 'confirm', 'mail_token_invalid'],
  ['confirm', 'rename', 200],
];

const firstWrites = new Set(['TransactWriteItems', 'DeleteItem', 'PutItem']);

test.each(cases)(
  '%s, with %s between its reads and its write: %s',
  async (first, between, outcome, before) => {
    const at = await scene();
    if (before) await at.actions[before]();
    await world.table.update(keys.user(at.ada.uid), { devices: ['of-thief'] });
    let started: { status: number; body: Started } | undefined;
    const when = ({ operation, body }: { operation: string; body: Record<string, unknown> }) =>
      firstWrites.has(operation) || (first === 'refresh' && isOfSession(body));
    faults.inject(
      doneAfter(async () => {
        started = (await at.actions[between]()) as typeof started;
      }),
      { when },
    );
    const answer = await at.actions[first]();
    expect(started?.status, JSON.stringify(started?.body)).toBeLessThan(300);
    expect((answer.body as { code?: string }).code ?? answer.status).toBe(outcome);
    await expectConsistent(at, first, between);
    const ends = ['disable', 'endAll', 'endOthers', 'changePassword', 'setPassword'].includes(
      first,
    );
    const done = outcome === 200 || outcome === 201;
    if (ends && done && started?.body.access_token) await expectDead(world, [started]);
  },
);

test('an identity that is unlinked in between does not sign in its former user', async () => {
  const settings = { identity_providers: { google }, sign_up: false };
  const { email, post, project } = await newScene(world, settings);
  const { uid, bearer } = await world.user({ email, project, verified: true });
  const identity = { provider: 'google', id_token: provider.signed({ sub: 'unlinked', email }) };
  await world.call('POST', '/users/me/identities', bearer, identity);
  const unlinkAndMove = async () => {
    await world.call('DELETE', '/users/me/identities/google', bearer);
    await world.call('PUT', `/users/${uid}`, project.basic, { email: `moved.${email}` });
  };
  faults.beforeWrite(unlinkAndMove);
  const answer = await post<{ code: string }>('/sessions/identity', identity);
  expect([answer.status, answer.body.code]).toEqual([403, 'sign_up_disabled']);
  expect(await sessionsOf(world, uid)).toHaveLength(1);
});

test('a session that ends in between changes no password, and ends no other session', async () => {
  const { ada, second, actions } = await scene();
  faults.beforeWrite(actions.signOutAsker);
  expect((await actions.changePassword()).status).toBe(401);
  expect(await sessionsOf(world, ada.uid)).toEqual([sessionIdOf(second)]);
  expect((await actions.signIn()).status).toBe(201);
});

const signOutMeanwhile = (person: Person) =>
  faults.beforeWrite(() => world.as(person).sessions.signOut());

test('a session that ends in between removes no passkey, app or API key, and ends no other session', async () => {
  const ours = await passkeyProject(world, { mfa: 'optional' });
  const owner = await ours.newUser();
  const { workspace_id } = await world.workspace({ owner });
  const { passkey_id } = (await ours.add(owner)).passkey;
  const asOwner = world.as(owner);
  const { secret } = (await asOwner.factors.startTotp({})).body;
  await asOwner.factors.confirmTotp({ code: await newApp(secret).codeBefore() });
  const { key_id } = (await asOwner.apiKeys.create({ name: 'own' })).body;
  const workspaceKey = await asOwner.workspaceKeys.create({ workspace_id, name: 'shared' });
  const session_id = sessionIdOf(owner);
  const removals: Record<string, (as: ReturnType<World['as']>) => Promise<{ status: number }>> = {
    passkey: ({ passkeys }) => passkeys.delete({ passkey_id }),
    app: ({ factors }) => factors.deleteTotp({ code: newApp(secret).code() }),
    key: ({ apiKeys }) => apiKeys.revoke({ key_id }),
    'key of the workspace': ({ workspaceKeys }) =>
      workspaceKeys.revoke({ workspace_id, key_id: workspaceKey.body.key_id }),
    session: ({ sessions }) => sessions.end({ session_id }),
    'every other session': ({ sessions }) => sessions.endAll({}),
  };
  for (const [what, remove] of Object.entries(removals)) {
    const late = { ...owner, ...(await world.session(owner.uid, ours.project)) };
    signOutMeanwhile(late);
    expect((await remove(world.as(late))).status, what).toBe(401);
  }
  // All of it is still there to be removed.
  const last = await world.session(owner.uid, ours.project);
  for (const [what, remove] of Object.entries(removals))
    expect((await remove(world.as(last))).status, what).toBe(200);
});

test('a session that ends in between cannot add a passkey, an authenticator app, recovery codes or an API key', async () => {
  const ours = await passkeyProject(world, { mfa: 'optional' });
  const ada = await ours.newUser();
  const credential = newAuthenticator(page).create((await ours.creation(ada)).body.publicKey);
  signOutMeanwhile(ada);
  expect((await ours.register(ada, credential)).status).toBe(401);
  expect(await world.table.query(keys.user(ada.uid).pk, 'PASSKEY#')).toEqual([]);

  const bob = await ours.newUser();
  const { factors } = world.as(bob);
  const code = await newApp((await factors.startTotp({})).body.secret).codeBefore();
  signOutMeanwhile(bob);
  expect((await factors.confirmTotp({ code })).status).toBe(401);
  expect(await world.table.get(keys.factor(bob.uid))).not.toHaveProperty('confirmed_at');
  const anew = await world.session(bob.uid, ours.project);
  const app = newApp((await world.as(anew).factors.startTotp({})).body.secret);
  const confirmed = await world.as(anew).factors.confirmTotp({ code: await app.codeBefore() });
  const { recovery_digests } = (await world.table.get(keys.factor(bob.uid))) ?? {};
  signOutMeanwhile({ ...bob, ...anew });
  const recovery_code = confirmed.body.recovery_codes[0] ?? '';
  const renewed = await world.as(anew).factors.renewRecoveryCodes({ recovery_code });
  expect(renewed.status).toBe(401);
  expect(await world.table.get(keys.factor(bob.uid))).toMatchObject({ recovery_digests });

  const eve = await world.user({ project: ours.project });
  signOutMeanwhile(eve);
  expect((await world.as(eve).apiKeys.create({ name: 'late' })).status).toBe(401);
  const again = await world.session(eve.uid, ours.project);
  const early = await world.as(again).apiKeys.create({ name: 'early' });
  const { key_id, created_at } = early.body;
  signOutMeanwhile({ ...eve, ...again });
  expect((await world.as(again).apiKeys.rotate({ key_id })).status).toBe(401);
  expect(await world.table.query(keys.user(eve.uid).pk, 'API_KEY#')).toEqual([
    expect.objectContaining({ key_id, modified_at: created_at }),
  ]);

  const { owner, workspace_id } = await world.workspace();
  const { workspaceKeys } = world.as(world.project);
  const { body: made } = await workspaceKeys.create({ workspace_id, name: 'early' });
  signOutMeanwhile(owner);
  const late = { workspace_id, name: 'late' };
  expect((await world.as(owner).workspaceKeys.create(late)).status).toBe(401);
  const back = await world.session(owner.uid, world.project);
  signOutMeanwhile({ ...owner, ...back });
  const rotation = { workspace_id, key_id: made.key_id };
  expect((await world.as(back).workspaceKeys.rotate(rotation)).status).toBe(401);
  expect(await world.table.query(keys.workspace(workspace_id).pk, 'API_KEY#')).toEqual([
    expect.objectContaining({ key_id: made.key_id, modified_at: made.created_at }),
  ]);
});

test.each([
  ['signIn', 'endAll', 201],
  ['endAll', 'signIn', 200],
  // In a session of that device, which would otherwise stay.
  ['changePassword', 'endAll', 401],
  ['endOthers', 'endAll', 401],
  ['endOthers', 'disable', 401],
] as const)(
  '%s, and %s in between: a device token from before is no longer recognised',
  async (first, between, status) => {
    const at = await scene();
    const { email, post, ada } = at;
    type Signed = { device_token: string };
    const signIn = async (device_token?: string) => {
      const proof = { email, password: goodPassword, device_token };
      return (await post<Signed>('/sessions/password', proof)) as { status: number; body: Signed };
    };
    const nameIn = (token: string) => /^dt_.{36}_(.+)\./.exec(token)?.[1] ?? '';
    const { device_token } = (await signIn()).body;
    // Leaves one session of that device: otherwise the end of another would reject the first request anyway.
    await at.actions.endOthers();
    const by = { ...at.actions, signIn: () => signIn(device_token) };
    faults.inject(doneAfter(by[between]), { when: ({ operation }) => firstWrites.has(operation) });
    expect(((await by[first]()) as { status: number }).status).toBe(status);
    await world.call('PUT', `/users/${ada.uid}`, at.project.basic, { disabled: false });
    // From the known device, with its old token.
    const again = nameIn((await signIn(device_token)).body.device_token);
    const user = await world.table.get(keys.user(ada.uid));
    expect(user?.['devices']).toEqual([again]);
    expect(again).not.toBe(nameIn(device_token));
  },
);

function isOfSession({ Key }: Record<string, unknown>): boolean {
  return JSON.stringify(Key ?? {}).includes('SESSION#');
}

/** Guards, methods and sessions must agree with their user. */
async function expectConsistent({ ada, project_id, another, second }: Scene, ...done: Action[]) {
  const user = await world.table.get(keys.user(ada.uid));
  const guard = await world.table.get(keys.emailGuard(project_id, String(user?.['email'])));
  expect(guard?.['uid']).toBe(ada.uid);
  const owner = await world.table.get(keys.emailGuard(project_id, another));
  if (user?.['email'] !== another) expect(owner?.['uid']).not.toBe(ada.uid);
  const password = await world.table.get(keys.password(ada.uid));
  const methods = Object.keys(user?.['sign_in_methods'] ?? {});
  expect(methods.includes('idpw')).toBe(password !== undefined);
  expect(methods.includes('google')).toBe(Object.hasOwn(user?.['identities'] ?? {}, 'google'));
  const sessions = await sessionsOf(world, ada.uid);
  if (done.includes('disable')) expect(sessions).toEqual([]);
  // Actions that end all sessions must leave none.
  const all: Action[] = ['endAll', 'setPassword', 'setAnother', 'takeOver', 'unprove', 'disable'];
  if (all.some((each) => done.includes(each))) expect(sessions).not.toContain(sessionIdOf(second));
  const forgetting: Action[] = [...all, 'endOthers', 'changePassword', 'changeBySecond'];
  if (forgetting.some((each) => done.includes(each)))
    expect(user?.['devices']).not.toContain('of-thief');
}
