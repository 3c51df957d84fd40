/** @module-tag engine */
import { beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { newPerson, settingsOf } from '../../support/identities.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
/** A project without providers. */
const plain = await signInProject(world);
let google: Awaited<ReturnType<typeof startOpenidProvider>>;
let settings: object;
beforeAll(async () => {
  google = await startOpenidProvider();
  settings = { identity_providers: { google: settingsOf(google) } };
});

const firefox = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

/** Posts as a browser does. */
async function post(ours: SignIn, path: string, agent: string, body: object): Promise<Started> {
  const answer = await world.call<Started>({
    ...{ method: 'POST', path, headers: { 'user-agent': agent } },
    body: { project_id: ours.project_id, ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body;
}
const byPassword = (ours: SignIn, email: string, agent: string, password = goodPassword) =>
  post(ours, '/sessions/password', agent, { email, password });

/** The sentences with the device in mails about new devices, newest first. */
async function newDeviceMails(email: string): Promise<string[]> {
  await world.drainStream();
  return world
    .mails()
    .filter(({ to, subject }) => to === email && subject.startsWith('New sign-in to '))
    .map(({ text }) => / from (.*?), network /.exec(text)?.[1] ?? text);
}
const devicesOf = async (uid: string) => (await world.table.get(keys.user(uid)))?.['devices'];

/** A user who has signed up in Firefox. */
async function signedUp(ours: SignIn) {
  const email = newAddress();
  await ours.post('/sign-up', { email });
  const token = await ours.mailed(email);
  const { uid } = await post(ours, '/passwords', firefox(140), { token, password: goodPassword });
  return { email, uid };
}

test('a sign-in by password from a new device is mailed to the user once', async () => {
  const { email } = await signedUp(plain);
  await byPassword(plain, email, firefox(140));
  expect(await newDeviceMails(email)).toEqual([]);
  await byPassword(plain, email, chrome);
  await byPassword(plain, email, chrome);
  expect(await newDeviceMails(email)).toEqual(['Chrome on Windows']);
});

type At = { ours: SignIn; email: string; uid: string };
const change = ({ uid }: At, to: object) => world.table.update(keys.user(uid), { ...to });
const inChrome = ({ ours, email }: At) => byPassword(ours, email, chrome);
test.each<[string, (at: At) => Promise<unknown>, devices: number, of?: () => Promise<SignIn>]>([
  [
    'a new version of the same browser is not a new device',
    ({ ours, email }) => byPassword(ours, email, firefox(141)),
    1,
  ],
  [
    'a sign-in that links an account at a provider records the device',
    async ({ ours, email }) => {
      const id_token = google.signed(newPerson({ email }));
      await post(ours, '/sessions/identity', chrome, { provider: 'google', id_token });
    },
    2,
    () => signInProject(world, settings),
  ],
  [
    'a sign-in by a mailed code records the device',
    async ({ ours, email }) => post(ours, '/sessions/code', chrome, await ours.code(email)),
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
  const at = { ours, ...(await signedUp(ours)) };
  await act(at);
  expect(await newDeviceMails(at.email)).toEqual([]);
  expect(await devicesOf(at.uid)).toHaveLength(devices);
  if (devices === 2) await inChrome(at);
  expect(await newDeviceMails(at.email)).toEqual([]);
});

test('a sign-in by a provider mails a new device, but not the device that created the user', async () => {
  const ours = await signInProject(world, settings);
  const email = newAddress();
  const person = newPerson({ email });
  const enter = (agent: string) =>
    post(ours, '/sessions/identity', agent, {
      provider: 'google',
      id_token: google.signed(person),
    });
  await enter(firefox(140));
  await enter(firefox(140));
  expect(await newDeviceMails(email)).toEqual([]);
  await enter(chrome);
  expect(await newDeviceMails(email)).toEqual(['Chrome on Windows']);
});

test('after a password is set by mail, every other device is new', async () => {
  const { email, uid } = await signedUp(plain);
  await byPassword(plain, email, chrome);
  await plain.post('/passwords/forgotten', { email });
  const another = 'another horse battery staple';
  const token = await plain.mailed(email);
  await post(plain, '/passwords', firefox(140), { token, password: another });
  expect(await devicesOf(uid)).toHaveLength(1);
  await byPassword(plain, email, chrome, another);
  expect(await newDeviceMails(email)).toEqual(['Chrome on Windows', 'Chrome on Windows']);
});

test('the mail does not mention passwords where the project has none', async () => {
  for (const password_sign_in of [true, false]) {
    const ours = await signInProject(world, { ...settings, password_sign_in });
    const email = newAddress();
    const person = newPerson({ email });
    for (const agent of [firefox(140), chrome])
      await post(ours, '/sessions/identity', agent, {
        provider: 'google',
        id_token: google.signed(person),
      });
    const text = (await ours.mailTo(email))?.text;
    expect(text).toContain('A new device signed in');
    expect(text?.includes('password')).toBe(password_sign_in);
  }
});

test('a user with a new device at every sign-in gets five mails a day; the last twenty devices are kept', async () => {
  const { email, uid } = await signedUp(plain);
  const letters = [...'abcdefghijklmnopqrstuv'];
  for (const letter of letters) await byPassword(plain, email, `program ${letter}`);
  expect(await newDeviceMails(email)).toHaveLength(rates.newDeviceMails.max);
  expect(await devicesOf(uid)).toHaveLength(limits.devicesPerUser);
});
