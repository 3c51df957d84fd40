/**
 * @module-tag engine
 * @module-tag proof
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { exception, type Fault, isTransaction, lostAnswers } from '../../faults/fault.ts';
import { eventsIn, eventWriter, flawsIn, placesIn } from '../../support/append-events.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import type { Change } from '../../support/stream-record.ts';

const { faults, world } = await startFaultyWorld();
const { writeEvents, consume, recorded } = await eventWriter(world);
const { runInRequest } = await import('#shared/db/request-context.ts');
const { readNewest, removeLog } = await import('#shared/events/log.ts');
const { listFeed } = await import('#shared/events/feed.ts');

/** An error that the SDK does not retry, so it ends the invocation as a kill would. */
const killed = exception('AccessDeniedException');
const afterwards: Fault = async (exchange) => {
  await exchange.forward();
  await killed(exchange);
};

/** Repeats work, interrupted each time at a later call to the table, until it completes. */
async function killAtEveryStep(work: () => Promise<unknown>, last: Fault): Promise<number> {
  for (let step = 1; ; step += 1) {
    let calls = 0;
    let met = false;
    faults.inject(
      async (exchange) => {
        met = true;
        return calls === step ? last(exchange) : killed(exchange);
      },
      { times: Infinity, when: () => ++calls >= step },
    );
    await work().catch(() => {});
    faults.reset();
    if (!met) return step - 1;
  }
}

async function place() {
  const project = await world.newProject();
  const people = await Promise.all([world.user({ project }), world.user({ project })]);
  await world.drainStream();
  const users = people.map(({ uid }) => keys.user(uid));
  const { project_id } = project;
  const state = () =>
    recorded(
      project_id,
      users.map(({ pk }) => pk),
    );
  return { project_id, users, state, before: await state() };
}

async function tellTwice(users: { pk: string; sk: string }[], rounds: number): Promise<Change[]> {
  const changes: Change[] = [];
  for (let i = 0; i < rounds; i += 1)
    for (const user of users) changes.push(await writeEvents(user, [{ type: 'user.updated' }]));
  return changes;
}

test.each([
  ['before it is done', killed],
  ['after it is done', afterwards],
] as const)(
  'killed at every call %s and run again, every event is recorded once, in order, without a gap',
  async (_, last) => {
    const { users, state, before } = await place();
    const changes = await tellTwice(users, 12);
    const steps = await killAtEveryStep(() => consume(changes), last);
    expect(steps).toBeGreaterThanOrEqual(3);
    const { logs, feed } = await state();
    const had = placesIn(before.feed).length;
    expect(placesIn(feed)).toEqual(Array.from({ length: had + 24 }, (_each, i) => i + 1));
    expect(logs.map(flawsIn)).toEqual([[], []]);
    const pending = changes.flatMap(({ after }) => after?.['events'] as { id: string }[]);
    expect(eventsIn(feed).slice(had)).toMatchObject(pending.map(({ id }) => ({ id })));
    const published = new Set(world.events().map(({ id }) => id));
    expect(pending.filter(({ id }) => !published.has(id))).toEqual([]);
  },
);

test.each(Object.entries(lostAnswers))('%s: no event is recorded twice', async (_, fault) => {
  const { users, state, before } = await place();
  const changes = await tellTwice(users, 2);
  faults.inject(fault, { when: isTransaction });
  expect(await consume(changes)).toEqual([]);
  const { logs, feed } = await state();
  expect(placesIn(feed)).toHaveLength(placesIn(before.feed).length + 4);
  expect(logs.map(flawsIn)).toEqual([[], []]);
});

test.each([
  ['before it is done', killed],
  ['after it is done', afterwards],
] as const)(
  'for a mailbox, killed at every call %s, events leave its item only once they are recorded',
  async (_, last) => {
    const { project_id, state, before } = await place();
    const key = keys.mailbox(project_id, 'ada@example.com');
    await world.table.put({ ...key, project_id, recent: ['one'], stopped_at: 'then' });
    const bounced = () =>
      writeEvents(key, [{ type: 'email.bounced', data: { email: 'ada@example.com' } }]);
    const [one, two] = [await bounced(), await bounced()];
    await killAtEveryStep(() => consume([one]), last);
    expect(await world.table.get(key)).toEqual(two.after);
    expect(await killAtEveryStep(() => consume([one, two]), last)).toBeGreaterThanOrEqual(3);
    const item = await world.table.get(key);
    const { events: _events, write_id: _write, ...rest } = two.after ?? {};
    expect(item).toEqual({ ...rest, write_id: expect.any(String) });
    // Every record is repeated, together with that of the removal.
    expect(await consume([one, two, { before: two.after, after: item }])).toEqual([]);
    expect(await world.table.get(key)).toEqual(item);
    const recordedNow = eventsIn((await state()).feed).slice(placesIn(before.feed).length);
    expect(recordedNow.map(({ type }) => type)).toEqual(['email.bounced', 'email.bounced']);
  },
);

test('removing a log, killed at every call, ends the same, and a repeated record does not restore it', async () => {
  const { users, state, project_id, before } = await place();
  const [user, other] = users as [(typeof users)[0], (typeof users)[0]];
  const canary = 'canary-3f0c';
  const changes: Change[] = [];
  for (let i = 0; i < 45; i += 1)
    changes.push(
      await writeEvents(user, [{ type: 'user.updated' }], { display_name: `${canary} ${i}` }),
    );
  changes.push(await writeEvents(other, [{ type: 'user.updated' }], { display_name: 'Grace' }));
  expect(await consume(changes)).toEqual([]);
  const inTime = <T>(work: () => Promise<T>) => runInRequest(randomUUID(), 10_000, work);
  const most = { events: 1_000, bytes: 1_000_000 };
  expect((await inTime(() => readNewest(user.pk, most))).events).toHaveLength(
    placesIn((await state()).logs[0] ?? []).length,
  );
  const steps = await killAtEveryStep(() => inTime(() => removeLog(user.pk)), afterwards);
  expect(steps).toBeGreaterThan(3);
  await inTime(() => removeLog(user.pk));
  expect(await consume(changes)).toEqual([]);
  const { logs, feed } = await state();
  expect(logs[0]).toMatchObject([{ sk: 'HEAD', expires_at: expect.any(Number) }]);
  expect(flawsIn(logs[1] ?? [])).toEqual([]);
  expect(JSON.stringify([logs, feed])).not.toContain(canary);
  expect(JSON.stringify(feed)).toContain('Grace');
  expect(placesIn(feed)).toHaveLength(placesIn(before.feed).length + 46);
  const { events } = await inTime(() => listFeed(project_id, placesIn(before.feed).length, 1));
  const [{ id, time, actor } = { id: '', time: '', actor: {} }] = eventsIn(feed).slice(
    placesIn(before.feed).length,
  );
  expect(events.map(({ event }) => event)).toEqual([
    { id, type: 'user.updated', time, project_id, actor, data: { user_id: user.pk.slice(5) } },
  ]);
});
