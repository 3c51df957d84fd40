import { expect, test } from 'vitest';
import { counted, times } from '../../races/many.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { aTime, expectProblem, expectSame } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { passkeyProject, passkeysAlone } from '../../support/passkeys.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { twoProviders } from '../../support/two-providers.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { google, other, identity_providers, fresh } = await twoProviders(world);
const third = await startOpenidProvider();
const unlink = (bearer: string, provider = 'google', current_password?: string) =>
  world.as(bearer).identities.unlink({ provider, current_password });
const getMe = async (bearer: string) => (await world.as(bearer).users.getMe()).body;

/** Links an account to a user. Resolves with its token. */
async function linked(
  { bearer }: Pick<Person, 'bearer'>,
  provider: 'google' | 'other' = 'google',
  account = newPerson(),
) {
  const id_token = { google, other }[provider].signed(account);
  const { status } = await world.as(bearer).identities.link({ provider, id_token });
  expect(status).toBe(200);
  return id_token;
}

const proven = ({ project }: SignIn) => world.user({ project, verified: true });

test('200 unlinks the account, which no longer signs the user in; sessions stay', async () => {
  const ours = await fresh();
  const person = await proven(ours);
  const token = await linked(person);
  const started = await signInByIdentity(ours, token);
  const { status, headers, body } = await unlink(person.bearer);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({ ...person.user, last_sign_in_at: aTime(), modified_at: aTime() });
  expect(await getMe(person.bearer)).toEqual(body);
  expect(await getMe(`Bearer ${started.body.access_token}`)).toEqual(body);
  const again = await signInByIdentity(ours, token);
  expect([again.body.user_created, again.body.uid === person.uid]).toEqual([true, false]);
});

test('200 keeps the other account and its details', async () => {
  const ours = await fresh();
  const person = await proven(ours);
  await linked(person);
  const second = await linked(person, 'other');
  const before = await getMe(person.bearer);
  expect(before.social).toBe('other');
  const { body } = await unlink(person.bearer);
  const sign_in_methods = { other: { enabled: true } };
  expect(body).toEqual({ ...before, sign_in_methods, modified_at: aTime() });
  const started = await signInByIdentity(ours, second, { provider: 'other' });
  expect(started.body.uid).toBe(person.uid);
});

test('200 the account can be linked again, by the same user or another', async () => {
  const ours = await fresh();
  const [one, two] = [await proven(ours), await proven(ours)];
  const id_token = await linked(one);
  for (const { bearer, uid } of [one, two, one]) {
    await world.as(bearer).identities.link({ provider: 'google', id_token });
    expect((await signInByIdentity(ours, id_token)).body.uid).toBe(uid);
    expect((await unlink(bearer)).status).toBe(200);
  }
});

test('404 without such an account, and the second time', async () => {
  const ours = await fresh();
  const person = await proven(ours);
  const answer = await unlink(person.bearer);
  expectProblem(answer, 'not_found');
  await linked(person);
  await unlink(person.bearer);
  const before = await getMe(person.bearer);
  for (const provider of ['google', 'other', 'idpw', 'constructor', 'valueof'])
    expectSame(answer, await unlink(person.bearer, provider));
  expect(await getMe(person.bearer)).toEqual(before);
});

test('409 last_sign_in_method for the only sign-in method; 200 beside another', async () => {
  const ours = await fresh();
  const person = await world.user({ project: ours.project });
  const token = await linked(person);
  const before = await getMe(person.bearer);
  expectProblem(await unlink(person.bearer), 'last_sign_in_method');
  expect(await getMe(person.bearer)).toEqual(before);
  expect((await signInByIdentity(ours, token)).body.uid).toBe(person.uid);
  await linked(person, 'other');
  expect((await unlink(person.bearer)).status).toBe(200);
  expectProblem(await unlink(person.bearer, 'other'), 'last_sign_in_method');
});

test.each<[string, object, number]>([
  ['409 in a project that mails neither codes nor links', {}, 409],
  ['200 in one that mails codes', { code_sign_in: true }, 200],
  ['200 in one that mails sign-in links', { link_sign_in: true }, 200],
  ['200 in one where a password can be set by mail', { password_sign_in: true }, 200],
])('a verified e-mail as the only other sign-in method: %s', async (_, ways, expected) => {
  const none = { code_sign_in: false, link_sign_in: false, password_sign_in: false };
  const ours = await signInProject(world, { identity_providers, ...none, ...ways });
  const person = await proven(ours);
  await linked(person);
  expect((await unlink(person.bearer)).status).toBe(expected);
});

test('409 for the last method that the project still offers; 200 for one that it no longer offers', async () => {
  const none = { code_sign_in: false, link_sign_in: false, password_sign_in: false };
  const ours = await signInProject(world, { identity_providers, passkeys: true, ...none });
  const person = await proven(ours);
  const token = await linked(person);
  await linked(person, 'other');
  const { project_id } = ours.project;
  const { google: kept } = identity_providers;
  await world.operate({ action: 'update', project_id, identity_providers: { google: kept } });
  pass(61_000);
  expectProblem(await unlink(person.bearer), 'last_sign_in_method');
  expect((await signInByIdentity(ours, token)).body.uid).toBe(person.uid);
  expect((await unlink(person.bearer, 'other')).status).toBe(200);
});

test('409 beside an account of a former issuer and a passkey of a former RP ID', async () => {
  const ours = await passkeyProject(world, { identity_providers, ...passkeysAlone });
  const person = await proven(ours);
  await linked(person);
  await linked(person, 'other');
  await ours.add(person);
  const { project_id } = ours.project;
  const moved = { ...identity_providers, other: settingsOf(third) };
  const party = { rp_id: 'other.example.com', origins: ['https://app.other.example.com'] };
  await world.operate({ action: 'update', project_id, identity_providers: moved, ...party });
  pass(61_000);
  expectProblem(await unlink(person.bearer), 'last_sign_in_method');
  expect((await unlink(person.bearer, 'other')).status).toBe(200);
  expectProblem(await unlink(person.bearer), 'last_sign_in_method');
  await ours.add(person, newAuthenticator(party.origins[0]!));
  expect((await unlink(person.bearer)).status).toBe(200);
});

test('409 for one of two concurrent requests that would leave no sign-in method', async () => {
  const ours = await fresh();
  const person = await world.user({ project: ours.project });
  await linked(person);
  await linked(person, 'other');
  const answers = await times(2, (i) => unlink(person.bearer, i ? 'google' : 'other'));
  expect(counted(answers)).toEqual({ 200: 1, last_sign_in_method: 1 });
});

test('409 identity_link_required at the next sign-in if the user has not verified the same e-mail', async () => {
  const ours = await fresh();
  const { bearer, email } = await world.user({ project: ours.project });
  const account = newPerson({ email });
  await linked({ bearer }, 'google', account);
  await linked({ bearer }, 'other');
  expect((await unlink(bearer)).status).toBe(200);
  expectProblem(await signInByIdentity(ours, google.signed(account)), 'identity_link_required');
});

test('200 for a user without an e-mail, who gets no mail', async () => {
  const ours = await fresh();
  const { uid } = (await world.as(ours.project).users.get({ uid: crypto.randomUUID() })).body;
  const person = await world.session(uid, ours.project);
  await linked(person);
  await linked(person, 'other');
  expect((await unlink(person.bearer)).status).toBe(200);
  const mails = (await world.table.all()).filter(
    ({ sk, kind, project_id }) =>
      sk === 'MAIL' && kind === 'identity_unlinked' && project_id === ours.project_id,
  );
  expect(mails).toEqual([]);
});
