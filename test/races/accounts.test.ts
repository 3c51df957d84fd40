/** @module-tag alone */
import { describe, expect, test } from 'vitest';
import { invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { keys } from '../../shared/db/keys.ts';
import { settingsOf } from '../support/identities.ts';
import { liftTries } from '../support/limits.ts';
import { record } from '../support/mail-feed.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { queued } from '../support/queued.ts';
import { goodPassword, type Started } from '../support/sign-in.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, oneOf, times } from './many.ts';
import {
  expectDead,
  expectOneOwner,
  itemsOf,
  knownCode,
  newScene,
  type Scene,
  sessionsOf,
  successes,
} from './scene.ts';

// Changes that end the sessions of an account, or its e-mail, while users sign in to it.
const world = await startWorld();
const provider = await startOpenidProvider();
const google = settingsOf(provider);
const other = `other ${goodPassword}`;
const signIn = ({ post, email }: Scene, password: string) =>
  post<Started>('/sessions/password', { email, password });
const byToken = ({ post, email }: Scene, sub: string) =>
  post<Started>('/sessions/identity', {
    provider: 'google',
    id_token: provider.signed({ sub, email }),
  });

/** A scene with a signed-up user whose concurrent correct passwords do not count as wrong ones. */
async function signedUp() {
  const at = await newScene(world, { identity_providers: { google } });
  const ada = await at.signUp(at.email);
  await liftTries(world, at);
  return { ...at, ada };
}

test('a user who is disabled during 50 concurrent sign-ins of every kind has no session, and cannot start one', async () => {
  const at = await signedUp();
  const { ada, email, post, project } = at;
  const first = await byToken(at, 'ada');
  expect(first.status).toBe(201);
  const codes = await times(10, () => knownCode(at));
  // Sends pending mails first: of mails sent concurrently any may be the newest.
  await world.drainStream();
  await post('/passwords/forgotten', { email });
  const token = await at.mailed(email);
  const ways = [
    () => world.as(project).sessions.create({ uid: ada.uid }),
    (i: number) => post<Started>('/sessions/code', codes[Math.floor(i / 5)] ?? {}),
    () => byToken(at, 'ada'),
    () => signIn(at, goodPassword),
    () => post<Started>('/passwords', { token, password: other }),
  ];
  const start = (i: number) => ways[i % 5]?.(i) ?? Promise.reject(new Error('no way'));
  const [[disabled], answers] = await Promise.all([
    times(1, () => world.as(project).users.update({ uid: ada.uid, disabled: true })),
    times(50, start),
  ]);
  expect(disabled?.status).toBe(200);
  const { 201: _, user_disabled: __, ...others } = counted(answers);
  // The first request consumes the token; the old password is then wrong for the others.
  for (const code of Object.keys(others))
    expect(['mail_token_invalid', 'invalid_credentials']).toContain(code);
  expect(await sessionsOf(world, ada.uid)).toEqual([]);
  await expectDead(world, [{ body: ada }, first, ...successes(answers)]);
  const later = await times(4, (i) => start(i));
  for (const { status } of later) expect([401, 403]).toContain(status);
  expect(await sessionsOf(world, ada.uid)).toEqual([]);
});

test('a password change during 30 sign-ins with the old password leaves none of their sessions', async () => {
  const at = await signedUp();
  const { ada } = at;
  const body = { current_password: goodPassword, new_password: other };
  const [[changed], answers] = await Promise.all([
    times(1, () => world.as(ada).passwords.change(body)),
    times(30, () => signIn(at, goodPassword)),
  ]);
  // A retry after a lost response finds another password.
  expect(disturbed() ? [200, 401] : [200]).toContain(changed?.status);
  const { 201: _, invalid_credentials: __, ...others } = counted(answers);
  expect(others).toEqual({});
  expect(await sessionsOf(world, ada.uid)).toEqual([sessionIdOf(ada)]);
  await expectDead(world, successes(answers));
  expect((await signIn(at, goodPassword)).status).toBe(401);
  expect((await signIn(at, other)).status).toBe(201);
});

test('one of 20 concurrent requests with a token sets the password, and ends all other sessions', async () => {
  const at = await signedUp();
  const { ada, email, post } = at;
  await post('/passwords/forgotten', { email });
  const token = await at.mailed(email);
  const passwordOf = (i: number) => `${other} ${i}`;
  const answers = await times(20, (i) =>
    post<Started>('/passwords', { token, password: passwordOf(i) }),
  );
  expect(oneOf(20, '201', 'mail_token_invalid')).toContainEqual(counted(answers));
  await expectDead(world, [{ body: ada }]);
  expect(await sessionsOf(world, ada.uid)).toHaveLength(1);
  const won = answers.findIndex(({ status }) => status === 201);
  const good = await times(20, (i) => signIn(at, passwordOf(i)));
  expect(good.flatMap(({ status }, i) => (status === 201 ? i : []))).toEqual(
    won < 0 ? [expect.any(Number)] : [won],
  );
});

test('an e-mail that a user confirms while others sign up with it has one owner', async () => {
  for (let round = 0; round < 6; round += 1) {
    const at = await newScene(world);
    const { email, post, project } = at;
    const mover = await world.user({ email: `mover${round}@example.com`, project, verified: true });
    const { emails } = world.as(mover);
    await emails.change({ email });
    const token = await at.mailed(email);
    const codes = await times(6, () => knownCode(at));
    const confirm = () => emails.confirm({ token });
    const ways = codes.map((code) => () => post('/sessions/code', code));
    // Varies which request arrives first.
    ways.splice(round, 0, confirm);
    const answers = await times(7, (i) => ways[i]?.() ?? Promise.reject());
    const [confirmed] = answers.splice(round, 1);
    const { uid } = await expectOneOwner(world, at);
    if (!disturbed()) expect(counted(answers)).toEqual({ 201: 6 });
    for (const { body } of successes(answers)) expect(body).toMatchObject({ uid });
    if (uid === mover.uid) expect(disturbed() || confirmed?.status === 200).toBe(true);
    else expect(confirmed?.body).toMatchObject({ code: 'email_taken' });
    const { body: still } = await world.as(project).users.get({ uid: mover.uid });
    expect(still.email).toBe(uid === mover.uid ? email : mover.email);
    const freed = await world.table.get(keys.emailGuard(at.project_id, mover.email));
    expect(freed?.['uid']).toBe(uid === mover.uid ? undefined : mover.uid);
  }
});

test('one of 20 provider accounts that sign in with the e-mail of a user is linked', async () => {
  const at = await newScene(world, { identity_providers: { google } });
  const { email, project, project_id } = at;
  const { uid } = await world.user({ email, project, verified: true });
  const answers = await times(20, (i) => byToken(at, `account ${i}`));
  expect(oneOf(20, '201', 'identity_conflict')).toContainEqual(counted(answers));
  const identities = (await itemsOf(world, project_id)).filter(({ sk }) => sk === 'IDENTITY');
  expect(identities).toMatchObject([{ uid }]);
  const user = await expectOneOwner(world, at, uid);
  const { subject } = (user['identities'] as { google: { subject: string } }).google;
  expect(identities[0]?.['pk']).toBe(keys.identity(project_id, provider.issuer, subject).pk);
});

test('an attacker who prepared an account loses it, however many sign-ins its owner starts concurrently', async () => {
  const at = await newScene(world, { identity_providers: { google } });
  const { email, post, project } = at;
  // An attacker had the backend create a user with the e-mail, which is unverified.
  const stranger: Person = await world.user({ email, project });
  await post('/sign-up', { email });
  const token = await at.mailed(email);
  const codes = await times(10, () => knownCode(at));
  const answers = await times(20, (i) =>
    i % 2
      ? post<Started>('/sessions/code', codes[Math.floor(i / 2)] ?? {})
      : post<Started>('/passwords', { token, password: goodPassword }),
  );
  for (const { status } of answers)
    expect([201, 400, ...(disturbed() ? [401] : [])]).toContain(status);
  await expectDead(world, [{ body: stranger }]);
  const { verified } = await expectOneOwner(world, at, stranger.uid);
  expect(verified).toEqual({ email: true });
  expect(await sessionsOf(world, stranger.uid)).not.toContain(sessionIdOf(stranger));
});

test('a provider account that two users link concurrently is linked to one of them', async () => {
  const at = await newScene(world, { identity_providers: { google } });
  const { project, project_id } = at;
  for (let round = 0; round < 5; round += 1) {
    const two = await times(2, (i) =>
      world.user({ email: `wants${round}.${i}@example.com`, project, verified: true }),
    );
    const sub = `wanted ${round}`;
    // A link made by the same user's other request is no conflict.
    const answers = await times(10, (i) =>
      world.as(two[i % 2]).identities.link({
        provider: 'google',
        id_token: provider.signed({ sub, email: 'somebody@example.com' }),
      }),
    );
    expect(counted(answers)).toEqual({ 200: 5, identity_conflict: 5 });
    const identity = await world.table.get(keys.identity(project_id, provider.issuer, sub));
    for (const { uid } of two) {
      const user = await world.table.get(keys.user(uid));
      expect(user?.['identities'] !== undefined).toBe(identity?.['uid'] === uid);
    }
  }
});

describe('two concurrent senders of the same mail', () => {
  const handler = fromSource('mail.send');
  const deliver = async (mails: Record<string, unknown>[]) => {
    const Records = mails.map((mail, i) => record(mail, i));
    return invoke('mail.send', await handler, queued(Records));
  };

  test('send a mail that failed temporarily once, when it is retried', async () => {
    const at = await newScene(world);
    world.permissions.useStream('mail.send');
    await knownCode(at);
    const mails = (await itemsOf(world, at.project_id)).filter(({ sk }) => sk === 'MAIL');
    world.outbox.failNext({ status: 429, code: 'TooManyRequestsException' });
    const first = await Promise.all([deliver(mails), deliver(mails)]);
    expect(JSON.stringify(first)).toContain('"itemIdentifier":"0"');
    await Promise.all([deliver(mails), deliver(mails)]);
    expect(world.mails().filter(({ to }) => to === at.email)).toHaveLength(1);
  });
});
