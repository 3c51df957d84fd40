import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Actor, EventType } from '#shared/model/events.ts';
import { newUid } from '#shared/model/ids.ts';
import { anEvent, backend, eventsDuring, eventsOf, self } from '../support/recorded-events.ts';
import { type Person, startWorld } from '../support/world.ts';

const world = await startWorld();
const { project } = world;
const key = await backend(world, project);

type Facts = [type: EventType, data?: object][];
const facts = (actor: Actor, recorded: Facts) => recorded.map((each) => anEvent(actor, ...each));
const post = (body: object) => world.call('POST', '/users', project.basic, body);
const put = ({ uid }: Person, body: object, auth = project.basic) =>
  world.call('PUT', `/users/${uid}`, auth, body);

describe('a new user records an event, with its creator as the actor', () => {
  test('the backend, by e-mail: once for repeated requests', async () => {
    const { uid } = (await post({ email: 'new@example.com', email_verified: true })).body;
    const recorded = { events: facts(key, [['user.created']]), event_count: 1 };
    expect(await eventsOf(world, uid)).toEqual(recorded);
    expect((await post({ email: 'New@example.com', email_verified: true })).status).toBe(200);
    expect(await eventsOf(world, uid)).toEqual(recorded);
  });

  test('the backend, by uid: once for repeated requests', async () => {
    const uid = newUid(new Date());
    const get = () => world.call('GET', `/users/${uid}`, project.basic);
    expect((await get()).status).toBe(201);
    expect((await get()).status).toBe(200);
    const recorded = { events: facts(key, [['user.created']]), event_count: 1 };
    expect(await eventsOf(world, uid)).toEqual(recorded);
  });

  test('an admin who invites an unknown e-mail', async () => {
    const workspace = await world.workspace();
    const path = `/workspaces/${workspace.workspace_id}/invitations`;
    const body = { email: 'invited@example.com', role: 'member' };
    expect((await world.call('POST', path, workspace.owner.bearer, body)).status).toBe(201);
    const guard = await world.table.get(keys.emailGuard(project.project_id, body.email));
    expect(await eventsOf(world, String(guard?.['uid']))).toEqual({
      events: facts(self(workspace.owner), [['user.created']]),
      event_count: 1,
    });
  });
});

type Change = {
  /** A user with an unverified e-mail and one session. */
  prepare?: (person: Person) => Promise<unknown>;
  body: (person: Person) => object;
  by?: 'person';
  recorded: Facts;
};

const changes: Record<string, Change> = {
  'a profile, by the user': {
    body: () => ({ display_name: 'Ada', name: { given_name: 'Ada' } }),
    by: 'person',
    recorded: [['user.updated', { fields: ['display_name', 'name'] }]],
  },
  'a profile and terms, by the backend': {
    body: () => ({ about_me: 'First', agreed_terms: { tos: true, sign_up: true } }),
    recorded: [['user.updated', { fields: ['about_me', 'agreed_terms'] }]],
  },
  'another e-mail': {
    body: ({ email }) => ({ email: `other.${email}` }),
    recorded: [['user.email_changed']],
  },
  'another verified e-mail, and a profile': {
    body: ({ email }) => ({ email: `own.${email}`, email_verified: true, display_name: 'Ada' }),
    recorded: [
      ['user.email_changed'],
      ['user.email_verified'],
      ['user.updated', { fields: ['display_name'] }],
    ],
  },
  'the same e-mail': { body: ({ email }) => ({ email }), recorded: [] },
  'the same e-mail, now verified': {
    body: ({ email }) => ({ email, email_verified: true }),
    recorded: [['user.email_verified']],
  },
  'the same e-mail, verified before': {
    prepare: (person) => put(person, { email: person.email, email_verified: true }),
    body: ({ email }) => ({ email, email_verified: true }),
    recorded: [],
  },
  'the same e-mail in upper case': {
    body: ({ email }) => ({ email: email.toUpperCase() }),
    recorded: [['user.email_changed']],
  },
  'disabled, with 2 sessions': {
    prepare: ({ uid }) => world.session(uid),
    body: () => ({ disabled: true }),
    recorded: [['user.disabled'], ['user.sessions_ended', { count: 2 }]],
  },
  'disabled again': {
    prepare: (person) => put(person, { disabled: true }),
    body: () => ({ disabled: true }),
    recorded: [],
  },
  enabled: {
    prepare: (person) => put(person, { disabled: true }),
    body: () => ({ disabled: false }),
    recorded: [['user.enabled']],
  },
  'enabled again': { body: () => ({ disabled: false }), recorded: [] },
};

describe('a change of a user records what changed', () => {
  test.each(Object.entries(changes))('%s', async (_, { prepare, body, by, recorded }) => {
    const person = await world.user();
    await prepare?.(person);
    const auth = by === 'person' ? person.bearer : project.basic;
    const { answer, ...rest } = await eventsDuring(world, person.uid, () =>
      put(person, body(person), auth),
    );
    expect(answer.status).toBe(200);
    expect(rest.events).toEqual(facts(by === 'person' ? self(person) : key, recorded));
  });

  test('nothing for a refused change', async () => {
    const person = await world.user();
    const other = await world.user();
    const { events } = await eventsDuring(world, person.uid, async () => {
      expect((await put(person, { email: other.email })).status).toBe(409);
      expect((await put(person, { disabled: true }, person.bearer)).status).toBe(403);
      expect((await put(person, { display_name: 'Eve' }, other.bearer)).status).toBe(404);
      expect((await put(person, { display_name: 7 })).status).toBe(400);
    });
    expect(events).toEqual([]);
  });

  test('a verification of the e-mail by the backend, once, and what it removes', async () => {
    const person = await world.user();
    const { table } = world;
    const [session] = await table.query(keys.user(person.uid).pk, 'SESSION#');
    await table.put({ ...session, method: 'idpw' });
    const identities = { google: { issuer: 'https://id.example.com', subject: '1' } };
    await table.update(keys.user(person.uid), { identities });
    const vouch = () => post({ email: person.email, email_verified: true });
    expect((await eventsDuring(world, person.uid, vouch)).events).toEqual(
      facts(key, [
        ['user.email_verified'],
        ['user.identity_unlinked', { provider: 'google' }],
        ['user.sessions_ended', { count: 1 }],
      ]),
    );
    expect((await eventsDuring(world, person.uid, vouch)).events).toEqual([]);
  });
});

test('no response contains events of a user', async () => {
  const person = await world.user({ verified: true });
  const { owner: _, ...workspace } = await world.workspace({ owner: person });
  const members = `/workspaces/${workspace.workspace_id}/users?status=accepted`;
  const answers = await Promise.all([
    put(person, { display_name: 'Ada' }),
    put(person, { email: `again.${person.email}` }),
    post({ email: person.email }),
    world.call('GET', '/users/me', person.bearer),
    world.call('GET', `/users/${person.uid}`, project.basic),
    world.call('POST', '/users/search', project.basic, { uids: [person.uid] }),
    world.call('GET', members, project.basic),
  ]);
  for (const { status, body } of answers) {
    expect(status).toBeLessThan(300);
    expect(JSON.stringify(body)).not.toMatch(/event|evt-/);
  }
});
