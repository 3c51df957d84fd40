/** @module-tag source */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { eventOf, event as eventSchema } from '#shared/contract/events.ts';
import { operationNotes } from '#shared/contract/notes/operation-notes.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { type EventType, eventFields, eventTypes } from '#shared/model/events.ts';
import { limits } from '#shared/model/limits.ts';
import { userKey } from '../support/api-keys.ts';
import type { Prepare } from '../support/budgets/case.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import type { Call } from '../support/call.ts';
import { startWorld } from '../support/world.ts';
import { eventScenes } from './event-scenes.ts';

const world = await startWorld();
const scenes = eventScenes(world);

type Item = Record<string, unknown>;
type Name = (typeof routes)[number]['name'];
const emitting = routes.filter(
  (route) => takesIdempotencyKey(route) || operationNotes[route.name].events !== undefined,
);

/** The types of the events that a call causes, even a rejected one. */
async function eventsOf(made: Call): Promise<string[]> {
  await world.drainStream();
  const before = world.events().length;
  expect((await world.call(made)).status).toBeLessThan(500);
  await world.drainStream();
  const later = world.events().slice(before);
  return later.map(({ type }) => type);
}

/** The users before the case. */
const known = new Set<unknown>();
/** The users that the case has created. */
async function newUsers(): Promise<Item[]> {
  const users = await world.table.having('sk', keys.user('').sk);
  const made = users.filter(({ uid }) => !known.has(uid));
  for (const { uid } of made) known.add(uid);
  return made.filter(({ deleted_at }) => deleted_at === undefined);
}

/** The user without a profile, which the provider fills in. */
function withoutProfile(user: Item): Item {
  const { display_name: _, name: __, thumbnail_url: ___, ...rest } = user;
  return rest;
}

async function nameless(): Promise<void> {
  for (const user of await newUsers()) await world.table.put(withoutProfile(user));
}

/** As an invitation creates them: nobody has signed in, or verified the e-mail. */
async function onlyInvited(): Promise<void> {
  for (const user of await newUsers()) {
    const { last_session_id: _, ...rest } = user;
    const unchanged = { modified_at: user['created_at'], only_invited: true };
    await world.table.put({ ...rest, ...unchanged, verified: { email: false } });
  }
}

/** Removes the verification of their e-mail too, and adds everything that a stranger could have set up before it. */
async function unproven(): Promise<void> {
  const { table } = world;
  const passkey_id = 'p'.repeat(43);
  for (const user of await newUsers()) {
    const { uid, project_id } = user as { uid: string; project_id: string };
    const { pk, sk } = keys.session(uid, '');
    for (const session of await table.query(pk, sk)) {
      const session_id = randomUUID();
      const key = keys.session(uid, session_id);
      await table.put({ ...session, ...key, session_id, method: 'email_code' });
    }
    const identities = { other: { issuer: 'https://accounts.example.com', subject: uid } };
    const strong = { passkey_count: 1, factor_method: 'other' };
    await table.put({
      ...withoutProfile(user),
      ...{ verified: { email: false }, identities, ...strong },
    });
    const of = { uid, project_id };
    await table.put({ ...keys.passkey(uid, passkey_id), ...of, passkey_id });
    const key_id = 'key-1';
    await table.put({ ...keys.apiKey(keys.user(uid), key_id), ...of, key_id, generation: 0 });
    await table.put({ ...keys.factor(uid), ...of, confirmed_at: '', recovery_digests: [] });
  }
}

/** Makes the next session end the previous one. */
async function oneSession(): Promise<void> {
  (limits as { sessionsPerUser: number }).sessionsPerUser = 1;
}

/** Preparations with which the calls of the budgets cause further events. */
const conditions: Partial<Record<Name, (() => Promise<void>)[]>> = {
  'sessions.create': [oneSession],
  'passwords.signIn': [oneSession],
  'passwords.set': [unproven],
  'codes.verify': [oneSession, unproven],
  'links.signIn': [oneSession, unproven],
  'factors.signIn': [oneSession],
  'factors.confirmEnrolment': [oneSession],
  'passkeys.signIn': [oneSession],
  'identities.signIn': [oneSession, nameless, onlyInvited],
  'identities.link': [nameless],
  'providers.signIn': [oneSession, nameless, onlyInvited],
  'emails.confirm': [unproven],
  'users.create': [unproven],
  'invitations.accept': [unproven],
};

describe('the documented events of an operation are those that it causes', () => {
  const { sessionsPerUser } = limits;
  afterEach(() => {
    (limits as { sessionsPerUser: number }).sessionsPerUser = sessionsPerUser;
  });

  test.each(emitting)('$name', async ({ name }) => {
    const cases: Prepare[] = Object.values(budgetCases(world)[name]);
    const found = new Set<string>();
    for (const condition of [undefined, ...(conditions[name] ?? [])]) {
      if (condition && condition !== oneSession) await newUsers();
      for (const prepare of [...cases, ...(condition ? [] : (scenes[name] ?? []))]) {
        const { refused: _, ...made } = (await prepare()) as Awaited<ReturnType<Prepare>>;
        await condition?.();
        for (const type of await eventsOf(made)) found.add(type);
        (limits as { sessionsPerUser: number }).sessionsPerUser = sessionsPerUser;
        vi.useRealTimers();
      }
    }
    expect([...found].toSorted()).toEqual([...(operationNotes[name].events ?? [])].toSorted());
  });
});

describe('of all events that the operations have caused,', () => {
  beforeAll(async () => {
    const { bearer } = await userKey(world, await world.user());
    await world.as(bearer).users.getMe();
    await world.drainStream();
  });
  /** Events that need the operator or a bounce; they have separate tests. */
  const elsewhere = ['user.password_exported', 'email.bounced', 'email.complained'];

  test('every type occurs, except those that need more than a request', () => {
    const came = new Set<string>(world.events().map(({ type }) => type));
    expect(Object.keys(eventTypes).filter((type) => !came.has(type))).toEqual(elsewhere);
  });

  test.each(Object.keys(eventTypes) as EventType[])(
    '%s has the fields of the contract, and no others',
    (type) => {
      const named: readonly string[] = eventFields[type];
      for (const event of world.events().filter((each) => each.type === type)) {
        // The response must omit nothing, because the hash of a log covers the whole event.
        expect(eventSchema.parse(event)).toEqual(event);
        eventOf(type).parse(event);
        const fields = [...Object.keys(event.data), ...Object.keys(event.previous ?? {})];
        expect(fields.filter((name) => !named.includes(name))).toEqual([]);
        expect(event.workspace_id !== undefined).toBe(type.startsWith('workspace.'));
      }
    },
  );

  test('an event names its actor: the backend by its secret, a user by uid, an API key by its id', () => {
    const actorsOf = (type: string) =>
      new Set(world.events().flatMap((event) => (event.type === type ? event.actor.kind : [])));
    expect(actorsOf('workspace.updated')).toEqual(new Set(['key', 'user', 'api_key']));
    expect(actorsOf('workspace.created')).toEqual(new Set(['key', 'user']));
    expect(actorsOf('workspace.invitation.declined')).toEqual(new Set(['user']));
  });
});
