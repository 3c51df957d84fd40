import { beforeEach, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import type { Event, EventType } from '#shared/model/events.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { mayCall } from '#shared/webhooks/breaker.ts';
import { aTime } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { type MadeWebhook, webhookScene } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

/** A receiver that fails for a minute is called once a minute for each event type, and as usual after a success. */

const world = await startWorld();
const { as } = world;
let project: TestProject;
const { receiver, make, event, deliver, attempts, get } = await webhookScene(
  world,
  (made) => (project = made),
);
// The clock stands still, so that everything within a minute stays within it.
beforeEach(() => pass(0));

const minute = 60_000;
const day = 1_440 * minute;
const iso = (time: number) => new Date(time).toISOString();
const ours = (given: Partial<Event> = {}) => event({ project_id: project.project_id, ...given });
const several = (count: number, given: Partial<Event> = {}) =>
  Array.from({ length: count }, () => ours(given));
const idsOf = (received: { headers: Record<string, unknown> }[]): string[] =>
  received.map(({ headers }) => String(headers['webhook-id'])).sort();
const stored = async ({ webhook_id }: MadeWebhook) =>
  (await world.table.get(keys.webhook(project.project_id, webhook_id))) ?? {};
const change = ({ webhook_id }: MadeWebhook, attributes: Record<string, unknown>) =>
  world.table.update(keys.webhook(project.project_id, webhook_id), attributes);
/** The attempts of an event in order, each with its status or its error. */
const resultsOf = async (webhook: MadeWebhook, { id }: Event) =>
  (await attempts(webhook, project))
    .filter(({ event_id }) => event_id === id)
    .map(({ attempt, status_code, failure }) => [attempt, status_code ?? failure])
    .toReversed();

/** A webhook that has been failing for a minute, and was not called since then. */
async function makeFailing(...answers: Parameters<typeof receiver.at>) {
  const { url, received, answer } = receiver.at(...answers);
  const webhook = await make(url, { project });
  await change(webhook, { failing_since: iso(Date.now() - minute) });
  return { webhook, received, answer };
}

describe('a receiver that hangs', () => {
  test('is called once a minute, however many attempts are due, and delays no other delivery', async () => {
    const { url, received, answer } = receiver.at(500);
    await make(url, { project });
    await deliver(ours());
    pass(minute);
    const before = received().length;
    for (let minutes = 1; minutes <= 8; minutes += 1) {
      const hung = Promise.withResolvers<void>();
      answer(async (response) => {
        await hung.promise;
        response.writeHead(500).end();
      });
      const events = several(4);
      let left = events.length;
      const others = Promise.withResolvers<void>();
      const all = events.map(async (each) => {
        await deliver(each);
        left -= 1;
        if (left === 1) others.resolve();
      });
      // All but one have ended while that one waits for a response.
      await others.promise;
      expect(received()).toHaveLength(before + minutes);
      hung.resolve();
      await Promise.all(all);
      // Deferred calls are due too, more of them from the fifth minute on.
      await world.schedules.runDue();
      expect(received()).toHaveLength(before + minutes);
      pass(minute);
    }
  });

  test('has its other attempts put off by 5 min, each recorded as an attempt', async () => {
    const { webhook, received } = await makeFailing(500);
    const [first, second] = [ours(), ours()];
    await deliver(first);
    await deliver(second);
    expect(idsOf(received())).toEqual([first.id]);
    const listed = (await attempts(webhook, project)).find(
      ({ event_id }) => event_id === second.id,
    );
    expect(listed).toEqual({
      event_id: second.id,
      type: 'user.created',
      attempt: 1,
      attempted_at: aTime(),
      failure: 'receiver_failing',
      next_attempt_at: aTime(),
    });
    const wait = Date.parse(listed?.next_attempt_at ?? '') - Date.now();
    expect(wait).toBeGreaterThanOrEqual(5 * minute);
    expect(wait).toBeLessThanOrEqual(5.25 * minute);
    // The delivery that was attempted does not wait 5 s within its invocation either.
    expect(world.schedules.waiting()).toMatchObject([
      { input: { attempt: { attempt: 2 } } },
      { input: { attempt: { attempt: 2 } } },
    ]);
  });

  test('gets eight attempts of each event, including those put off', async () => {
    const { webhook, received } = await makeFailing(500);
    const sent = ours();
    await deliver(ours());
    await deliver(sent);
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      await change(webhook, { probed_at: { 'user.created': iso(Date.now() + 11 * 60 * minute) } });
      pass(11 * 60 * minute);
      await change(webhook, { failing_since: iso(Date.now() - minute) });
      await world.schedules.runDue();
    }
    expect(received()).toHaveLength(1);
    const results = await resultsOf(webhook, sent);
    expect(results).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => [nth, 'receiver_failing']));
    expect(world.schedules.waiting()).toEqual([]);
    const delivery = await world.table.get(keys.delivery(webhook.webhook_id, sent.id));
    expect(delivery).toMatchObject({ state: 'failed' });
    expect(delivery).not.toHaveProperty('body');
  });

  test('gets everything that was put off once it works again, each event once', async () => {
    const { webhook, received, answer } = await makeFailing(500);
    const events = several(12);
    for (const each of events) await deliver(each);
    expect(received()).toHaveLength(1);
    answer(204);
    pass(6 * minute);
    await world.schedules.runDue();
    expect(idsOf(received().slice(1))).toEqual(events.map(({ id }) => id).sort());
    expect(world.schedules.waiting()).toEqual([]);
    expect(await get(webhook, project)).not.toHaveProperty('failing_since');
    expect(await stored(webhook)).not.toHaveProperty('probed_at');
  });

  test("does not affect the project's other webhooks", async () => {
    await makeFailing(500);
    const up = receiver.at();
    const webhook = await make(up.url, { project });
    const events = several(5);
    for (const each of events) await deliver(each);
    expect(idsOf(up.received())).toEqual(events.map(({ id }) => id).sort());
    expect(await stored(webhook)).not.toHaveProperty('probed_at');
  });
});

test('a receiver is called as usual while it works, and in its first minute of failures', async () => {
  const { url, received, answer } = receiver.at();
  const webhook = await make(url, { project });
  await deliver(ours());
  answer(500);
  await deliver(ours());
  pass(minute - 1);
  await deliver(ours());
  expect(received()).toHaveLength(5);
  expect(await stored(webhook)).not.toHaveProperty('probed_at');
  pass(1);
  await deliver(ours());
  expect(received()).toHaveLength(6);
  expect(await stored(webhook)).toMatchObject({ probed_at: { 'user.created': iso(Date.now()) } });
});

test('a receiver that fails for one event type gets the events of other types', async () => {
  const failing = several(10);
  const refused = new Set(failing.map(({ id }) => id));
  const { webhook, received } = await makeFailing((response) => {
    const id = String(response.req.headers['webhook-id']);
    response.writeHead(refused.has(id) ? 500 : 204).end();
  });
  for (const each of failing) await deliver(each);
  expect(received()).toHaveLength(1);
  const other = ours({ type: 'user.deleted' });
  await deliver(other);
  expect(await resultsOf(webhook, other)).toEqual([[1, 204]]);
});

describe('disabling after five days', () => {
  const third = async (webhook: MadeWebhook) => {
    await change(webhook, { failing_since: iso(Date.now() - 5 * day) });
    await deliver(ours());
    pass(6 * minute);
    await world.schedules.runDue();
    pass(6 * minute);
  };

  test('needs a call, and happens although most attempts are put off', async () => {
    const { webhook } = await makeFailing(500);
    await third(webhook);
    await world.schedules.runDue();
    expect(await get(webhook, project)).toMatchObject({
      disabled: true,
      disabled_because: 'failing',
    });
  });

  test('does not happen by an attempt that is put off', async () => {
    const { webhook } = await makeFailing(500);
    await third(webhook);
    await deliver(ours());
    await world.schedules.runDue();
    expect((await attempts(webhook, project)).map(({ attempt }) => attempt)).toContain(3);
    expect(await get(webhook, project)).toMatchObject({ disabled: false });
  });

  test('starts over after a success in between, even by a second attempt 5 min later', async () => {
    const { url, answer } = receiver.at(500);
    const webhook = await make(url, { project });
    await deliver(ours());
    pass(6 * day);
    // Its last failure is old, so there is a second attempt.
    answer(500, 200);
    world.schedules.clear();
    await deliver(ours());
    pass(330_000);
    await world.schedules.runDue();
    expect(await get(webhook, project)).not.toHaveProperty('failing_since');
    answer(500);
    await deliver(ours());
    const { failing_since } = await get(webhook, project);
    pass(2 * day);
    await deliver(ours());
    expect(await get(webhook, project)).toMatchObject({ disabled: false, failing_since });
  });
});

test('a sender that died during its call blocks the receiver for a minute only', async () => {
  const { webhook, received } = await makeFailing(204);
  await change(webhook, { probed_at: { 'user.created': iso(Date.now()) } });
  pass(minute - 1);
  await deliver(ours());
  expect(received()).toEqual([]);
  pass(1);
  await deliver(ours());
  expect(received()).toHaveLength(1);
});

test('a clock that is ahead delays the next call by at most a minute', async () => {
  const { webhook, received } = await makeFailing(500);
  await change(webhook, { probed_at: { 'user.created': iso(Date.now() + minute - 1) } });
  await deliver(ours());
  expect(received()).toEqual([]);
  await change(webhook, { probed_at: { 'user.created': iso(Date.now() + minute) } });
  await deliver(ours());
  expect(received()).toHaveLength(1);
});

describe('an attempt with an outdated webhook', () => {
  const decide = (webhook: object, type: EventType = 'user.created') =>
    runInRequest('job', 5_000, () =>
      mayCall(webhook as Parameters<typeof mayCall>[0], type, Date.now()),
    );

  test('calls the receiver in one of eight concurrent cases', async () => {
    const { webhook } = await makeFailing();
    const read = await stored(webhook);
    const all = await Promise.all(Array.from({ length: 8 }, () => decide(read)));
    expect(all.filter((may) => may)).toHaveLength(1);
  });

  test("calls it if another type was called since, and keeps that type's mark", async () => {
    const { webhook } = await makeFailing();
    const read = await stored(webhook);
    expect(await decide(read, 'user.deleted')).toBe(true);
    expect(await decide(read)).toBe(true);
    const marks = { 'user.deleted': iso(Date.now()), 'user.created': iso(Date.now()) };
    expect((await stored(webhook))['probed_at']).toEqual(marks);
    pass(minute);
    expect(await decide(await stored(webhook))).toBe(true);
    expect((await stored(webhook))['probed_at']).toEqual({ 'user.created': iso(Date.now()) });
  });

  test('calls it after a success, and not after a deletion', async () => {
    const { webhook } = await makeFailing(204);
    const read = await stored(webhook);
    await deliver(ours());
    expect(await decide(read)).toBe(true);
    expect(await stored(webhook)).not.toHaveProperty('probed_at');
    await as(project).webhooks.delete({ webhook_id: webhook.webhook_id });
    expect(await decide(read)).toBe(false);
  });
});

test.each([
  ['another URL', { url: 'https://example.com/' }],
  ['disabled: false', { disabled: false }],
])('an update with %s starts over', async (_, update) => {
  const { webhook } = await makeFailing(500);
  await deliver(ours());
  await as(project).webhooks.update({ webhook_id: webhook.webhook_id, ...update });
  const item = await stored(webhook);
  expect([item['failing_since'], item['probed_at']]).toEqual([undefined, undefined]);
});

describe('a redelivery', () => {
  /** Puts events into the feed of the project, and returns the first. */
  async function feed(events: readonly Event[]) {
    const { project_id } = project;
    const expires_at = Math.floor(Date.now() / 1_000) + lifetimes.event;
    for (const [i, each] of events.entries())
      await world.table.put({
        ...keys.feedEntry(project_id, i + 1),
        ...{ event: JSON.stringify(each), expires_at },
      });
    await world.table.put({ ...keys.feedHead(project_id), position: events.length });
    return events[0]!;
  }
  const redeliver = ({ webhook_id }: MadeWebhook, what: object) =>
    as(project).webhooks.redeliver({ webhook_id, ...what });
  const range = { since: '2020-01-01T00:00:00.000Z', until: '2999-01-01T00:00:00.000Z' };
  const runNext = (time: number) => {
    pass(time);
    return world.schedules.runDue();
  };

  test('of one event calls the receiver immediately, and its success ends the failing', async () => {
    const { webhook, received, answer } = await makeFailing(500);
    const one = await feed(several(1));
    await deliver(ours());
    answer(204);
    await redeliver(webhook, { event_id: one.id });
    await runNext(30_000);
    expect(idsOf(received().slice(1))).toEqual([one.id]);
    expect(await get(webhook, project)).not.toHaveProperty('failing_since');
  });

  test('of one event that fails again continues like any other delivery', async () => {
    const { webhook, received } = await makeFailing(500);
    const one = await feed(several(1));
    await redeliver(webhook, { event_id: one.id });
    await runNext(30_000);
    await deliver(ours());
    await deliver(ours());
    expect(received()).toHaveLength(2);
    await change(webhook, { probed_at: { 'user.created': iso(Date.now() + 6 * minute) } });
    await runNext(6 * minute);
    expect((await resultsOf(webhook, one))[1]).toEqual([2, 'receiver_failing']);
  });

  test('of one event ignores the breaker once, but not at the attempt 5 s later', async () => {
    const { webhook, received } = await makeFailing((response) => {
      pass(6_000);
      response.writeHead(500).end();
    });
    const probed_at = { 'user.created': iso(Date.now()) };
    await change(webhook, { failing_since: iso(Date.now() - 45_000), probed_at });
    const one = await feed(several(1));
    await redeliver(webhook, { event_id: one.id });
    await runNext(10_000);
    expect(received()).toHaveLength(1);
    expect((await resultsOf(webhook, one))[1]).toEqual([2, 'receiver_failing']);
  });

  test('of a range sends one event a minute, and the rest once the receiver works again', async () => {
    const { webhook, received, answer } = await makeFailing(500);
    const events = several(9);
    await feed(events);
    await redeliver(webhook, range);
    await runNext(10_000);
    expect(received()).toHaveLength(1);
    await runNext(70_000);
    expect(received()).toHaveLength(2);
    answer(204);
    await runNext(70_000);
    expect(received()).toHaveLength(3);
    await runNext(70_000);
    expect(received()).toHaveLength(9);
    await runNext(6 * minute);
    expect(new Set(idsOf(received()))).toEqual(new Set(events.map(({ id }) => id)));
    expect(received()).toHaveLength(11);
    expect(world.schedules.waiting()).toEqual([]);
    expect((await redeliver(webhook, range)).status).toBe(202);
  });

  test('of a range skips events that the webhook does not want', async () => {
    const { url, received } = receiver.at(500);
    const webhook = await make(url, { project, event_types: ['user.deleted'] });
    await change(webhook, { failing_since: iso(Date.now() - minute) });
    const last = ours({ type: 'user.deleted' });
    await feed([...several(24), last]);
    await redeliver(webhook, range);
    await runNext(10_000);
    expect(idsOf(received())).toEqual([last.id]);
  });
});
