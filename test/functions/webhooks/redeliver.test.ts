import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import type { Event } from '#shared/model/events.ts';
import { lifetimes } from '#shared/model/limits.ts';
import type { ScheduleFault } from '../../../local/aws/scheduler.ts';
import { expectInvalid, expectProblem, unknownId } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { webhookScene } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
let project: TestProject;
const { receiver, make, event, deliver, attempts, send } = await webhookScene(
  world,
  (made) => (project = made),
);

const minute = 60_000;
const redeliver = (webhook_id: string, body: object, auth = project.basic) =>
  as(auth).webhooks.redeliver({ webhook_id, ...body });
const runSoon = () => world.schedules.runDue(Date.now() + minute);

/** Events in the project's feed, one a minute until a minute ago, recorded when they happened. */
async function feed(count: number, given: Partial<Event> = {}): Promise<Event[]> {
  const { project_id } = project;
  const events: Event[] = [];
  for (let i = 1; i <= count; i += 1) {
    const at = new Date(Date.now() - (count - i + 1) * minute);
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    const one = event({ project_id, time: at.toISOString(), data: { place: i }, ...given });
    vi.useRealTimers();
    const expires_at = Math.floor(at.getTime() / 1_000) + lifetimes.event;
    await world.table.put({
      ...keys.feedEntry(project_id, i),
      event: JSON.stringify(one),
      expires_at,
    });
    events.push(one);
  }
  await world.table.put({ ...keys.feedHead(project_id), position: count });
  return events;
}
const idsOf = (received: { headers: Record<string, unknown> }[]): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));
const sorted = (events: readonly Event[]): string[] => events.map(({ id }) => id).sort();

describe('one event', () => {
  test('202 is sent again with the same id and content', async () => {
    const { url, received } = receiver.at();
    const { secret: _, ...webhook } = await make(url, { project });
    const [, second] = await feed(3);
    await deliver(second!);
    const answer = await redeliver(webhook.webhook_id, { event_id: second!.id });
    expect([answer.status, answer.body]).toEqual([202, webhook]);
    expect(received()).toHaveLength(1);
    await runSoon();
    expect(idsOf(received())).toEqual([second!.id, second!.id]);
    expect(received()[1]!.body).toBe(received()[0]!.body);
    expect(await attempts(webhook, project)).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
  });

  test('is sent once for an Idempotency-Key, and again when that has expired', async () => {
    const { url, received } = receiver.at();
    const { webhook_id } = await make(url, { project });
    const [only] = await feed(1);
    const keyed = {
      ...{ method: 'POST', path: `/webhooks/${webhook_id}/redeliver`, auth: project.basic },
      ...{ body: { event_id: only!.id }, headers: { 'idempotency-key': randomUUID() } },
    };
    for (const sent of [1, 1, 2]) {
      if (sent === 2) pass(lifetimes.idempotencyRecord * 1_000);
      expect((await world.call(keyed)).status).toBe(202);
      await runSoon();
      expect(received()).toHaveLength(sent);
    }
  });

  test('202 is sent even if it is older than the webhook', async () => {
    const events = await feed(40);
    const { url, received } = receiver.at();
    const { webhook_id } = await make(url, { project });
    for (const { id } of [events[0]!, events[39]!, events[20]!])
      expect((await redeliver(webhook_id, { event_id: id })).status).toBe(202);
    await runSoon();
    expect(idsOf(received()).sort()).toEqual(sorted([events[0]!, events[39]!, events[20]!]));
  });

  test('202 gets all its attempts again if they had all failed', async () => {
    const { url, received, answer } = receiver.at(500);
    const webhook = await make(url, { project });
    const [only] = await feed(1);
    await deliver(only!);
    for (let i = 0; i < 6; i += 1) {
      vi.useFakeTimers({ toFake: ['Date'], now: world.schedules.waiting()[0]!.at });
      await world.schedules.runDue();
    }
    expect(received()).toHaveLength(8);
    await redeliver(webhook.webhook_id, { event_id: only!.id });
    await runSoon();
    // The webhook has been failing for long: there is no second attempt after 5 s.
    expect(received()).toHaveLength(9);
    answer(500, 200);
    pass(6 * minute);
    await world.schedules.runDue();
    pass(6 * minute);
    await world.schedules.runDue();
    expect((await attempts(webhook, project)).map(({ attempt }) => attempt)).toEqual([
      3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(world.schedules.waiting()).toEqual([]);
  });

  test('202 replaces its pending attempts', async () => {
    const { url, received } = receiver.at(500);
    const { webhook_id } = await make(url, { project });
    const [only] = await feed(1);
    await deliver(only!);
    await redeliver(webhook_id, { event_id: only!.id });
    pass(6 * minute);
    await world.schedules.runDue();
    expect(received()).toHaveLength(3);
    expect(world.schedules.waiting()).toMatchObject([
      { input: { attempt: { round: 2, attempt: 2 } } },
    ]);
  });

  test.each([
    ['waits for a later attempt', 2],
    ['is being tried', 0],
  ])('that %s is sent later even if its redelivery could not be scheduled', async (_, failures) => {
    const [only] = await feed(1);
    const refuse = async () => {
      world.schedules.failNext({ status: 402, code: 'ServiceQuotaExceededException' });
      expect((await redeliver(webhook_id, { event_id: only!.id })).status).toBe(503);
    };
    const { url, received, answer } = receiver.at();
    const { webhook_id } = await make(url, { project });
    if (failures > 0) answer(...Array<number>(failures).fill(500), 200);
    else answer((response) => void refuse().then(() => response.writeHead(500).end()), 200);
    await deliver(only!);
    if (failures > 0) await refuse();
    // What was scheduled before the redelivery schedules its first attempt.
    pass(6 * minute);
    await world.schedules.runDue();
    pass(minute);
    await world.schedules.runDue();
    expect(received()).toHaveLength(failures === 0 ? 2 : 3);
    expect((await attempts({ webhook_id }, project))[0]).toMatchObject({ status_code: 200 });
  });

  test('404 if it is not in the feed of the project', async () => {
    const { webhook_id } = await make(receiver.at().url, { project });
    const [only] = await feed(1);
    expectProblem(await redeliver(webhook_id, { event_id: event().id }), 'not_found');
    project = await world.newProject();
    const ours = await make(receiver.at().url, { project });
    expectProblem(await redeliver(ours.webhook_id, { event_id: only!.id }), 'not_found');
    expect(world.schedules.waiting()).toEqual([]);
  });
});

describe('a range', () => {
  const rangeOf = (events: readonly Event[]) => ({
    since: events[0]!.time,
    until: events.at(-1)!.time,
  });

  test('202 is sent completely, each event once, including both ends', async () => {
    const { url, received } = receiver.at();
    const events = await feed(60);
    const { webhook_id } = await make(url, { project });
    const wanted = events.slice(7, 48);
    expect((await redeliver(webhook_id, rangeOf(wanted))).status).toBe(202);
    await runSoon();
    expect(idsOf(received()).sort()).toEqual(sorted(wanted));
  });

  test('that follows a 503 whose range was scheduled, with the same Idempotency-Key, is another one', async () => {
    const [one, other] = [receiver.at(), receiver.at()];
    const events = await feed(4);
    const [at, atOther] = [await make(one.url, { project }), await make(other.url, { project })];
    const ask = ({ webhook_id }: { webhook_id: string }, range: readonly Event[], key: string) =>
      world.call({
        ...{ method: 'POST', path: `/webhooks/${webhook_id}/redeliver`, auth: project.basic },
        ...{ body: rangeOf(range), headers: { 'idempotency-key': key } },
      });
    for (const [key, range, webhook, { received }] of [
      ['the-key-of-both-ranges', events.slice(2), at, one],
      ['the-key-of-both-webhooks', events.slice(0, 1), atOther, other],
    ] as const) {
      // As often as the client retries.
      world.schedules.failNext('lose');
      world.schedules.failNext({ status: 500, code: 'InternalServerException' }, 2);
      expectProblem(await ask(at, events.slice(0, 1), key), 'temporarily_unavailable');
      expect((await ask(webhook, range, key)).status).toBe(202);
      await runSoon();
      expect(idsOf(received()).sort()).toEqual(sorted(range));
    }
  });

  test('sends each event once, even if its invocation is repeated', async () => {
    const { url, received } = receiver.at();
    const events = await feed(15);
    const { webhook_id } = await make(url, { project });
    await redeliver(webhook_id, rangeOf(events));
    const { input } = world.schedules.waiting()[0]!;
    await Promise.all([send(input), send(input)]);
    await send(input);
    // As an operator invokes it with a dead letter.
    pass(3 * 1_440 * minute);
    await send(input);
    expect(idsOf(received()).sort()).toEqual(sorted(events));
  });

  test('continues a round that a crashed invocation had started', async () => {
    const { url, received } = receiver.at();
    const [only] = await feed(1);
    const { webhook_id } = await make(url, { project });
    await redeliver(webhook_id, rangeOf([only!]));
    const { input } = world.schedules.waiting()[0]! as {
      input: { redelivery: { redelivery_id: string } };
    };
    const { redelivery_id } = input.redelivery;
    await world.table.put({
      ...keys.delivery(webhook_id, only!.id),
      ...{ webhook_id, event_id: only!.id, project_id: project.project_id, type: only!.type },
      ...{ body: '{}', round: 4, attempt: 0, state: 'pending', redelivery_id },
    });
    await runSoon();
    expect(idsOf(received())).toEqual([only!.id]);
  });

  test('waits for events that are still being recorded', async () => {
    const { url, received } = receiver.at();
    const events = await feed(12);
    const now = Math.floor(Date.now() / 1_000) + lifetimes.event;
    const keyOf = (place: number) => keys.feedEntry(project.project_id, place);
    const hidden = await world.table.get(keyOf(11));
    await world.table.delete(keyOf(11));
    await world.table.update(keyOf(12), { expires_at: now });
    const { webhook_id } = await make(url, { project });
    await redeliver(webhook_id, rangeOf(events));
    expect(await world.schedules.runDue(world.schedules.waiting()[0]!.at)).toBe(1);
    expect(received()).toHaveLength(10);
    expect(world.schedules.waiting()).toMatchObject([
      { input: { redelivery: { turn: 2, after: 10 } } },
    ]);
    await world.table.put({ ...hidden, ...keyOf(11) });
    await world.schedules.runDue(Date.now() + 2 * minute);
    expect(idsOf(received()).sort()).toEqual(sorted(events));
  });

  test('that begins before the oldest stored event starts with that one', async () => {
    const { url, received } = receiver.at();
    const events = await feed(40);
    const old = Math.floor(Date.now() / 1_000) - 1;
    for (let place = 1; place <= 30; place += 1)
      await world.table.update(keys.feedEntry(project.project_id, place), { expires_at: old });
    const { webhook_id } = await make(url, { project });
    await redeliver(webhook_id, { since: '2020-01-01T00:00:00.000Z', until: events[39]!.time });
    await runSoon();
    expect(idsOf(received()).sort()).toEqual(sorted(events.slice(30)));
  });

  test('stops once the webhook is disabled', async () => {
    const { url, received } = receiver.at(410);
    const events = await feed(30);
    const { webhook_id } = await make(url, { project });
    await redeliver(webhook_id, rangeOf(events));
    await runSoon();
    expect(received().length).toBeLessThanOrEqual(10);
    expectProblem(await redeliver(webhook_id, rangeOf(events)), 'webhook_disabled');
  });

  const since = '2026-11-20T00:00:00.000Z';
  test.each<[string, object]>([
    ['nothing', {}],
    ['a beginning without an end', { since }],
    ['an end before the beginning', { since, until: '2026-11-19T00:00:00.000Z' }],
    ['an event and a range', { event_id: `evt-${unknownId}`, since, until: since }],
  ])('400 for %s', async (_, body) => {
    const { webhook_id } = await make(receiver.at().url, { project });
    expectInvalid(await redeliver(webhook_id, body), '/body');
  });
});

test.each<[string, ScheduleFault, ErrorCode]>([
  ['fails', { status: 500, code: 'InternalServerException' }, 'temporarily_unavailable'],
  ['is too busy', { status: 429, code: 'ThrottlingException' }, 'temporarily_unavailable'],
  ['is full', { status: 402, code: 'ServiceQuotaExceededException' }, 'temporarily_unavailable'],
  ['refuses the request', { status: 400, code: 'ValidationException' }, 'internal_error'],
])('if the scheduler %s (%o), the response is %s, and a retry works', async (_, fault, code) => {
  const { webhook_id } = await make(receiver.at().url, { project });
  const [only] = await feed(1);
  // As often as the client retries.
  const { status } = fault as { status: number };
  world.schedules.failNext(fault, [400, 402].includes(status) ? 1 : 3);
  expectProblem(await redeliver(webhook_id, { event_id: only!.id }), code);
  expect(world.schedules.waiting()).toEqual([]);
  expect((await redeliver(webhook_id, { event_id: only!.id })).status).toBe(202);
});
