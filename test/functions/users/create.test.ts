import { expect, test } from 'vitest';
import { anId, aTime, aUser } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const create = (body: object, auth = project.basic) => as(auth).users.create(body);

/** A user in the form of this endpoint: without sign_in_methods. */
function created(given: Parameters<typeof aUser>[0]) {
  const { sign_in_methods: _, ...user } = aUser(given);
  return user;
}

test('201 creates the user with an empty value for every other field', async () => {
  const { status, body } = await create({ email: 'ada@example.com' });
  const { uid, created_at } = body;
  const { project_id } = project;
  expect(body).toEqual(
    created({ uid, project_id, email: 'ada@example.com', modified_at: created_at }),
  );
  expect(status).toBe(201);
  expect(uid).toEqual(anId());
  const read = await as(project).users.get({ uid });
  expect(read.body).toEqual({ ...body, sign_in_methods: {} });
});

test('201 stores a verified e-mail and a profile as the backend gives them', async () => {
  const profile = {
    display_name: 'Grace',
    preferred_username: 'grace',
    profile_url: 'https://example.com/grace',
    thumbnail_url: 'https://example.com/grace.png',
    about_me: 'Line one\nline two',
    current_location: 'Zürich 🏔',
    photos: [{ value: 'https://example.com/1.jpg', type: 'photo', primary: true, display: 'Me' }],
    urls: [{ value: 'https://example.com/blog' }],
  };
  const { status, body } = await create({
    email: 'Grace.Hopper+navy@Example.com',
    email_verified: true,
    name: { given_name: 'Grace' },
    ...profile,
  });
  const { uid } = body;
  expect(body).toEqual(
    created({
      ...profile,
      uid,
      project_id: project.project_id,
      email: 'Grace.Hopper+navy@Example.com',
      name: { given_name: 'Grace', family_name: '', formatted: '' },
      verified: { email: true },
    }),
  );
  expect(status).toBe(201);
});

test('200 returns the existing user unchanged, whatever the capitals of the e-mail and the profile sent', async () => {
  const first = await create({ email: 'Alan@Example.com', display_name: 'Alan' });
  const lostAnswer = await create({ email: 'Alan@Example.com', display_name: 'Alan' });
  const again = await create({
    email: 'aLAN@eXAMPLE.COM',
    display_name: 'Somebody else',
  });
  expect(lostAnswer.status).toBe(200);
  expect(lostAnswer.body).toEqual(first.body);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test('200 the backend can verify the e-mail of an existing user; a repeated request changes nothing', async () => {
  const { body: first } = await create({ email: 'later@example.com' });
  const vouch = { email: 'Later@example.com', email_verified: true, display_name: 'Never' };
  const { status, body } = await create(vouch);
  expect(status).toBe(200);
  expect(body).toEqual({ ...first, verified: { email: true }, modified_at: aTime() });
  expect((await create(vouch)).body).toEqual(body);
  expect((await create({ email: 'later@example.com' })).body).toEqual(body);
});

test('201 creates another user for the same e-mail in another project', async () => {
  const foreign = await world.newProject();
  const here = await create({ email: 'both@example.com' });
  const there = await create({ email: 'both@example.com' }, foreign.basic);
  expect(there.status).toBe(201);
  expect(there.body.project_id).toBe(foreign.project_id);
  expect(there.body.uid).not.toBe(here.body.uid);
});
