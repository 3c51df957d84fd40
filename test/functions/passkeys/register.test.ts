import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes, limits } from '#shared/model/limits.ts';
import { androidAttestation } from '../../support/android-attestation.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { logged } from '../../support/log.ts';
import { page, passkeyProject } from '../../support/passkeys.ts';
import { serve } from '../../support/serve.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { project, creation, register, add, newUser } = ours;
const optionsFor = async (person: { bearer: string }) => (await creation(person)).body.publicKey;
const userItem = async (uid: string) => (await world.table.get(keys.user(uid))) ?? {};
test('201 adds a passkey, which the user can list, and mails the user', async () => {
  const ada = await newUser({ display_name: 'Ada' });
  const { status, body } = await creation(ada);
  expect(status).toBe(201);
  expect(body.publicKey).toMatchObject({
    rp: { id: 'passkeys.example.com', name: 'Test' },
    user: { name: ada.email, displayName: 'Ada' },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  });
  const made = newAuthenticator(page).create(body.publicKey);
  const added = await register(ada, made);
  expect(added.status).toBe(201);
  const { passkey_id } = added.body;
  expect(added.body).toEqual({
    ...{ passkey_id, name: 'Phone', created_at: aTime(), backed_up: false },
    transports: ['internal'],
  });
  expect((await world.as(ada).passkeys.list()).body).toEqual({
    ...{ total: 1, count: 1, result: [added.body] },
  });
  expect((await world.as(ada).users.getMe()).body.sign_in_methods).toEqual({
    passkey: { enabled: true },
  });
  const mail = await ours.mailTo(ada.email);
  expect(mail?.subject).toBe('New passkey for Test');
  expect(mail?.text).toContain('Phone');
  const next = await optionsFor(ada);
  expect(next).toMatchObject({ excludeCredentials: [{ id: made.id, transports: ['internal'] }] });
});

test('201 without verifying the attestation or contacting an address in it', async () => {
  const asked: (string | undefined)[] = [];
  const attacker = await serve(({ url }, answer) => {
    asked.push(url);
    answer.end();
  }, onTestFinished);
  const ada = await newUser();
  const attest = androidAttestation(`${attacker}/revoked.crl`);
  const { status } = await register(
    ada,
    newAuthenticator(page).create(await optionsFor(ada), { attest }),
  );
  expect([status, asked]).toEqual([201, []]);
});

test.each(['0a1b2c3d-0000-0000-0000-000000000001', '0a1b2c3d-4e5f-f6a7-0b1c-2d3e4f5a6b7c'])(
  '201 for a uid that the backend chose, not a standard UUID: %s',
  async (uid) => {
    expect((await world.as(project).users.get({ uid })).status).toBe(201);
    const { authenticator } = await add(await world.session(uid, project));
    const { status, body } = await ours.signInBy(authenticator);
    expect([status, body.uid]).toEqual([201, uid]);
  },
);

test('409 for a credential of another user of the project; another project accepts it', async () => {
  const { authenticator } = await add(await newUser());
  const eve = await newUser();
  const stolen = authenticator.create(await optionsFor(eve));
  expectProblem(await register(eve, stolen), 'passkey_exists');
  expect((await userItem(eve.uid))['passkey_count']).toBeUndefined();
  const elsewhere = await passkeyProject(world);
  const other = await world.user({ project: elsewhere.project });
  await elsewhere.add(other, authenticator);
});

describe('400', async () => {
  const ada = await newUser();
  test.each([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another relying party', { rpId: 'evil.example.com' }],
    ['no user verification', { flags: 1 + 64 }],
    ['no user presence', { flags: 4 + 64 }],
    ['no credential', { flags: 1 + 4 }],
    ['client data of a sign-in', { type: 'webauthn.get' }],
  ])('for %s', async (_, forged) => {
    const made = newAuthenticator(page).create(await optionsFor(ada), forged);
    expectProblem(await register(ada, made), 'passkey_invalid');
  });
  test('for another origin is logged with its reason', async () => {
    const forged = { origin: 'https://evil.example.com' };
    const made = newAuthenticator(page).create(await optionsFor(ada), forged);
    const { lines } = await logged(() => register(ada, made));
    const reason = 'the page that asked for the passkey is not one of the origins';
    expect(lines).toEqual([expect.objectContaining({ reason })]);
  });
  test.each(['AAAA', 'o2NmbXRkbm9uZQ', Buffer.from('no CBOR').toString('base64url')])(
    'for a malformed attestation: %s',
    async (attestationObject) => {
      const made = newAuthenticator(page).create(await optionsFor(ada));
      const response = { ...made.response, attestationObject };
      expectProblem(await register(ada, { ...made, response }), 'passkey_invalid');
    },
  );
  test('for a challenge of another user, another session or a sign-in, or one that was used or has expired', async () => {
    const authenticator = newAuthenticator(page);
    const of = await optionsFor(ada);
    const eve = await newUser();
    expectProblem(await register(eve, authenticator.create(of)), 'passkey_invalid');
    const again = await world.session(ada.uid, project);
    expectProblem(await register(again, authenticator.create(of)), 'passkey_invalid');
    const { challenge } = await ours.request();
    const forSignIn = authenticator.create({ ...(of as object), challenge } as never);
    expectProblem(await register(ada, forSignIn), 'passkey_invalid');
    expect((await register(ada, authenticator.create(of))).status).toBe(201);
    const late = newAuthenticator(page).create(of);
    expectProblem(await register(ada, late), 'passkey_invalid');
    const expired = newAuthenticator(page).create(await optionsFor(ada));
    vi.setSystemTime(Date.now() + lifetimes.passkeyChallenge * 1_000);
    expectProblem(
      await register(await world.session(ada.uid, project), expired),
      'passkey_invalid',
    );
  });
});

test('a user has at most ten passkeys, even after concurrent requests', async () => {
  const ada = await newUser();
  const options = await Promise.all(Array.from({ length: 14 }, () => optionsFor(ada)));
  const answers = await Promise.all(
    options.map((each) => register(ada, newAuthenticator(page).create(each))),
  );
  const count = async () => Number((await userItem(ada.uid))['passkey_count']);
  // A busy machine answers some with 503: those are repeated now.
  const refused = answers.filter(({ status }) => status !== 201 && status !== 503);
  for (const answer of refused) expectProblem(answer, 'passkey_limit_reached');
  expect(await count()).toBeGreaterThanOrEqual(refused.length > 0 ? limits.passkeysPerUser : 1);
  while ((await count()) < limits.passkeysPerUser) await add(ada);
  expect(await count()).toBe(limits.passkeysPerUser);
  expectProblem(await creation(ada), 'passkey_limit_reached');
});

test('the first proof of the e-mail removes a passkey that was added before it', async () => {
  const attacker = await newUser({ verified: false });
  const { authenticator, passkey } = await add(attacker);
  const victim = await ours.signInByCode(attacker.email);
  expect(victim.uid).toBe(attacker.uid);
  expectProblem(await ours.signInBy(authenticator), 'invalid_credentials');
  const { passkey_id } = passkey;
  for (const key of [
    keys.passkey(victim.uid, passkey_id),
    keys.passkeyGuard(project.project_id, passkey_id),
  ])
    expect(await world.table.get(key)).toBeUndefined();
  expect(await userItem(victim.uid)).not.toHaveProperty('passkey_count');
  await world.drainStream();
  const events = world.events().filter(({ type }) => type === 'user.passkey_removed');
  expect(events.map(({ data }) => data)).toContainEqual({ user_id: victim.uid, passkey_id });
});

test('passkeys are in the export of a user, and are deleted with the user', async () => {
  const ada = await newUser();
  const { passkey, authenticator } = await add(ada);
  const { body } = await world.as(ada).users.export({ uid: ada.uid });
  expect(body.passkeys).toEqual([passkey]);
  await world.as(project).users.delete({ uid: ada.uid });
  expectProblem(await ours.signInBy(authenticator), 'invalid_credentials');
  await add(await newUser(), authenticator);
});
