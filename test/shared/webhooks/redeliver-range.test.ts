import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newEventId } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { type Rate, rates } from '#shared/model/rates.ts';
import type { Redelivery } from '#shared/webhooks/redeliver.ts';
import { expectProblem } from '../../support/expectations.ts';
import { atWindow, pass } from '../../support/started.ts';
import { webhookScene } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
let project: TestProject;
const { receiver, make, event, send } = await webhookScene(world, (made) => (project = made));

const hold = lifetimes.redeliveryHold * 1_000;
const wholeDay = { since: '2026-01-01T00:00:00.000Z', until: '2036-01-01T00:00:00.000Z' };
const redeliver = (webhook_id: string, what: object = wholeDay) =>
  world.as(project).webhooks.redeliver({ webhook_id, ...what });
const made = async () => (await make(receiver.at().url, { project })).webhook_id;
const runDue = () => world.schedules.runDue(Date.now() + 60_000);
const statuses = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).sort((a, b) => a - b);
const waitingRange = (): Redelivery =>
  (world.schedules.waiting()[0]!.input as { redelivery: Redelivery }).redelivery;

/** An event in the feed of the project, recorded a moment ago. */
async function feedOne() {
  const { project_id } = project;
  const one = event({ project_id });
  const expires_at = Math.floor(Date.now() / 1_000) + lifetimes.event;
  const entry = { event: JSON.stringify(one), expires_at };
  await world.table.put({ ...keys.feedEntry(project_id, 1), ...entry });
  await world.table.put({ ...keys.feedHead(project_id), position: 1 });
  return one;
}

/**
 * Creates this many events of one time. The first have expired and are not yet deleted. Returns the ids of the others,
 * which were recorded later.
 */
async function feedExpired(expired: number, live: number): Promise<string[]> {
  const { project_id } = project;
  const now = Math.floor(Date.now() / 1_000);
  const time = new Date((now - 20 - lifetimes.event) * 1_000);
  const ids: string[] = [];
  for (let place = 1; place <= expired + live; place += 1) {
    const expires_at = place <= expired ? now - 10 : now + 300;
    const one = event({ project_id, id: newEventId(time), time: time.toISOString() });
    const entry = { event: JSON.stringify(one), expires_at };
    await world.table.put({ ...keys.feedEntry(project_id, place), ...entry });
    if (place > expired) ids.push(one.id);
  }
  await world.table.put({ ...keys.feedHead(project_id), position: expired + live });
  return ids;
}

/** Sets how many more of today are allowed. */
async function leave(rate: Rate, more: number) {
  const { seconds, max } = rates[rate];
  atWindow(seconds, 3_600);
  const window = Math.floor(Date.now() / 1_000 / seconds);
  await world.table.put({ ...keys.rate(rate, project.project_id, window), count: max - more });
}

test('each webhook has one range at a time; others are refused until it has ended', async () => {
  const [webhook_id, other] = [await made(), await made()];
  const answers = await Promise.all(Array.from({ length: 5 }, () => redeliver(webhook_id)));
  expect(statuses(answers)).toEqual([202, 409, 409, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409))
    expectProblem(answer, 'redelivery_in_progress');
  expect(world.schedules.waiting()).toHaveLength(1);
  expect((await redeliver(other)).status).toBe(202);
  await runDue();
  expect((await redeliver(webhook_id)).status).toBe(202);
});

test('a single event can be redelivered beside a range', async () => {
  const webhook_id = await made();
  const { id } = await feedOne();
  await redeliver(webhook_id);
  expect((await redeliver(webhook_id, { event_id: id })).status).toBe(202);
});

test('a range that died blocks the webhook for a quarter of an hour only', async () => {
  const webhook_id = await made();
  await redeliver(webhook_id);
  world.schedules.clear();
  pass(hold - 1_000);
  expectProblem(await redeliver(webhook_id), 'redelivery_in_progress');
  pass(2_000);
  expect((await redeliver(webhook_id)).status).toBe(202);
});

test('a range in progress keeps the webhook blocked, however long it takes', async () => {
  const { url, answer } = receiver.at();
  const { webhook_id } = await make(url, { project });
  await feedOne();
  await redeliver(webhook_id);
  pass(hold - 60_000);
  const asked: Promise<{ status: number }>[] = [];
  answer((response) => {
    pass(120_000);
    asked.push(redeliver(webhook_id));
    response.writeHead(204).end();
  });
  await runDue();
  expect(statuses(await Promise.all(asked))).toEqual([409]);
});

test('a range that was taken for dead waits for the newer one, and loses no event', async () => {
  const { url, received } = receiver.at();
  const { webhook_id } = await make(url, { project });
  const { id } = await feedOne();
  await redeliver(webhook_id);
  const late = waitingRange();
  world.schedules.clear();
  pass(hold + 1_000);
  await redeliver(webhook_id);
  const second = waitingRange();
  world.schedules.clear();

  await send({ redelivery: late });
  expect(received()).toEqual([]);
  expect(waitingRange()).toEqual({ ...late, turn: 2 });
  expect(world.schedules.waiting()[0]!.at).toBeGreaterThanOrEqual(Date.now() + hold - 2_000);
  await send({ redelivery: second });
  expect(received()).toHaveLength(1);
  await send({ redelivery: waitingRange() });
  expect(received().map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  expect((await redeliver(webhook_id)).status).toBe(202);
});

test('a range skips events that expired in the meantime, and ends', async () => {
  const { url, received } = receiver.at();
  const { webhook_id } = await make(url, { project });
  const live = await feedExpired(25, 15);
  await redeliver(webhook_id, { ...wholeDay, since: '2020-01-01T00:00:00.000Z' });
  const begun = waitingRange();
  world.schedules.clear();
  await send({ redelivery: { ...begun, turn: 2, after: 0 } });
  const sent = received().map(({ headers }) => String(headers['webhook-id']));
  expect(sent.sort()).toEqual(live.sort());
  expect(world.schedules.waiting()).toEqual([]);
  expect((await redeliver(webhook_id)).status).toBe(202);
});

test('a single event is found after a page of expired events', async () => {
  const webhook_id = await made();
  const [event_id] = await feedExpired(120, 1);
  expect((await redeliver(webhook_id, { event_id })).status).toBe(202);
});

test('a range of a disabled webhook ends and leaves it free', async () => {
  const webhook_id = await made();
  const { update } = world.as(project).webhooks;
  await redeliver(webhook_id);
  await update({ webhook_id, disabled: true });
  expectProblem(await redeliver(webhook_id), 'webhook_disabled');
  await runDue();
  await update({ webhook_id, disabled: false });
  expect((await redeliver(webhook_id)).status).toBe(202);
});

test('ranges are limited per project and day, exactly; a refused one leaves the webhook free', async () => {
  const five = await Promise.all(Array.from({ length: 5 }, made));
  await leave('redeliveredRanges', 2);
  const answers = await Promise.all(five.map((webhook_id) => redeliver(webhook_id)));
  expect(statuses(answers)).toEqual([202, 202, 429, 429, 429]);
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expectProblem(answer, 'too_many_requests');
    expect(answer.headers.get('retry-after')).toBe(String(23 * 3_600));
  }
  await runDue();
  pass(23 * 3_600_000);
  const tomorrow = await Promise.all(five.map((webhook_id) => redeliver(webhook_id)));
  expect(statuses(tomorrow)).toEqual([202, 202, 202, 202, 202]);
});

test('single events are limited per project and day, exactly', async () => {
  const webhook_id = await made();
  const { id } = await feedOne();
  await leave('redeliveredEvents', 2);
  const bodies = [1, 2, 3, 4].map(() => redeliver(webhook_id, { event_id: id }));
  expect(statuses(await Promise.all(bodies))).toEqual([202, 202, 429, 429]);
});
