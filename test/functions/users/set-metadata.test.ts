import { expect, test } from 'vitest';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { eventsAbout } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { users } = as(project);

/** A JSON object of exactly so many bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - JSON.stringify({ a: '' }).length) });

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

test('a user can change only their own user_metadata', async () => {
  const { uid, bearer } = await world.user();
  const app_metadata = { plan: 'team', at: [1] };
  await users.setMetadata({ uid, app_metadata, private_metadata: { score: 3 } });
  const own = as(bearer).users;
  await own.mergeMetadata({ uid, user_metadata: { theme: 'dark' } });
  const { body } = await own.setMetadata({ uid, user_metadata: { theme: 'light' }, app_metadata });
  expect(body).toEqual({ user_metadata: { theme: 'light' }, app_metadata });
  for (const change of [{ app_metadata: { plan: 'free' } }, { private_metadata: { score: 3 } }])
    for (const asked of [own.setMetadata, own.mergeMetadata])
      expectProblem(await asked({ uid, user_metadata: {}, ...change }), 'forbidden');
  expect((await users.getMetadata({ uid })).body).toMatchObject({
    user_metadata: { theme: 'light' },
    private_metadata: { score: 3 },
  });
});

test('400 for metadata beyond 4 KB or 8 levels, also once merged, with every invalid field', async () => {
  const { uid } = await world.user();
  const all = [{ user_metadata: ofBytes(4_096) }, { app_metadata: nested(8) }];
  for (const fits of all) expect((await users.setMetadata({ uid, ...fits })).status).toBe(200);
  const both = { user_metadata: ofBytes(4_097), app_metadata: nested(9) };
  const pointers = ['/body/user_metadata', '/body/app_metadata'];
  expectInvalid(await users.setMetadata({ uid, ...both }), ...pointers);
  expectInvalid(await users.mergeMetadata({ uid, ...both }), ...pointers);
  expectInvalid(await users.create({ email: 'big@example.com', ...both }), ...pointers);
  // Each fits alone.
  const growing = await users.mergeMetadata({ uid, user_metadata: { b: 1 } });
  expectInvalid(growing, '/body/user_metadata');
  for (const asked of [users.setMetadata, users.mergeMetadata])
    expectInvalid(await asked({ uid }), '/body');
  expectInvalid(await users.setMetadata({ uid, user_metadata: null }), '/body/user_metadata');
  expectInvalid(await users.setMetadata({ uid, app_metadata: [1] }), '/body/app_metadata');
});

test('the event names the changed fields, and has the content only of app_metadata', async () => {
  const { uid, bearer } = await world.user();
  const metadata = { app_metadata: { plan: 'team' }, private_metadata: { s: 'secret-p' } };
  await users.setMetadata({ uid, ...metadata });
  await users.setMetadata({ uid, ...metadata });
  await as(bearer).users.setMetadata({ uid, user_metadata: { s: 'secret-u' } });
  await users.mergeMetadata({ uid, app_metadata: null });
  const events = await eventsAbout(world, 'user.metadata_changed', uid);
  expect(events.map(({ actor, data }) => [actor.kind, data])).toEqual([
    ['key', { user_id: uid, fields: ['app_metadata'], app_metadata: {} }],
    ['user', { user_id: uid, fields: ['user_metadata'] }],
    [
      'key',
      {
        user_id: uid,
        fields: ['app_metadata', 'private_metadata'],
        app_metadata: { plan: 'team' },
      },
    ],
  ]);
  expect(JSON.stringify(world.events())).not.toContain('secret-');
});

test('the event has the same numbers and names, even those that DynamoDB cannot store', async () => {
  const app_metadata = { tiny: 1e-200, '': [{ '': '' }], exact: 0.1 };
  const { uid } = await world.user();
  expect((await users.setMetadata({ uid, app_metadata })).body).toEqual({ app_metadata });
  const [event] = await eventsAbout(world, 'user.metadata_changed', uid);
  expect(event?.data['app_metadata']).toEqual(app_metadata);
  const { workspace_id } = await world.workspace();
  const workspace = await as(project).workspaces.setMetadata({ workspace_id, app_metadata });
  expect(workspace.status).toBe(200);
  const [ofWorkspace] = await eventsAbout(world, 'workspace.metadata_changed', workspace_id);
  expect(ofWorkspace?.data['app_metadata']).toEqual(app_metadata);
});

test('201 sets the metadata of a new user and records an event; an existing user keeps theirs', async () => {
  const given = { email: 'given@example.com', app_metadata: { plan: 'team' }, user_metadata: {} };
  const { status, body } = await users.create(given);
  expect(status).toBe(201);
  expect(JSON.stringify(body)).not.toContain('metadata');
  const { uid } = body;
  const metadata = { app_metadata: { plan: 'team' } };
  expect((await users.getMetadata({ uid })).body).toEqual(metadata);
  expect((await users.create({ ...given, app_metadata: { plan: 'free' } })).status).toBe(200);
  expect((await users.getMetadata({ uid })).body).toEqual(metadata);
  const [event] = await eventsAbout(world, 'user.metadata_changed', uid);
  expect(event?.data).toEqual({ user_id: uid, fields: ['app_metadata'], ...metadata });
});
