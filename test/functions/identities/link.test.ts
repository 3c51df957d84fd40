import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { rates } from '#shared/model/rates.ts';
import { counted, times } from '../../races/many.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity } from '../../support/identities.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import { twoProviders } from '../../support/two-providers.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { google, other, fresh } = await twoProviders(world);
const link = (bearer: string | undefined, id_token: string, more: object = {}) =>
  world.as(bearer).identities.link({ provider: 'google', id_token, ...more });
/** The accounts as stored in the user's item. */
type Linked = { identities: { google: { issuer: string; subject: string } } };
/** A user without attributes that a backend created. */
const unnamed = async ({ project }: SignIn) =>
  (await world.as(project).users.get({ uid: newUid(new Date()) })).body;
const getMe = async (bearer: string) => (await world.as(bearer).users.getMe()).body;

test('200 links the account, fills empty attributes and mails the user, who can then sign in with it', async () => {
  const ours = await fresh();
  const given = { project: ours.project, verified: true };
  const person = await world.user({ ...given, display_name: 'Countess' });
  const account = newPerson({ name: 'Ada Lovelace', picture: 'https://pictures.example.com/a' });
  const { status, headers, body } = await link(person.bearer, await google.idToken(account));
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    ...person.user,
    social: 'google',
    sign_in_methods: { google: { enabled: true } },
    name: { given_name: '', family_name: '', formatted: 'Ada Lovelace' },
    thumbnail_url: 'https://pictures.example.com/a',
    modified_at: aTime(),
  });
  expect(await getMe(person.bearer)).toEqual(body);
  const mail = await ours.mailTo(person.email);
  expect(mail?.subject).toBe('New way to sign in to Test');
  expect(mail?.text).toContain('Google');
  expect(await ours.mailTo(account.email)).toBeUndefined();
  const started = await signInByIdentity(ours, google.signed(account));
  expect([started.status, started.body.uid]).toEqual([201, person.uid]);
  expect(started.body.user_created).toBe(false);
});

test('200 does not fill what the user has emptied', async () => {
  const ours = await fresh();
  const { bearer, uid } = await world.user({ project: ours.project });
  const emptied = { display_name: '', thumbnail_url: '', name: {} };
  const { body: before } = await world.as(bearer).users.update({ uid, ...emptied });
  const account = newPerson({ name: 'Ada Lovelace', picture: 'https://pictures.example.com/a' });
  const { body } = await link(bearer, google.signed(account));
  expect(body).toEqual({
    ...before,
    social: 'google',
    sign_in_methods: { google: { enabled: true } },
    modified_at: aTime(),
  });
});

test('200 whatever the e-mail of the account is; it verifies nothing', async () => {
  const ours = await fresh();
  const accounts = [
    newPerson({ email_verified: false }),
    { ...newPerson(), email: undefined },
    newPerson({ email: (await world.user({ project: ours.project })).email }),
  ];
  for (const account of accounts) {
    const person = await world.user({ project: ours.project });
    const { status, body } = await link(person.bearer, google.signed(account));
    expect(status).toBe(200);
    expect([body.email, body.verified]).toEqual([person.email, { email: false }]);
    expect((await signInByIdentity(ours, google.signed(account))).body.uid).toBe(person.uid);
    // An unverified e-mail gets no mail either: it may be a stranger's.
    expect(await ours.mailTo(person.email)).toBeUndefined();
  }
});

test('200 for 20 concurrent requests and a retry, with one change and one mail', async () => {
  const ours = await fresh();
  const person = await ours.newUser();
  const token = google.signed(newPerson());
  const answers = await times(20, () => link(person.bearer, token));
  expect(counted(answers)).toEqual({ 200: 20 });
  const before = await getMe(person.bearer);
  expect((await link(person.bearer, token)).body).toEqual(before);
  await world.drainStream();
  expect(world.mails().filter(({ to }) => to === person.email)).toHaveLength(1);
});

test('200 one account of each provider', async () => {
  const ours = await fresh();
  const { bearer, uid } = await ours.signInByCode('both@example.com');
  const [one, two] = [newPerson(), newPerson()];
  await link(bearer, google.signed(one));
  const { body } = await link(bearer, other.signed(two), { provider: 'other' });
  expect(body.sign_in_methods).toEqual({ google: { enabled: true }, other: { enabled: true } });
  expect((await signInByIdentity(ours, google.signed(one))).body.uid).toBe(uid);
  const second = await signInByIdentity(ours, other.signed(two), { provider: 'other' });
  expect(second.body.uid).toBe(uid);
});

test('the right password with an invalid token does not count as a wrong password', async () => {
  atWindow(rates.passwordFailures.seconds, 10);
  const ours = await fresh();
  const { bearer } = await ours.signUp('patient@example.com');
  const right = { current_password: goodPassword };
  for (let i = 0; i <= rates.passwordFailures.max; i += 1)
    expectProblem(await link(bearer, 'x', right), 'identity_token_invalid');
  expect((await link(bearer, google.signed(newPerson()), right)).status).toBe(200);
});

test('200 for a user without an e-mail, who gets no mail and no e-mail from the provider', async () => {
  const ours = await fresh();
  const { uid } = await unnamed(ours);
  const { bearer } = await world.session(uid, ours.project);
  const account = newPerson();
  const { status, body } = await link(bearer, google.signed(account));
  expect([status, body.email, body.verified]).toEqual([200, '', { email: false }]);
  expect((await signInByIdentity(ours, google.signed(account))).body.uid).toBe(uid);
  await world.drainStream();
  expect(world.mails().filter(({ to }) => to === '' || to === account.email)).toEqual([]);
});

test('409 identity_conflict for an account of another user, and for a second account of the provider', async () => {
  const ours = await fresh();
  const theirs = google.signed(newPerson());
  const owner = await signInByIdentity(ours, theirs);
  const person = await world.user({ project: ours.project });
  expectProblem(await link(person.bearer, theirs), 'identity_conflict');
  expect(await getMe(person.bearer)).toEqual(person.user);
  const mine = google.signed(newPerson());
  const linked = (await link(person.bearer, mine)).body;
  expectProblem(await link(person.bearer, google.signed(newPerson())), 'identity_conflict');
  expect(await getMe(person.bearer)).toEqual(linked);
  expect((await signInByIdentity(ours, theirs)).body.uid).toBe(owner.body.uid);
});

test('409 identity_conflict for an account that is linked by another name, or from a former issuer', async () => {
  const both = { google: settingsOf(google), workspace: settingsOf(google) };
  const ours = await signInProject(world, { identity_providers: both });
  const person = await world.user({ project: ours.project });
  const token = google.signed(newPerson());
  const { body } = await link(person.bearer, token);
  expectProblem(await link(person.bearer, token, { provider: 'workspace' }), 'identity_conflict');
  expect(await getMe(person.bearer)).toEqual(body);
  const { identities } = (await world.table.get(keys.user(person.uid))) as Linked;
  const moved = { ...identities.google, issuer: 'https://accounts.example.com' };
  await world.table.update(keys.user(person.uid), { identities: { google: moved } });
  expectProblem(await link(person.bearer, token), 'identity_conflict');
});

test('401 identity_token_invalid for a forged token and a wrong nonce, which link nothing', async () => {
  const ours = await fresh();
  const { bearer, user } = await world.user({ project: ours.project });
  const account = newPerson();
  // test/attack/identity-tokens.test.ts has the others.
  const forged = await link(bearer, google.forge(account));
  expectProblem(forged, 'identity_token_invalid');
  // Not `invalid_token` (RFC 6750 section 3.1): the caller's own is good.
  expect(forged.headers.get('www-authenticate')).toBe('Bearer realm="user"');
  const another = google.signed({ ...account, nonce: 'n-1' });
  expectProblem(await link(bearer, another, { nonce: 'n-2' }), 'identity_token_invalid');
  expect(await getMe(bearer)).toEqual(user);
  const nonce = 'n-0S6_WzA2Mj';
  expect((await link(bearer, google.signed({ ...account, nonce }), { nonce })).status).toBe(200);
});
