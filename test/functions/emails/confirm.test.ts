import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { claimsOf } from '../../model/tokens.ts';
import { counted, times } from '../../races/many.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { openings, preparedAccount } from '../../support/prepared.ts';
import { eventsDuring } from '../../support/recorded-events.ts';
import type { Caller } from '../../support/routes.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const confirm = (who: Caller, token: string) => world.as(who).emails.confirm({ token });
const getMe = async (who: Caller) => (await world.as(who).users.getMe()).body;
/** A separate project, because mails are rate limited per project. */
const fresh = () => signInProject(world);

/** Requests a token that verifies the user's current e-mail. */
async function verification(ours: SignIn, person: Person): Promise<string> {
  await world.as(person).emails.verify();
  return ours.mailed(person.email);
}

/** Requests a token that changes the user's e-mail. */
async function change(ours: SignIn, person: Person, email: string): Promise<string> {
  const current_password = person.user.sign_in_methods?.['idpw'] ? goodPassword : undefined;
  await world.as(person).emails.change({ email, current_password });
  return ours.mailed(email);
}

describe('the current e-mail of the user', () => {
  test('200 is verified, and sessions that the backend started stay', async () => {
    const ours = await fresh();
    const person = await world.user({ project: ours.project, display_name: 'Ada' });
    const other = await world.session(person.uid, ours.project);
    const token = await verification(ours, person);
    const { status, headers, body } = await confirm(person, token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      ...person.user,
      verified: { email: true },
      modified_at: aTime(),
      last_sign_in_at: aTime(),
    });
    expect(await getMe(other)).toEqual(body);
    expect(await getMe(person)).toEqual(body);
    // Verifying one's own address sends no notification.
    await world.drainStream();
    expect(world.mails().filter(({ to }) => to === person.email)).toHaveLength(1);
  });

  test.each(openings)(
    '200 removes every sign-in method but that of the confirming session: %s',
    async (opening) => {
      const ours = await fresh();
      const account = await preparedAccount(world, ours, 'victim@prepared.example');
      const { uid, people } = account;
      const { bearer } = people[opening];
      // The session of the request is not the one that confirms.
      const token = await verification(ours, people.google);
      const { answer, events } = await eventsDuring(world, uid, () => confirm(bearer, token));
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(await getMe(bearer));
      expect(await account.state()).toEqual(account.expectedState(opening));
      expect(events).toMatchObject([
        { type: 'user.email_verified' },
        ...account.resetEvents(opening),
      ]);
    },
  );

  test('200 removes nothing if it was verified before', async () => {
    const ours = await fresh();
    const account = await preparedAccount(world, ours, 'known@prepared.example');
    const token = await verification(ours, account.people.project);
    await world.table.update(keys.user(account.uid), { verified: { email: true } });
    const before = await account.state();
    expect((await confirm(account.people.project.bearer, token)).status).toBe(200);
    expect(await account.state()).toEqual(before);
  });

  test('400 once the user has another e-mail, which stays unverified', async () => {
    const ours = await fresh();
    const person = await world.user({ project: ours.project });
    const token = await verification(ours, person);
    const { users } = world.as(ours.project);
    await users.update({ uid: person.uid, email: 'unproven@example.com' });
    expectProblem(await confirm(person, token), 'mail_token_invalid');
    expect((await getMe(person)).verified).toEqual({ email: false });
  });
});

describe('another e-mail', () => {
  test('200 becomes the verified e-mail of the user, in the next access token and, through the stream, in the lists of members', async () => {
    const ours = await fresh();
    const { members, workspaces } = world.as(ours.project);
    const person = await ours.signUp('old@example.com');
    const { workspace_id } = await world.workspace({ owner: person });
    const email = 'New@moved.com';
    const { status, body } = await confirm(person, await change(ours, person, email));
    expect(status).toBe(200);
    expect(body).toEqual({ ...person.user, email, modified_at: aTime() });
    expect(await getMe(person)).toEqual(body);
    const { access_token } = (await world.renew(person)).body;
    expect(claimsOf(access_token)).toMatchObject({ email, email_verified: true });
    await world.drainStream();
    const { result } = (await members.list({ workspace_id, status: 'accepted' })).body;
    expect(result).toMatchObject([{ email, verified: { email: true } }]);
    expect((await workspaces.get({ workspace_id })).body.owner_email).toBe(email);
  });

  test('200 in place of an unverified one removes every sign-in method but that of the confirming session', async () => {
    const opening = 'passkey';
    const ours = await fresh();
    const account = await preparedAccount(world, ours, 'leaving@prepared.example');
    const { uid, people } = account;
    const another = 'another@prepared.example';
    // Requested by a session that the reset may end: this is no reason to refuse it.
    const request = { email: another, current_password: goodPassword };
    await world.as(people.google).emails.change(request);
    const token = await ours.mailed(another);
    const { bearer } = people[opening];
    const { answer, events } = await eventsDuring(world, uid, () => confirm(bearer, token));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await getMe(bearer));
    expect(events).toMatchObject([
      { type: 'user.email_changed' },
      { type: 'user.email_verified' },
      ...account.resetEvents(opening).filter(({ type }) => type !== 'user.factor_removed'),
    ]);
    // A session, possibly stolen, chose this mailbox: that must not remove a second factor.
    expect(await account.state()).toEqual({ ...account.expectedState(opening), factor: true });
  });

  test('200 removes nothing from a user who had no e-mail', async () => {
    const ours = await fresh();
    const account = await preparedAccount(world, ours, 'none@prepared.example');
    const key = keys.user(account.uid);
    await world.table.update(key, { email: '', by_email_pk: undefined, by_email_sk: undefined });
    const { bearer } = account.people.project;
    const asked = { email: 'first@prepared.example', current_password: goodPassword };
    await world.as(bearer).emails.change(asked);
    const before = await account.state();
    expect((await confirm(bearer, await ours.mailed(asked.email))).status).toBe(200);
    expect(await account.state()).toEqual({ ...before, verified: { email: true } });
  });

  test('200 signs in from then on, and the old e-mail does not', async () => {
    const ours = await fresh();
    const person = await ours.signUp('leaving@example.com');
    await confirm(person, await change(ours, person, 'arrived@example.com'));
    const { uid } = await ours.signIn('arrived@example.com');
    expect(uid).toBe(person.uid);
    expect((await ours.signInByCode('arrived@example.com')).uid).toBe(person.uid);
    const former = { email: 'leaving@example.com', password: goodPassword };
    expectProblem(await ours.post('/sessions/password', former), 'invalid_credentials');
    // The former e-mail is free: the mailbox's current owner can sign up.
    const next = await ours.signUp('leaving@example.com');
    expect(next.uid).not.toBe(person.uid);
  });

  test('200 notifies the old e-mail, showing only the domain and first letter of the new one', async () => {
    const ours = await fresh();
    const person = await ours.signUp('told@example.com');
    await confirm(person, await change(ours, person, 'secretive@moved.com'));
    const notice = await ours.mailTo('told@example.com');
    expect(notice?.subject).toBe('Your e-mail address for Test was changed');
    expect(notice?.text.replaceAll('\u200c', '')).toContain('now has s***@moved.com instead');
    expect(`${notice?.text}${notice?.html}`).not.toMatch(/secretive|#token=/);
    expect(world.mails().filter(({ to }) => to === 'secretive@moved.com')).toHaveLength(1);
  });

  test('200 for a user who had no e-mail sends no notification', async () => {
    const ours = await fresh();
    const { uid } = (await world.as(ours.project).users.get({ uid: newUid(new Date()) })).body;
    const person = await world.session(uid, ours.project);
    const before = world.mails().length;
    const token = await change(ours, person, 'found@example.com');
    const { status, body } = await confirm(person, token);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...person.user,
      email: 'found@example.com',
      verified: { email: true },
      modified_at: aTime(),
    });
    await world.drainStream();
    expect(world.mails()).toHaveLength(before + 1);
  });

  test('200 sends no notification to an old e-mail that was unverified', async () => {
    const ours = await fresh();
    const person = await world.user({ project: ours.project, email: 'stranger@example.com' });
    const token = await change(ours, person, 'own@attacker.com');
    expect((await confirm(person, token)).status).toBe(200);
    expect(await ours.mailTo('stranger@example.com')).toBeUndefined();
  });

  test('200 verifies the same mailbox in another spelling, without a notification', async () => {
    const ours = await fresh();
    const person = await world.user({ project: ours.project, email: 'case@example.com' });
    const token = await change(ours, person, 'Case@Example.com');
    const { status, body } = await confirm(person, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ email: 'Case@Example.com', verified: { email: true } });
    await world.drainStream();
    expect(world.mails().filter(({ to }) => to === 'case@example.com')).toEqual([]);
    const found = await world.as(ours.project).users.create({ email: 'case@example.com' });
    expect([found.status, found.body.uid]).toEqual([200, person.uid]);
  });

  test('409 email_taken changes and mails nothing; the token works once the e-mail is free', async () => {
    const ours = await fresh();
    const holder = await world.user({ project: ours.project, email: 'held@example.com' });
    const person = await ours.signUp('wanting@example.com');
    const token = await change(ours, person, 'HELD@example.com');
    expectProblem(await confirm(person, token), 'email_taken');
    expect(await getMe(person)).toEqual(person.user);
    expect((await getMe(holder)).email).toBe('held@example.com');
    expect((await ours.mailTo('wanting@example.com'))?.subject).toMatch(/^Confirm your e-mail/);
    const { users } = world.as(ours.project);
    await users.update({ uid: holder.uid, email: 'let-go@example.com' });
    expect((await confirm(person, token)).body).toMatchObject({
      uid: person.uid,
      email: 'HELD@example.com',
    });
  });

  test('400 once the requesting session has ended, even from another session of the user', async () => {
    const ours = await fresh();
    const thief = await ours.signUp('robbed@example.com');
    const token = await change(ours, thief, 'thief@example.com');
    const owner = await ours.signIn('robbed@example.com');
    await world.as(owner).sessions.endAll();
    // Even a valid session is refused if the change was requested by another one.
    expectProblem(await confirm(owner, token), 'mail_token_invalid');
    expect((await getMe(owner)).email).toBe('robbed@example.com');
  });

  test('400 for a link that was requested before a password reset', async () => {
    const ours = await fresh();
    const email = 'reset@example.com';
    const thief = await ours.signUp(email);
    const token = await change(ours, thief, 'thief2@example.com');
    await ours.post('/passwords/forgotten', { email });
    const password = 'another horse battery staple';
    const reset = await ours.post<Started>('/passwords', {
      token: await ours.mailed(email),
      password,
    });
    expect(reset.status).toBe(201);
    expectProblem(await confirm(thief, token), 'unauthenticated');
    expectProblem(await confirm(`Bearer ${reset.body.access_token}`, token), 'mail_token_invalid');
  });

  test('400 for an older link once the e-mail has changed by another one', async () => {
    const ours = await fresh();
    const person = await ours.signUp('moving@example.com');
    const stale = await change(ours, person, 'nearby@example.com');
    await confirm(person, await change(ours, person, 'faraway@example.com'));
    expectProblem(await confirm(person, stale), 'mail_token_invalid');
    expect((await getMe(person)).email).toBe('faraway@example.com');
  });
});

describe('a token', () => {
  test.each([
    ['that proves an e-mail', verification, 'raced@example.com'],
    ['that changes it', change, 'before@example.com'],
  ])('%s: 200 once, even for 20 concurrent requests', async (_, ask, email) => {
    const ours = await fresh();
    const person = await world.user({ project: ours.project, email });
    const token = await ask(ours, person, 'raced@example.com');
    const answers = await times(20, () => confirm(person, token));
    expect(counted(answers)).toEqual({ 200: 1, mail_token_invalid: 19 });
    const before = await getMe(person);
    expect(before).toMatchObject({ email: 'raced@example.com', verified: { email: true } });
    expectProblem(await confirm(person, token), 'mail_token_invalid');
    expect(await getMe(person)).toEqual(before);
  });

  test('400 where a token of another purpose is expected, in either direction', async () => {
    const ours = await fresh();
    const person = await ours.signUp('purpose@example.com');
    await ours.post('/passwords/forgotten', { email: person.email });
    const reset = await ours.mailed(person.email);
    expectProblem(await confirm(person, reset), 'mail_token_invalid');
    const proof = await verification(ours, person);
    const password = 'another horse battery staple';
    expectProblem(await ours.post('/passwords', { token: proof, password }), 'mail_token_invalid');
    expect((await confirm(person, proof)).status).toBe(200);
    expect((await ours.post('/passwords', { token: reset, password })).status).toBe(201);
  });
});
