import { beforeAll, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { eventOf, event as eventSchema } from '#shared/contract/events.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { type Event, eventFields, eventTypes } from '#shared/model/events.ts';
import { userKey, workspaceKey } from '../support/api-keys.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
let events: Event[] = [];

// Runs every request that causes an event.
beforeAll(async () => {
  const cases = budgetCases(world);
  for (const { name } of routes.filter(takesIdempotencyKey))
    for (const prepare of Object.values(cases[name])) {
      const { refused = 0, ...call } = await prepare();
      const { status, body } = await world.call(call);
      if ((status < 300 ? 0 : status) !== refused)
        throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    }
  const { workspace_id, owner } = await world.workspace();
  const { uid: user_id } = await world.member({ workspace_id, owner });
  for (const suspended of [true, false])
    await world.as(owner).members.suspend({ workspace_id, user_id, suspended });
  const ofUser = await userKey(world, owner);
  await world.as(ofUser.bearer).users.getMe();
  const ofWorkspace = await workspaceKey(world, { workspace_id, owner });
  await world.as(ofWorkspace.bearer).workspaces.get({ workspace_id });
  await world.drainStream();
  events = world.events();
});

/** Events that need the operator, a copied key, a bounce, a used token or 30 days; they have separate tests. */
const elsewhere = [
  'user.password_exported',
  'user.passkey_counter_decreased',
  'session.reuse_detected',
  'email.bounced',
  'email.complained',
  'workspace.invitation.expired',
];

test('every type of event occurs, except those that need more than a request', () => {
  const came = new Set<string>(events.map(({ type }) => type));
  const missing = Object.keys(eventTypes).filter((type) => !came.has(type));
  expect(missing).toEqual(elsewhere);
});

test.each(Object.keys(eventTypes) as (keyof typeof eventTypes)[])(
  '%s has the fields of the contract, and no others',
  (type) => {
    const named: readonly string[] = eventFields[type];
    for (const event of events.filter((each) => each.type === type)) {
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
    new Set(events.flatMap((event) => (event.type === type ? event.actor.kind : [])));
  expect(actorsOf('workspace.updated')).toEqual(new Set(['key', 'user', 'api_key']));
  expect(actorsOf('workspace.created')).toEqual(new Set(['key', 'user']));
  expect(actorsOf('workspace.invitation.declined')).toEqual(new Set(['user']));
});
