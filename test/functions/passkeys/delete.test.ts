import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { expectProblem } from '../../support/expectations.ts';
import { page, passkeyProject, passkeysAlone } from '../../support/passkeys.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { add, newUser } = ours;

test('200 deletes the passkey, whose credential can be registered again, and mails the user', async () => {
  const ada = await newUser();
  const { passkey, authenticator } = await add(ada);
  const { passkey_id } = passkey;
  expect((await world.as(ada).passkeys.delete({ passkey_id })).body).toEqual(passkey);
  expectProblem(await world.as(ada).passkeys.delete({ passkey_id }), 'not_found');
  expect((await world.as(ada).users.getMe()).body.sign_in_methods).toEqual({});
  expect(await ours.subjectsTo(ada.email)).toContain('A passkey for Test was deleted');
  await add(await newUser(), authenticator);
});

test('an unverified e-mail gets no mail about a new or deleted passkey', async () => {
  const ada = await newUser({ verified: false });
  await add(ada);
  const { passkey } = await add(ada);
  const { passkey_id } = passkey;
  expect((await world.as(ada).passkeys.delete({ passkey_id })).status).toBe(200);
  expect(await ours.mailTo(ada.email)).toBeUndefined();
});

test('409 beside a password if the project no longer offers password sign-in', async () => {
  const theirs = await passkeyProject(world, { code_sign_in: false, link_sign_in: false });
  const ada = await theirs.signUp('last@passkeys.example.com');
  const current_password = goodPassword;
  const { body } = await theirs.creation(ada, { current_password });
  const made = newAuthenticator(page).create(body.publicKey);
  const { passkey_id } = (await theirs.register(ada, made)).body;
  const { project_id } = theirs.project;
  await world.operate({ action: 'update', project_id, password_sign_in: false });
  pass(61_000);
  expectProblem(
    await world.as(ada).passkeys.delete({ passkey_id, current_password }),
    'last_sign_in_method',
  );
  expect((await world.as(ada).passkeys.list()).body.total).toBe(1);
});

test('409 beside a passkey of a former RP ID, which can itself be deleted beside a current one', async () => {
  const theirs = await passkeyProject(world, passkeysAlone);
  const ada = await world.user({ project: theirs.project, verified: true });
  const old = [await theirs.add(ada), await theirs.add(ada)];
  const { project_id } = theirs.project;
  const origin = 'https://app.other.example.com';
  const party = { rp_id: 'other.example.com', origins: [origin] };
  await world.operate({ action: 'update', project_id, ...party });
  pass(61_000);
  const present = await theirs.add(ada, newAuthenticator(origin));
  const remove = async ({ passkey: { passkey_id } }: typeof present) =>
    (await world.as(ada).passkeys.delete({ passkey_id })).status;
  expect(await remove(present)).toBe(409);
  expect(await remove(old[0]!)).toBe(200);
  const another = await theirs.add(ada, newAuthenticator(origin));
  expect(await remove(present)).toBe(200);
  expect(await remove(another)).toBe(409);
  expect(await remove(old[1]!)).toBe(200);
  expect(await remove(another)).toBe(409);
  expect((await theirs.signInBy(another.authenticator)).status).toBe(201);
});

test('a passkey of an earlier version, stored without its RP ID, counts as a sign-in method', async () => {
  const theirs = await passkeyProject(world, passkeysAlone);
  const ada = await world.user({ project: theirs.project, verified: true });
  const [one, two] = [await theirs.add(ada), await theirs.add(ada)];
  for (const { passkey } of [one, two])
    await world.table.update(keys.passkey(ada.uid, passkey.passkey_id), { rp_id: undefined });
  const remove = ({ passkey }: typeof one) =>
    world.as(ada).passkeys.delete({ passkey_id: passkey.passkey_id });
  expect((await remove(one)).status).toBe(200);
  expectProblem(await remove(two), 'last_sign_in_method');
});

test('of two concurrent requests that would leave no sign-in method one is refused', async () => {
  const without = await passkeyProject(world, passkeysAlone);
  const ada = await world.user({ project: without.project, verified: true });
  const both = [await without.add(ada), await without.add(ada)];
  const answers = await Promise.all(
    both.map(({ passkey }) => world.as(ada).passkeys.delete({ passkey_id: passkey.passkey_id })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect((await world.as(ada).passkeys.list()).body.total).toBe(1);
});
