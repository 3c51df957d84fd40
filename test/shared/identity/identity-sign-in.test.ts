/** @module-tag engine */
import { afterAll, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity as signIn } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

// The user that an account at a provider signs in, over HTTP.
const world = await startWorld();
const google = await startOpenidProvider();
const other = await startOpenidProvider();
afterAll(() => Promise.all([google.close(), other.close()]));

const identity_providers = { google: settingsOf(google), other: settingsOf(other) };
/** A project of its own, with both providers. */
const fresh = () => signInProject(world, { identity_providers });
/** The user of a session, or why there is none. */
const getMe = ({ access_token }: { access_token: string }) =>
  world.as(`Bearer ${access_token}`).users.getMe();

describe('the e-mail of a user', () => {
  test('201 links where both have verified it: what was empty is filled, what was set stays', async () => {
    const ours = await fresh();
    const person = newPerson({ name: 'Ada Lovelace', picture: 'https://pictures.example.com/a' });
    const before = await world.user({
      project: ours.project,
      email: person.email.toUpperCase().replace('@GMAIL.COM', '@gmail.com'),
      verified: true,
      display_name: 'Countess',
    });
    const { status, body } = await signIn(ours, await google.idToken(person));
    expect(status).toBe(201);
    expect([body.uid, body.user_created]).toEqual([before.uid, false]);
    expect(body.user).toEqual({
      ...before.user,
      social: 'google',
      sign_in_methods: { google: { enabled: true } },
      name: { given_name: '', family_name: '', formatted: 'Ada Lovelace' },
      thumbnail_url: 'https://pictures.example.com/a',
      modified_at: aTime(),
      last_sign_in_at: aTime(),
    });
    expect((await getMe(body)).body).toEqual(body.user);
    // Earlier sessions remain valid: it is the same person.
    expect((await getMe(before)).status).toBe(200);
  });

  test('201 keeps the password: both ways in lead to one user', async () => {
    const ours = await fresh();
    const person = newPerson();
    const { uid } = await ours.signUp(person.email);
    const { body } = await signIn(ours, google.signed(person));
    expect([body.uid, body.user.sign_in_methods]).toEqual([
      uid,
      { idpw: { enabled: true }, google: { enabled: true } },
    ]);
    expect((await ours.signIn(person.email)).uid).toBe(uid);
  });

  test('201 links two providers with one user', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = (await signIn(ours, google.signed(person))).body;
    const theirs = other.signed({ ...person, sub: 'somebody-else' });
    const second = await signIn(ours, theirs, { provider: 'other' });
    expect(second.body).toMatchObject({
      uid: first.uid,
      user_created: false,
      user: {
        social: 'other',
        sign_in_methods: { google: { enabled: true }, other: { enabled: true } },
      },
    });
    expect((await signIn(ours, google.signed(person))).body.uid).toBe(first.uid);
  });

  test('409 identity_link_required where it is not proven here; a mailed code proves it, then 201', async () => {
    const ours = await fresh();
    const person = newPerson();
    const { email } = person;
    const { uid, user } = await world.user({ project: ours.project, email });
    const answer = await signIn(ours, google.signed(person));
    expectProblem(answer, 'identity_link_required');
    const read = await world.as(ours.project).users.get({ uid });
    expect(read.body).toEqual(user);
    await ours.signInByCode(email);
    const linked = await signIn(ours, google.signed(person));
    expect(linked.status).toBe(201);
    expect(linked.body).toMatchObject({ uid, user_created: false, user: { social: 'google' } });
  });

  test("409 identity_conflict for another of the provider's accounts: a mailbox may get another owner", async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = (await signIn(ours, google.signed(person))).body;
    const answer = await signIn(ours, google.signed({ ...person, sub: 'the-next-owner' }));
    expectProblem(answer, 'identity_conflict');
    const again = await signIn(ours, google.signed(person));
    expect(again.body.user).toEqual({ ...first.user, last_sign_in_at: aTime() });
  });

  test('201 for a known account whatever its e-mail is by now, at the provider and here', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = (await signIn(ours, google.signed(person))).body;
    const taken = await world.user({ project: ours.project, verified: true });
    const moved = [
      { ...person, email: 'elsewhere@gmail.com' },
      { ...person, email: 'unverified@gmail.com', email_verified: false },
      { ...person, email: taken.email },
    ];
    for (const claims of moved) {
      const { status, body } = await signIn(ours, google.signed(claims));
      expect(status).toBe(201);
      expect(body.user).toEqual({ ...first.user, last_sign_in_at: aTime() });
    }
    await world.as(ours.project).users.update({ uid: first.uid, email: 'here@example.com' });
    expect((await signIn(ours, google.signed(person))).body).toMatchObject({
      uid: first.uid,
      user: { email: 'here@example.com' },
    });
    // The address is free: its current owner at the provider is another person.
    const next = await signIn(ours, google.signed({ ...person, sub: 'somebody-new' }));
    expect([next.status, next.body.user_created]).toEqual([201, true]);
    expect(next.body.uid).not.toBe(first.uid);
  });

  test('whoever proves the mailbox of a doubtful user is rid of the accounts that were linked before', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = (await signIn(ours, google.signed(person))).body;
    await world.as(ours.project).users.update({ uid: first.uid, email: 'victim@example.com' });
    const victim = await ours.signInByCode('victim@example.com');
    expect(victim.uid).toBe(first.uid);
    expect(victim.user.social).toBeUndefined();
    expect(victim.user.sign_in_methods).toEqual({});
    const back = await signIn(ours, google.signed(person));
    expect(back.body.user_created).toBe(true);
    expect(back.body.uid).not.toBe(victim.uid);
  });
});

describe("Google's word on an e-mail", () => {
  const iss = 'https://accounts.google.com';
  const trusting = () =>
    signInProject(world, {
      identity_providers: { google: { ...settingsOf(google), issuer: iss } },
    });
  const claims = (of: object) => google.signed({ ...newPerson(), iss, ...of });

  test('counts for what Google runs: its own mailboxes and those of its customers', async () => {
    const ours = await trusting();
    const { project } = ours;
    for (const [email, more] of [
      ['ada@gmail.com', {}],
      ['ada@googlemail.com', {}],
      ['ada@customer.com', { hd: 'customer.com' }],
    ] as const) {
      const { uid } = await world.user({ project, email, verified: true });
      const { status, body } = await signIn(ours, claims({ email, ...more }));
      expect([status, body.uid]).toEqual([201, uid]);
    }
  });

  test('409 links nobody by any other: the mailbox may have passed to somebody else since', async () => {
    const ours = await trusting();
    const { project } = ours;
    for (const [email, more] of [
      ['boss@startup.com', {}],
      ['boss@startup.org', { hd: 'startup.com' }],
      ['boss@gmail.com.startup.net', {}],
    ] as const) {
      const before = await world.user({ project, email, verified: true });
      const answer = await signIn(ours, claims({ email, ...more }));
      expectProblem(answer, 'identity_link_required');
      expect((await getMe(before)).body).toEqual(before.user);
    }
  });

  test('201 makes somebody new a user, whose e-mail is not proven by it', async () => {
    const ours = await trusting();
    const { body } = await signIn(ours, claims({ email: 'new@startup.com' }));
    expect(body.user_created).toBe(true);
    expect(body.user.verified).toEqual({ email: false });
    // The current owner of the mailbox takes the user over, and the Google account is unlinked.
    const owner = await ours.signInByCode('new@startup.com');
    expect([owner.uid, owner.user.social]).toEqual([body.uid, undefined]);
    expectProblem(await getMe(body), 'unauthenticated');
  });
});

test('404 for an account whose user is gone, while it is still linked', async () => {
  const ours = await fresh();
  const token = google.signed(newPerson());
  const { uid } = (await signIn(ours, token)).body;
  await world.table.delete(keys.user(uid));
  expectProblem(await signIn(ours, token), 'not_found');
});

describe('one subject', () => {
  test('of two providers is two people', async () => {
    const ours = await fresh();
    const sub = '1';
    const one = await signIn(ours, google.signed(newPerson({ sub })));
    const two = await signIn(ours, other.signed(newPerson({ sub })), { provider: 'other' });
    expect([one.body.user_created, two.body.user_created]).toEqual([true, true]);
    expect(two.body.uid).not.toBe(one.body.uid);
  });

  test('in two projects is two users', async () => {
    const [ours, theirs] = [await fresh(), await fresh()];
    const token = google.signed(newPerson());
    const [one, two] = [await signIn(ours, token), await signIn(theirs, token)];
    expect([one.body.user_created, two.body.user_created]).toEqual([true, true]);
    expect(two.body.uid).not.toBe(one.body.uid);
  });
});
