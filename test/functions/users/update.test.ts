import { expect, test } from 'vitest';
import type { User } from '#shared/model.ts';
import {
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const update = (uid: string, auth: string, body: object) =>
  world.call<User>('PUT', `/users/${uid}`, auth, body);
const read = async (uid: string) =>
  (await world.call<User>('GET', `/users/${uid}`, project.basic)).body;
const getOrCreate = (email: string) => world.call<User>('POST', '/users', project.basic, { email });

test('200 a person changes their own profile, field by field', async () => {
  const { uid, bearer } = await world.user();
  const before = await read(uid);
  const profile = {
    display_name: 'Ada',
    preferred_username: 'ada',
    profile_url: 'https://example.com/ada',
    thumbnail_url: 'https://example.com/ada.png',
    name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
    about_me: 'First\nprogrammer',
    current_location: 'London',
    photos: [{ value: 'https://example.com/1.jpg', primary: true }],
    urls: [{ value: 'https://example.com', type: 'home', display: 'Home' }],
  };
  const { status, body } = await update(uid, bearer, profile);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...profile, modified_at: aTime() });
  expect(body.modified_at > before.modified_at).toBe(true);
  expect(await read(uid)).toEqual(body);
});

test('200 what is left out stays, what is empty is cleared, the name is replaced as a whole', async () => {
  const name = { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' };
  const { uid } = await world.user({ display_name: 'Ada', about_me: 'Hello', name });
  const before = await read(uid);
  const { body } = await update(uid, project.basic, {
    about_me: '',
    name: { family_name: 'Byron' },
  });
  expect(body).toEqual({
    ...before,
    about_me: '',
    name: { given_name: '', family_name: 'Byron', formatted: '' },
    modified_at: aTime(),
  });
  expect(await read(uid)).toEqual(body);
});

test('200 repeated after a lost answer leaves the same user', async () => {
  const { uid } = await world.user();
  const { body: first } = await update(uid, project.basic, { display_name: 'Twice' });
  const { status, body } = await update(uid, project.basic, { display_name: 'Twice' });
  expect(status).toBe(200);
  expect(body).toEqual({ ...first, modified_at: aTime() });
});

test('200 a changed e-mail is free for others, the new one taken, and not verified', async () => {
  const { uid } = await world.user({ email: 'old@example.com', verified: true });
  const before = await read(uid);
  const { status, body } = await update(uid, project.basic, {
    email: 'New@example.com',
    display_name: 'Renamed',
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...before,
    email: 'New@example.com',
    display_name: 'Renamed',
    verified: { email: false },
    modified_at: aTime(),
  });
  expect(await read(uid)).toEqual(body);
  const taken = await getOrCreate('nEW@EXAMPLE.com');
  expect([taken.status, taken.body.uid]).toEqual([200, uid]);
  const free = await getOrCreate('OLD@example.com');
  expect(free.status).toBe(201);
  expect(free.body.uid).not.toBe(uid);
});

test('200 an e-mail written in another case stays the same, verified mailbox', async () => {
  const { uid } = await world.user({ email: 'case@example.com', verified: true });
  const before = await read(uid);
  const { body } = await update(uid, project.basic, { email: 'CASE@example.com' });
  expect(body).toEqual({ ...before, email: 'CASE@example.com', modified_at: aTime() });
  const found = await getOrCreate('case@example.com');
  expect([found.status, found.body.uid]).toEqual([200, uid]);
});

test('200 gives an e-mail to a user who has none', async () => {
  const { uid } = (await world.call<User>('GET', `/users/${nobody}`, project.basic)).body;
  await update(uid, project.basic, { email: 'first@example.com' });
  const found = await getOrCreate('first@example.com');
  expect([found.status, found.body.uid]).toEqual([200, uid]);
});

test('409 email_taken changes nothing', async () => {
  await world.user({ email: 'taken@example.com' });
  const { uid } = await world.user({ email: 'mine@example.com' });
  const before = await read(uid);
  const answer = await update(uid, project.basic, {
    email: 'TAKEN@example.com',
    display_name: 'Never',
  });
  expectProblem(answer, 'email_taken');
  expect(await read(uid)).toEqual(before);
  expect((await getOrCreate('mine@example.com')).body.uid).toBe(uid);
});

test('403 a person may not change even their own e-mail', async () => {
  const { uid, bearer } = await world.user();
  const before = await read(uid);
  expectProblem(
    await update(uid, bearer, { email: 'other@example.com', display_name: 'Never' }),
    'forbidden',
  );
  expect(await read(uid)).toEqual(before);
});

test('404 for a stranger, and for the back end of another project: the very answer of a missing user', async () => {
  const { uid } = await world.user({ email: 'safe@example.com' });
  const before = await read(uid);
  const foreign = await world.newProject();
  const { bearer } = await world.user();
  const missing = nobody.replace(/f$/, '0');
  for (const auth of [bearer, foreign.basic])
    for (const change of [{ display_name: 'Mallory' }, { email: 'mallory@example.com' }]) {
      const answer = await update(uid, auth, change);
      expectProblem(answer, 'not_found');
      expectSame(answer, await update(missing, auth, change));
    }
  expect(await read(uid)).toEqual(before);
});

test('400 names every wrong field; nothing to change is wrong too', async () => {
  const { uid } = await world.user();
  expectInvalid(await update(uid, project.basic, {}), '/body');
  expectInvalid(
    await update('me', project.basic, { email: 'x', email_verified: true, name: 'Ada', urls: {} }),
    '/path/uid',
    '/body/email',
    '/body/email_verified',
    '/body/name',
    '/body/urls',
  );
});

test('401 without a credential', async () => {
  const answer = await world.call('PUT', `/users/${nobody}`, undefined, { display_name: 'x' });
  expectProblem(answer, 'unauthenticated');
  expect(answer.headers.get('www-authenticate')).toBe(
    'Basic realm="project", charset="UTF-8", Bearer realm="user"',
  );
});
