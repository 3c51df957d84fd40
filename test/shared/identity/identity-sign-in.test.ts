/** @module-tag engine */
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity as signIn } from '../../support/identities.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { twoProviders } from '../../support/two-providers.ts';
import { startWorld } from '../../support/world.ts';

// The user that an account at a provider signs in, over HTTP.
const world = await startWorld();
const { google, other, fresh } = await twoProviders(world);
const signedInAs = async (ours: SignIn, person: ReturnType<typeof newPerson>) =>
  (await signIn(ours, google.signed(person))).body;
const getMe = ({ access_token }: { access_token: string }) =>
  world.as(`Bearer ${access_token}`).users.getMe();

describe('an e-mail that a user already has', () => {
  test('201 links the account if both sides have verified it: fills empty fields, keeps those that are set', async () => {
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

  test('201 keeps the password: both sign-in methods lead to one user', async () => {
    const ours = await fresh();
    const person = newPerson();
    const { uid } = await ours.signUp(person.email);
    const { body } = await signIn(ours, google.signed(person));
    const both = { idpw: { enabled: true }, google: { enabled: true } };
    expect([body.uid, body.user.sign_in_methods]).toEqual([uid, both]);
    expect((await ours.signIn(person.email)).uid).toBe(uid);
  });

  test('201 links accounts at two providers to one user', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = await signedInAs(ours, person);
    const theirs = other.signed({ ...person, sub: 'somebody-else' });
    const second = await signIn(ours, theirs, { provider: 'other' });
    const sign_in_methods = { google: { enabled: true }, other: { enabled: true } };
    expect(second.body).toMatchObject({
      ...{ uid: first.uid, user_created: false, user: { social: 'other', sign_in_methods } },
    });
    expect((await signIn(ours, google.signed(person))).body.uid).toBe(first.uid);
  });

  test('409 identity_link_required if it is not verified here; a mailed code verifies it, then 201', async () => {
    const ours = await fresh();
    const person = newPerson();
    const { email } = person;
    const { uid, user } = await world.user({ project: ours.project, email });
    const answer = await signIn(ours, google.signed(person));
    expectProblem(answer, 'identity_link_required');
    const read = await world.as(ours.project).users.get({ uid });
    expect(read.body).toEqual(user);
    await ours.signInByCode(email);
    const { status, body } = await signIn(ours, google.signed(person));
    expect(status).toBe(201);
    expect(body).toMatchObject({ uid, user_created: false, user: { social: 'google' } });
  });

  test('409 identity_conflict for another account at the provider: a mailbox may get another owner', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = await signedInAs(ours, person);
    const answer = await signIn(ours, google.signed({ ...person, sub: 'the-next-owner' }));
    expectProblem(answer, 'identity_conflict');
    const again = await signedInAs(ours, person);
    expect(again.user).toEqual({ ...first.user, last_sign_in_at: aTime() });
  });

  test('201 for a linked account, even after its e-mail changed at the provider or here', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = await signedInAs(ours, person);
    const taken = await ours.newUser();
    const moved = [
      { email: 'elsewhere@gmail.com' },
      { email: 'unverified@gmail.com', email_verified: false },
      { email: taken.email },
    ];
    for (const claims of moved) {
      const { status, body } = await signIn(ours, google.signed({ ...person, ...claims }));
      expect(status).toBe(201);
      expect(body.user).toEqual({ ...first.user, last_sign_in_at: aTime() });
    }
    await world.as(ours.project).users.update({ uid: first.uid, email: 'here@example.com' });
    const here = { uid: first.uid, user: { email: 'here@example.com' } };
    expect(await signedInAs(ours, person)).toMatchObject(here);
    // The address is free: its current owner at the provider is another person.
    const next = await signIn(ours, google.signed({ ...person, sub: 'somebody-new' }));
    expect([next.status, next.body.user_created]).toEqual([201, true]);
    expect(next.body.uid).not.toBe(first.uid);
  });

  test('loses the accounts linked before, once its owner signs in by a mailed code', async () => {
    const ours = await fresh();
    const person = newPerson();
    const first = await signedInAs(ours, person);
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

describe('an e-mail that Google reports as verified', () => {
  const iss = 'https://accounts.google.com';
  const identity_providers = { google: { ...settingsOf(google), issuer: iss } };
  const trusting = () => signInProject(world, { identity_providers });
  const claims = (of: object) => google.signed({ ...newPerson(), iss, ...of });

  test('links a user if Google runs the mailbox: its own domains and those of its customers', async () => {
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

  test('409 links no user for any other mailbox, which may have a new owner since', async () => {
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

  test('201 creates a new user for any other mailbox, with an unverified e-mail', async () => {
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

test('401 for a linked account whose user no longer exists', async () => {
  const ours = await fresh();
  const token = google.signed(newPerson());
  const { uid } = (await signIn(ours, token)).body;
  await world.table.delete(keys.user(uid));
  expectProblem(await signIn(ours, token), 'identity_token_invalid');
});

describe('one subject', () => {
  test('at two providers is two users', async () => {
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
