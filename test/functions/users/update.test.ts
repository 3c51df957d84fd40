import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { aTime, expectInvalid, expectProblem, unknownId } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const update = (uid: string, auth: string, body: object) => as(auth).users.update({ uid, ...body });
const read = async (uid: string) => (await as(project).users.get({ uid })).body;

test('200 a user changes every field of their own profile', async () => {
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

test('200 absent fields stay, empty ones are cleared, and the name is replaced as a whole', async () => {
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

test('200 a changed e-mail is unverified and taken, and the previous one is free', async () => {
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
  const taken = await as(project).users.create({ email: 'nEW@EXAMPLE.com' });
  expect([taken.status, taken.body.uid]).toEqual([200, uid]);
  const free = await as(project).users.create({ email: 'OLD@example.com' });
  expect(free.status).toBe(201);
  expect(free.body.uid).not.toBe(uid);
});

test('200 an e-mail in other capitals stays verified', async () => {
  const { uid } = await world.user({ email: 'case@example.com', verified: true });
  const before = await read(uid);
  const { body } = await update(uid, project.basic, { email: 'CASE@example.com' });
  expect(body).toEqual({ ...before, email: 'CASE@example.com', modified_at: aTime() });
  const found = await as(project).users.create({ email: 'case@example.com' });
  expect([found.status, found.body.uid]).toEqual([200, uid]);
});

test('200 the backend verifies a new e-mail, or the one that the user has', async () => {
  const { uid } = await world.user({ email: 'unsure@example.com' });
  const before = await read(uid);
  const vouch = (email: string) => update(uid, project.basic, { email, email_verified: true });
  const verified = { email: true };
  for (const email of ['sure@example.com', 'SURE@example.com']) {
    const { status, body } = await vouch(email);
    expect([status, body]).toEqual([200, { ...before, email, verified, modified_at: aTime() }]);
  }
});

test('400 email_verified needs the e-mail in the request and cannot be false; 403 for the user', async () => {
  const { uid, bearer } = await world.user({ email: 'nothing@example.com' });
  const alone = { email_verified: true, display_name: 'Ada' };
  expectInvalid(await update(uid, project.basic, alone), '/body/email_verified');
  expectInvalid(await update(uid, bearer, alone), '/body/email_verified');
  const never = { email: 'never@example.com', email_verified: false };
  expectInvalid(await update(uid, project.basic, never), '/body/email_verified');
  expectProblem(await update(uid, bearer, { ...never, email_verified: true }), 'forbidden');
  expect(await read(uid)).toMatchObject({
    email: 'nothing@example.com',
    verified: { email: false },
  });
});

test('200 gives an e-mail to a user who has none', async () => {
  const { uid } = (await as(project).users.get({ uid: newUid(new Date()) })).body;
  await update(uid, project.basic, { email: 'first@example.com' });
  const found = await as(project).users.create({ email: 'first@example.com' });
  expect([found.status, found.body.uid]).toEqual([200, uid]);
});

test.each([{}, { disabled: true }])('409 email_taken changes nothing, with %j', async (more) => {
  const email = `mine-${Object.keys(more).length}@example.com`;
  await world.user({ email: `taken-by-others.${email}` });
  const person = await world.user({ email });
  const { uid } = person;
  const before = await read(uid);
  const change = { email: `TAKEN-by-others.${email}`, display_name: 'Never', ...more };
  expectProblem(await update(uid, project.basic, change), 'email_taken');
  expect(await read(uid)).toEqual(before);
  expect((await as(person).users.getMe()).status).toBe(200);
  expect((await as(project).users.create({ email })).body.uid).toBe(uid);
});

test('200 without a change returns the user, and writes nothing', async () => {
  const { uid, bearer } = await world.user();
  const before = await world.table.get(keys.user(uid));
  const shown = await read(uid);
  for (const auth of [project.basic, bearer]) {
    const { status, body } = await update(uid, auth, {});
    expect([status, body]).toEqual([200, shown]);
  }
  expect(await world.table.get(keys.user(uid))).toEqual(before);
  expectProblem(await update(unknownId.replace(/f$/, '0'), project.basic, {}), 'not_found');
});

describe('agreed_terms', () => {
  test('200 stores the time of an agreement, and of a repeated one', async () => {
    const { uid, bearer } = await world.user();
    const before = await read(uid);
    const { status, body } = await update(uid, bearer, { agreed_terms: { tos: true } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      modified_at: aTime(),
      agreed_terms: { tos: body.modified_at },
    });
    const second = (await update(uid, bearer, { agreed_terms: { sign_up: true } })).body;
    expect(second).toEqual({
      ...body,
      modified_at: aTime(),
      agreed_terms: { tos: body.modified_at, sign_up: second.modified_at },
    });
    const third = (await update(uid, bearer, { agreed_terms: { tos: true, sign_up: true } })).body;
    const now = third.modified_at;
    expect(third.agreed_terms).toEqual({ tos: now, sign_up: now });
    expect(now > body.modified_at).toBe(true);
    expect(await read(uid)).toEqual(third);
  });

  test('200 is kept by other changes; the backend can set it too', async () => {
    const { uid, bearer } = await world.user();
    const { body } = await update(uid, project.basic, { agreed_terms: { tos: true } });
    const { agreed_terms } = body;
    expect(agreed_terms).toEqual({ tos: aTime() });
    const renamed = await update(uid, bearer, { display_name: 'Ada' });
    expect(renamed.body).toEqual({ ...body, display_name: 'Ada', modified_at: aTime() });
    const moved = await update(uid, project.basic, { email: 'agreed@example.com' });
    expect(moved.body.agreed_terms).toEqual(agreed_terms);
  });

  test('400 cannot be revoked, dated or empty', async () => {
    const { uid, bearer } = await world.user();
    const agree = (agreed_terms: unknown) => update(uid, bearer, { agreed_terms });
    expectInvalid(await agree({}), '/body/agreed_terms');
    expectInvalid(await agree({ tos: false }), '/body/agreed_terms/tos');
    expectInvalid(await agree({ tos: '2026-01-01T00:00:00.000Z' }), '/body/agreed_terms/tos');
    expectInvalid(await agree({ tos: true, privacy: true }), '/body/agreed_terms/privacy');
    expect((await read(uid)).agreed_terms).toBeUndefined();
  });
});

describe('disabled', () => {
  const getMe = ({ bearer }: Person) => as(bearer).users.getMe();
  const stored = (uid: string) => world.table.query(`USER#${uid}`, 'SESSION#');

  test('200 ends every session immediately and refuses new ones until enabled again', async () => {
    const here = await world.user();
    const there = await world.session(here.uid);
    const { uid } = here;
    const before = await read(uid);
    const { status, body } = await update(uid, project.basic, { disabled: true });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, disabled: true, modified_at: aTime() });
    expect(await read(uid)).toEqual(body);
    const again = await update(uid, project.basic, { disabled: true });
    expect([again.status, again.body]).toEqual([200, { ...body, modified_at: aTime() }]);
    for (const each of [here, there]) {
      expectProblem(await getMe(each), 'unauthenticated');
      expectProblem(await world.renew(each), 'unauthenticated');
    }
    expect(await stored(uid)).toEqual([]);
    expectProblem(await as(project).sessions.create({ uid }), 'user_disabled');
    for (let i = 0; i < 2; i += 1) {
      const enabled = await update(uid, project.basic, { disabled: false });
      expect([enabled.status, enabled.body]).toEqual([200, { ...before, modified_at: aTime() }]);
      expect(await read(uid)).toEqual(enabled.body);
    }
    expect((await as(project).sessions.create({ uid })).status).toBe(201);
    // Ended sessions stay ended.
    for (const each of [here, there]) expectProblem(await world.renew(each), 'unauthenticated');
  });

  test('200 is kept when the profile or e-mail changes', async () => {
    const { uid } = await world.user();
    await update(uid, project.basic, { disabled: true });
    const renamed = await update(uid, project.basic, { display_name: 'Ada' });
    expect(renamed.body).toMatchObject({ display_name: 'Ada', disabled: true });
    const moved = await update(uid, project.basic, { email: 'shut@example.com' });
    expect(moved.body).toMatchObject({ email: 'shut@example.com', disabled: true });
    expect(await read(uid)).toEqual(moved.body);
    expectProblem(await as(project).sessions.create({ uid }), 'user_disabled');
  });

  test('200 can change in one request with the e-mail and profile', async () => {
    const person = await world.user({ email: 'all@example.com', verified: true });
    const { uid } = person;
    const before = await read(uid);
    const change = { email: 'all@moved.com', disabled: true, display_name: 'Gone' };
    const { status, body } = await update(uid, project.basic, change);
    const verified = { email: false };
    expect([status, body]).toEqual([200, { ...before, ...change, verified, modified_at: aTime() }]);
    expectProblem(await getMe(person), 'unauthenticated');
    expect((await as(project).users.create({ email: 'all@moved.com' })).body.uid).toBe(uid);
    expect((await as(project).users.create({ email: 'all@example.com' })).status).toBe(201);
    const back = await update(uid, project.basic, { email: 'all@back.com', disabled: false });
    expect(back.body).toEqual({
      ...before,
      ...{ email: 'all@back.com', display_name: 'Gone', verified, modified_at: aTime() },
    });
  });
});
