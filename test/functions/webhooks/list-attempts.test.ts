import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { skipShortWaits, startReceiver, webhookTools } from '../../support/webhooks.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const receiver = await startReceiver();
const { make, event, deliver } = await webhookTools(world);
skipShortWaits();
const { basic } = world.project;

const { webhook_id } = await make(receiver.at(500).url);
const list = (query: object = {}) => as(basic).webhooks.listAttempts({ webhook_id, ...query });
const sent = [event(), event(), event(), event()];
for (const each of sent) await deliver(each);

test('200 lists every attempt, newest first, and each once across pages', async () => {
  const { body: whole } = await list();
  expect(whole.count).toBe(8);
  const order = sent
    .toReversed()
    .flatMap(({ id }) => [2, 1].map((attempt) => ({ event_id: id, attempt })));
  expect(whole.result).toMatchObject(order);
  const pages = await pagesFrom(world, `/webhooks/${webhook_id}/attempts?limit=3`, basic);
  expect(pages.map(({ body }) => body.count)).toEqual([3, 3, 2]);
  expect(pages.flatMap(({ body }) => body.result)).toEqual(whole.result);
});

test('200 a page does not shift when attempts are added before it', async () => {
  const first = await list({ limit: 2 });
  await deliver(event());
  const second = await world.call('GET', nextOf(first) ?? '', basic);
  const { body } = await list();
  expect([...first.body.result, ...second.body.result]).toEqual(body.result.slice(2, 6));
});

test('400 for a cursor of another webhook', async () => {
  const another = await make(receiver.at().url);
  const next = nextOf(await list({ limit: 2 })) ?? '';
  const elsewhere = next.replace(webhook_id, another.webhook_id);
  expectProblem(await world.call('GET', elsewhere, basic), 'invalid_request', {
    errors: [{ pointer: '/query/cursor', detail: expect.any(String) }],
  });
});

test('200 with an empty list before the first attempt, 404 once the webhook is deleted', async () => {
  const fresh = { webhook_id: (await make(receiver.at().url)).webhook_id };
  expect((await list(fresh)).body).toEqual({ count: 0, result: [] });
  await as(basic).webhooks.delete(fresh);
  expectProblem(await list(fresh), 'not_found');
});

test('attempts are stored for 30 days', async () => {
  const { pk } = keys.attempt(webhook_id, '', '');
  for (const { attempted_at, expires_at } of await world.table.query(pk))
    expect(expires_at).toBe(Math.floor(Date.parse(String(attempted_at)) / 1_000) + 30 * 86_400);
});
