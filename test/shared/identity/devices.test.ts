/** @module-tag engine */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { newPerson, settingsOf } from '../../support/identities.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { devicesOfAUser } from './devices-of-a-user.ts';

const world = await startWorld();
const { enter, newDeviceMails, signedUp } = devicesOfAUser(world);
/** A project without providers. */
const plain = await signInProject(world);
const google = await startOpenidProvider();
const settings = { identity_providers: { google: settingsOf(google) } };

const firefox = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

const devicesOf = async (uid: string) => (await world.table.get(keys.user(uid)))?.['devices'];

test('a sign-in by password from a new device is mailed to the user once', async () => {
  const { email, byPassword } = await signedUp(plain, firefox(140));
  await byPassword(firefox(140));
  expect(await newDeviceMails(email)).toEqual([]);
  await byPassword(chrome);
  await byPassword(chrome);
  expect(await newDeviceMails(email)).toEqual(['Chrome on Windows']);
});

type At = { ours: SignIn } & Awaited<ReturnType<typeof signedUp>>;
const change = ({ uid }: At, to: object) => world.table.update(keys.user(uid), { ...to });
const inChrome = ({ byPassword }: At) => byPassword(chrome);
test.each<[string, (at: At) => Promise<unknown>, devices: number, of?: () => Promise<SignIn>]>([
  [
    'a new version of the same browser is not a new device',
    ({ byPassword }) => byPassword(firefox(141)),
    1,
  ],
  [
    'a sign-in that links an account at a provider records the device',
    async ({ ours, email }) => {
      const id_token = google.signed(newPerson({ email }));
      await enter(ours, '/sessions/identity', chrome, { provider: 'google', id_token });
    },
    2,
    () => signInProject(world, settings),
  ],
  [
    'a sign-in by a mailed code records the device',
    async ({ ours, email }) => enter(ours, '/sessions/code', chrome, await ours.code(email)),
    2,
  ],
  [
    'the first device of a user without recorded devices is recorded',
    async (at) => {
      await change(at, { devices: undefined });
      await inChrome(at);
    },
    1,
  ],
  [
    'a project can turn the mail off; devices are still recorded',
    inChrome,
    2,
    () => signInProject(world, { new_device_mail: false }),
  ],
  [
    'no mail goes to an unverified e-mail; the device is recorded',
    async (at) => {
      await change(at, { verified: { email: false } });
      await inChrome(at);
    },
    2,
  ],
])('%s, and nothing is mailed, also if it is used again', async (_, act, devices, of) => {
  const ours = (await of?.()) ?? plain;
  const at = { ours, ...(await signedUp(ours, firefox(140))) };
  await act(at);
  expect(await newDeviceMails(at.email)).toEqual([]);
  expect(await devicesOf(at.uid)).toHaveLength(devices);
  if (devices === 2) await inChrome(at);
  expect(await newDeviceMails(at.email)).toEqual([]);
});

test('after a password is set by mail, every other device is new', async () => {
  const { email, uid, byPassword } = await signedUp(plain, firefox(140));
  await byPassword(chrome);
  await plain.post('/passwords/forgotten', { email });
  const another = 'another horse battery staple';
  const token = await plain.mailed(email);
  await enter(plain, '/passwords', firefox(140), { token, password: another });
  expect(await devicesOf(uid)).toHaveLength(1);
  await byPassword(chrome, { password: another });
  expect(await newDeviceMails(email)).toEqual(['Chrome on Windows', 'Chrome on Windows']);
});

test('the mail does not mention passwords where the project has none', async () => {
  for (const password_sign_in of [true, false]) {
    const ours = await signInProject(world, { ...settings, password_sign_in });
    const email = newAddress();
    const proof = { provider: 'google', id_token: google.signed(newPerson({ email })) };
    for (const agent of [firefox(140), chrome])
      await enter(ours, '/sessions/identity', agent, proof);
    const text = (await ours.mailTo(email))?.text;
    expect(text).toContain('A new device signed in');
    expect(text?.includes('password')).toBe(password_sign_in);
  }
});

test('a user with a new device at every sign-in gets five mails a day; the last twenty devices are kept', async () => {
  const { email, uid, byPassword } = await signedUp(plain, firefox(140));
  for (const letter of 'abcdefghijklmnopqrstuv') await byPassword(`program ${letter}`);
  expect(await newDeviceMails(email)).toHaveLength(rates.newDeviceMails.max);
  expect(await devicesOf(uid)).toHaveLength(limits.devicesPerUser);
});
