import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeDeviceToken, readDeviceToken } from '#shared/access/device-token.ts';
import { keys } from '#shared/db/keys.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { factorProject, type MfaRequired, newApp } from '../../support/factors.ts';
import { newPerson, settingsOf } from '../../support/identities.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { page, passkeyProject } from '../../support/passkeys.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { devicesOfAUser } from './devices-of-a-user.ts';

const world = await startWorld();
const { enter, newDeviceMails: mailsAbout, signedUp: signedUpOn } = devicesOfAUser(world);
const newDeviceMails = async (email: string) => (await mailsAbout(email)).length;
/** A sign-in with the token of a device is not mailed about, and the same without it is. */
async function expectKnown(
  email: string,
  signIn: (more: object) => Promise<unknown>,
  token: string,
) {
  const before = await newDeviceMails(email);
  await signIn({ device_token: token });
  expect(await newDeviceMails(email)).toBe(before);
  await signIn({});
  expect(await newDeviceMails(email)).toBe(before + 1);
}
const signedUp = (ours: SignIn) => signedUpOn(ours, atHome);
const google = await startOpenidProvider();

const atHome = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const abroad = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

describe('a device that sends its token is known from any network, and no mail is sent,', () => {
  test('for two concurrent sign-ins from a new place, which get one device', async () => {
    const { uid, byPassword } = await signedUp(await signInProject(world));
    const both = await Promise.all([byPassword(abroad), byPassword(abroad)]);
    expect(new Set(both.map(({ device_token }) => device_token)).size).toBe(1);
    expect((await world.table.get(keys.user(uid)))?.['devices']).toHaveLength(2);
  });

  test('at a sign-in by password', async () => {
    const { email, uid, device_token, byPassword } = await signedUp(await signInProject(world));
    const again = await byPassword(abroad, { device_token });
    expect(await newDeviceMails(email)).toBe(0);
    expect(again.device_token).toBe(device_token);
    expect((await world.table.get(keys.user(uid)))?.['devices']).toHaveLength(1);
    await byPassword(abroad);
    expect(await newDeviceMails(email)).toBe(1);
  });

  test.each<[string, (ours: SignIn, email: string) => Promise<object>]>([
    ['code', (ours, email) => ours.code(email)],
    ['link', (ours, email) => ours.link(email)],
  ])('at a sign-in by a mailed %s, which returns a token too', async (way, proofFor) => {
    const ours = await signInProject(world);
    const { email, uid, device_token, byPassword } = await signedUp(ours);
    const proof = { ...(await proofFor(ours, email)), device_token };
    expect((await enter(ours, `/sessions/${way}`, abroad, proof)).device_token).toBe(device_token);
    expect((await world.table.get(keys.user(uid)))?.['devices']).toHaveLength(1);
    const elsewhere = await enter(ours, `/sessions/${way}`, abroad, await proofFor(ours, email));
    await byPassword('moved', { device_token: elsewhere.device_token });
    expect(await newDeviceMails(email)).toBe(0);
  });

  test('at a sign-in by an account at a provider', async () => {
    const settings = { identity_providers: { google: settingsOf(google) } };
    const ours = await signInProject(world, settings);
    const email = newAddress();
    const person = newPerson({ email });
    const proof = { provider: 'google', id_token: google.signed(person) };
    const byProvider = (agent: string, more: object = {}) =>
      enter(ours, '/sessions/identity', agent, { ...proof, ...more });
    const { device_token } = await byProvider(atHome);
    await byProvider(atHome);
    expect(await newDeviceMails(email)).toBe(0);
    await expectKnown(email, (more) => byProvider(abroad, more), device_token);
  });

  test('at a sign-in by a passkey', async () => {
    const ours = await passkeyProject(world);
    const { email, device_token, bearer } = await signedUp(ours);
    const proof = { current_password: goodPassword };
    const { body } = await world.call<{ publicKey: never }>({
      ...{ method: 'POST', path: '/users/me/passkeys/options', auth: bearer, body: proof },
    });
    const authenticator = newAuthenticator(page);
    const added = await ours.register({ bearer }, authenticator.create(body.publicKey));
    expect(added.status).toBe(201);
    const byPasskey = async (more: object) => {
      const credential = authenticator.get(await ours.request());
      return enter(ours, '/sessions/passkey', abroad, { credential, ...more });
    };
    expect(await newDeviceMails(email)).toBe(0);
    await expectKnown(email, byPasskey, device_token);
  });

  test('at the second step of a sign-in', async () => {
    const ours = await factorProject(world);
    const email = newAddress();
    const { app } = await ours.enrol(await ours.signUp(email), { current_password: goodPassword });
    const bySteps = async (agent: string, steps: number, more: object = {}) => {
      const { mfa_token } = (await ours.byPassword(email)).body;
      return enter(ours, '/sessions/mfa', agent, { mfa_token, code: app.code(steps), ...more });
    };
    const { device_token } = await bySteps(atHome, 0);
    expect(await newDeviceMails(email)).toBe(1);
    await bySteps(abroad, 1, { device_token });
    expect(await newDeviceMails(email)).toBe(1);
  });

  test('at the second step that adds the factor', async () => {
    const ours = await factorProject(world, { mfa: 'required' });
    const email = newAddress();
    const adding = async ({ mfa_token }: MfaRequired, agent: string, more: object = {}) => {
      const { secret } = (await ours.startEnrolment({ mfa_token })).body;
      const proof = { mfa_token, code: newApp(secret).code(), ...more };
      return enter(ours, '/sessions/mfa/totp/confirm', agent, proof);
    };
    const { uid, device_token } = await adding((await ours.signUpWithMfa(email)).body, atHome);
    // Another person may have had the app: a reset by a backend makes every device new.
    const lost = async () => {
      await world.table.update(keys.user(uid), { factor_method: undefined });
      await world.table.delete(keys.factor(uid));
    };
    const afterLoss = async (more: object) => {
      await lost();
      await adding((await ours.byPassword(email)).body, abroad, more);
    };
    expect(await newDeviceMails(email)).toBe(0);
    await expectKnown(email, afterLoss, device_token);
  });
});

describe('the devices are forgotten, and an earlier token is ignored,', () => {
  const another = `${goodPassword} again`;
  type Forgetting = { bearer: string; uid: string; basic: string };
  const changes: [string, (at: Forgetting) => [string, string, string, object?], string?][] = [
    ['signs out everywhere', ({ bearer }) => ['DELETE', '/sessions', bearer]],
    [
      'changes the password',
      ({ bearer }) => [
        ...(['PUT', '/users/me/password', bearer] as const),
        { current_password: goodPassword, new_password: another },
      ],
      another,
    ],
    ['is signed out by a backend', (at) => ['DELETE', `/sessions?user_id=${at.uid}`, at.basic]],
  ];
  test.each(changes)('once the user %s', async (_, change, password = goodPassword) => {
    const ours = await signInProject(world);
    const { basic } = ours.project;
    const { email, uid, device_token, bearer, byPassword } = await signedUp(ours);
    const other = await byPassword(abroad);
    expect(await newDeviceMails(email)).toBe(1);
    const call = change({ bearer, uid, basic });
    expect((await world.call(...call)).status).toBe(200);
    const from = async (agent: string, token: string) => {
      await byPassword(agent, { password, device_token: token });
      return newDeviceMails(email);
    };
    expect(await from(abroad, other.device_token)).toBe(2);
    // The session at home continues, so its device stays known, unless a backend has ended all sessions.
    const mails = call.includes(basic) ? 3 : 2;
    expect(await from(atHome, device_token)).toBe(mails);
    // The device abroad is known again by now, but a copy of its old token is not.
    expect(await from('copied', other.device_token)).toBe(mails + 1);
    const { device_token: newer } = await byPassword(abroad, { password });
    expect(await from('moved', newer)).toBe(mails + 1);
  });

  test('once a password is set by mail, even for the device that sets it', async () => {
    const ours = await signInProject(world);
    const { email, device_token, byPassword } = await signedUp(ours);
    await ours.post('/passwords/forgotten', { email });
    const proof = { token: await ours.mailed(email), password: goodPassword };
    const set = await enter(ours, '/passwords', abroad, { ...proof, device_token });
    expect(set.device_token).not.toBe(device_token);
    await byPassword('moved', { device_token: set.device_token });
    expect(await newDeviceMails(email)).toBe(0);
    await byPassword('copied', { device_token });
    expect(await newDeviceMails(email)).toBe(1);
  });

  test('once a backend disables the user', async () => {
    const ours = await signInProject(world);
    const { email, uid, device_token, byPassword } = await signedUp(ours);
    for (const disabled of [true, false])
      expect((await world.as(ours.project).users.update({ uid, disabled })).status).toBe(200);
    await byPassword(atHome, { device_token });
    expect(await newDeviceMails(email)).toBe(1);
  });

  test('once a backend resets the second factor, but not once the user removes it', async () => {
    const ours = await factorProject(world);
    const email = newAddress();
    const ada = await ours.signUp(email);
    const { app } = await ours.enrol(ada, { current_password: goodPassword });
    const { mfa_token } = (await ours.byPassword(email)).body;
    const code = app.code();
    const { device_token } = await enter(ours, '/sessions/mfa', atHome, { mfa_token, code });
    const before = await newDeviceMails(email);
    const byPassword = async () => {
      const proof = { email, password: goodPassword, device_token };
      await enter(ours, '/sessions/password', abroad, proof);
      return (await newDeviceMails(email)) - before;
    };
    const removed = await ours.factorsOf(ada).deleteTotp({ code: app.code(1) });
    expect(removed.status).toBe(200);
    expect(await byPassword()).toBe(0);
    await ours.enrol(ada, { current_password: goodPassword });
    const auth = ours.project.basic;
    expect((await world.call('DELETE', `/users/${ada.uid}/factors`, auth)).status).toBe(200);
    expect(await byPassword()).toBe(1);
  });
});

describe('a device is new to the user if its token is', () => {
  const tokens: [string, (token: string, uid: string) => string | Promise<string>][] = [
    ['of another user', async () => (await signedUp(await signInProject(world))).device_token],
    [
      'signed with another key',
      (_, uid) => makeDeviceToken({ uid, device: '00000000' }, createSecretKey(Buffer.alloc(32))),
    ],
    ['of another device, but signed for this one', (token) => token.replace(/.{8}\./, '00000000.')],
    ['cut off', (token) => token.slice(0, -1)],
    ['not a token', () => 'known'],
    ['empty', () => ''],
  ];
  test.each(tokens)('%s', async (_, make) => {
    const { email, uid, device_token, byPassword } = await signedUp(await signInProject(world));
    await byPassword(abroad, { device_token: await make(device_token, uid) });
    expect(await newDeviceMails(email)).toBe(1);
  });
});

test('a device token authenticates no request, and is not stored in the table', async () => {
  const { device_token } = await signedUp(await signInProject(world));
  const auth = `Bearer ${device_token}`;
  expect((await world.call('GET', '/users/me', auth)).status).toBe(401);
  const tokens = { accessToken: 'x' };
  expect((await world.call('POST', '/sessions/token/refresh', auth, tokens)).status).toBe(401);
  expect(JSON.stringify(await world.table.all())).not.toContain(device_token.slice(3));
});

test('neither a refresh nor a session that a backend starts returns a device token', async () => {
  const ada = await world.user();
  const { body } = await world.as(world.project).sessions.create({ uid: ada.uid });
  expect(body).not.toHaveProperty('device_token');
  const renewed = await world.renew(ada);
  expect(renewed.status).toBe(200);
  expect(renewed.body).not.toHaveProperty('device_token');
});

// Tokens of 0.12.0 and of this release.
test.each(['c0ffee00', 'c0ffee00Ab-_9z'])(
  'a token with the device %s reads as what was signed, and is refused with any character changed',
  (device) => {
    const secret = createSecretKey(Buffer.alloc(32, 7));
    const known = { uid: '0198a9b8-0000-7000-8000-000000000000', device };
    const token = makeDeviceToken(known, secret);
    expect(readDeviceToken(token, secret)).toEqual(known);
    for (let i = 0; i < token.length; i += 1) {
      const other = token[i] === '0' ? '1' : '0';
      const changed = token.slice(0, i) + other + token.slice(i + 1);
      // Two bits of the last character are not part of the signature.
      if (i < token.length - 1) expect(readDeviceToken(changed, secret)).toBeUndefined();
    }
    expect(readDeviceToken(`${token} `, secret)).toBeUndefined();
    expect(readDeviceToken(` ${token}`, secret)).toBeUndefined();
    expect(readDeviceToken(undefined, secret)).toBeUndefined();
  },
);
