import { beforeEach, expect, test } from 'vitest';
import type { UserExport } from '#shared/contract/user-export.ts';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject } from '../../support/factors.ts';
import { guessedAt } from '../../support/limits.ts';
import { goodPassword, type Started } from '../../support/sign-in.ts';
import { atWindow, pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

/** What support sees of a user who cannot sign in: in the export for the backend, and in no other. */
const world = await startWorld();
const { seconds, max } = rates.passwordFailures;
const quarter = seconds * 1_000;
beforeEach(() => {
  atWindow(seconds, 60);
});

const ours = await factorProject(world, { impersonation: 'on' });
const { project, project_id, post } = ours;
const backend = world.as(project.basic);
const wrong = 'incorrect horse battery staple';
const signIn = (email: string, password: string) =>
  post<Started>('/sessions/password', { email, password });
const obstaclesIn = ({ locks, mail_stopped }: UserExport) => ({ locks, mail_stopped });
const none = { locks: undefined, mail_stopped: undefined };
const shown = async (uid: string, as = backend) =>
  obstaclesIn((await as.users.export({ uid })).body);
/** The end of the present quarter of an hour. */
const itsEnd = () => new Date(Math.ceil(Date.now() / quarter) * quarter).toISOString();

test('the tenth wrong password locks it until the quarter of an hour ends, for the backend to see', async () => {
  const email = 'quarter@example.com';
  const { uid } = await ours.signUp(email);
  for (let i = 1; i < max; i += 1) expectProblem(await signIn(email, wrong), 'invalid_credentials');
  expect(await shown(uid)).toEqual(none);
  expectProblem(await signIn(email, wrong), 'invalid_credentials');
  const until = itsEnd();
  const locks = [{ credential: 'password', wrong_attempts: max, until }];
  expect(await shown(uid)).toEqual({ ...none, locks });
  expectProblem(await signIn(email, goodPassword), 'too_many_requests');
  pass(Date.parse(until) - Date.now() - 1);
  expect(await shown(uid)).toEqual({ ...none, locks });
  pass(1);
  expect(await shown(uid)).toEqual(none);
  expect((await signIn(email, goodPassword)).status).toBe(201);
});

test('a hundred wrong passwords in a row lock it without an end, until a new one is set by mail', async () => {
  const email = 'hundred@example.com';
  const { uid } = await ours.signUp(email);
  await guessedAt(world, { project_id, email });
  expect(await shown(uid)).toEqual(none);
  await signIn(email, wrong);
  const locks = [{ credential: 'password', wrong_attempts: limits.wrongPasswordsInARow }];
  expect(await shown(uid)).toEqual({ ...none, locks });
  pass(366 * 86_400_000);
  expect(await shown(uid)).toEqual({ ...none, locks });
  expectProblem(await signIn(email, goodPassword), 'password_locked');
  await post('/passwords/forgotten', { email });
  const token = await ours.mailed(email);
  expect((await post('/passwords', { token, password: wrong })).status).toBe(201);
  expect(await shown(uid)).toEqual(none);
});

test('a lock belongs to the e-mail: none for a user without a password, nor after a change of the e-mail', async () => {
  const [email, without] = ['moving@example.com', 'without@example.com'] as const;
  const { uid } = await ours.signUp(email);
  const other = await ours.signInByCode(without);
  for (const each of [email, without])
    await guessedAt(world, { project_id, email: each }, limits.wrongPasswordsInARow);
  expect((await shown(uid)).locks).toHaveLength(1);
  expect(await shown(other.uid)).toEqual(none);
  await backend.users.update({ uid, email: 'moved@example.com' });
  expect(await shown(uid)).toEqual(none);
});

test('wrong codes lock the app for a quarter of an hour; a hundred in a row until a recovery code is used', async () => {
  const email = 'app@example.com';
  const ada = await ours.signUp(email);
  const { app, recovery_codes } = await ours.enrol(ada, { current_password: goodPassword });
  const first = async () => (await ours.byPassword(email)).body;
  for (let i = 0; i < max; i += 1) await ours.finish(await first(), { code: app.wrong() });
  const locks = [{ credential: 'totp', wrong_attempts: max, until: itsEnd() }];
  expect(await shown(ada.uid)).toEqual({ ...none, locks });
  expectProblem(await ours.finish(await first(), { code: app.code() }), 'too_many_requests');
  pass(quarter);
  expect(await shown(ada.uid)).toEqual(none);
  const tries = limits.wrongFactorCodesInARow;
  await world.table.update(keys.factor(ada.uid), { tries });
  const forGood = [{ credential: 'totp', wrong_attempts: tries }];
  expect(await shown(ada.uid)).toEqual({ ...none, locks: forGood });
  expectProblem(await ours.finish(await first(), { code: app.code() }), 'factor_locked');
  const proof = { recovery_code: recovery_codes[0] ?? '' };
  expect((await ours.finish(await first(), proof)).status).toBe(201);
  expect(await shown(ada.uid)).toEqual(none);
});

test('mail that has stopped is shown with its reason, until the backend vouches for the e-mail', async () => {
  const email = 'bounce+support@simulator.amazonses.com';
  const { uid } = await world.user({ project, email });
  await post('/codes', { email });
  await world.drainStream();
  const { mail_stopped, locks } = await shown(uid);
  expect(mail_stopped).toEqual({ at: new Date().toISOString(), because: 'bounced' });
  expect(locks).toBeUndefined();
  await backend.users.update({ uid, email, email_verified: true });
  expect(await shown(uid)).toEqual(none);
});

test('only the backend sees it: not the user, nor who acts as the user, nor a stranger, nor another project', async () => {
  const email = 'bounce+own@simulator.amazonses.com';
  await world.user({ project, email });
  const { uid } = (await backend.users.list({ email })).body.result[0] ?? { uid: '' };
  await world.table.update(keys.user(uid), { sign_in_methods: { idpw: { enabled: true } } });
  await post('/codes', { email });
  await world.drainStream();
  await guessedAt(world, { project_id, email }, limits.wrongPasswordsInARow);
  const all = { locks: [expect.anything()], mail_stopped: expect.anything() };
  expect(await shown(uid)).toEqual(all);
  const own = (await backend.sessions.create({ uid })).body;
  const actor = { id: 'grace@support.example.com', reason: 'Ticket 4711' };
  const acting = (await backend.sessions.create({ uid, actor })).body;
  for (const { access_token } of [own, acting])
    expect(await shown(uid, world.as(`Bearer ${access_token}`))).toEqual(none);
  const stranger = await world.user({ project });
  const elsewhere = await world.newProject();
  for (const caller of [stranger.bearer, elsewhere.basic])
    expectProblem(await world.as(caller).users.export({ uid }), 'not_found');
});

test('a limited secret sees it if it may read users', async () => {
  const limited = async (scope: string) => {
    const made = await world.operate({ action: 'create-secret', project_id, scopes: [scope] });
    const { secret } = made as { secret: string };
    return world.as(world.basic({ project_id, secret })).users;
  };
  const [reader, other] = [await limited('users:read'), await limited('stats:read')];
  const email = 'limited@example.com';
  const { uid } = await ours.signUp(email);
  await guessedAt(world, { project_id, email }, limits.wrongPasswordsInARow);
  // An instance asks for unknown secrets again after some seconds.
  pass(60_000);
  const { status, body } = await reader.export({ uid });
  expect([status, body.locks]).toEqual([200, [expect.anything()]]);
  expectProblem(await other.export({ uid }), 'insufficient_scope');
});

test('only the first page has it, and only that reads it', async () => {
  const email = 'paged@example.com';
  const owner = await ours.signUp(email);
  await guessedAt(world, { project_id, email }, limits.wrongPasswordsInARow);
  for (let i = 0; i <= limits.exportedOfEach; i += 1)
    await world.workspace({ owner, name: `Room ${i}` });
  const first = await backend.users.export({ uid: owner.uid });
  expect(obstaclesIn(first.body).locks).toHaveLength(1);
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(cursor).not.toBe('');
  const next = await backend.users.export({ uid: owner.uid, cursor: decodeURIComponent(cursor) });
  expect(obstaclesIn(next.body)).toEqual(none);
});
