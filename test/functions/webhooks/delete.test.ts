import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic, project_id } = world.project;
async function made() {
  const body = { url: 'https://example.com/' };
  const { secret: _, ...webhook } = (await as(basic).webhooks.create(body)).body;
  return { webhook, path: `/webhooks/${webhook.webhook_id}` };
}
const count = async () => (await world.table.get(keys.webhookCount(project_id)))?.['webhook_count'];

test('200 returns the webhook, which is deleted and no longer counted', async () => {
  const { webhook, path } = await made();
  const kept = await made();
  const { status, body } = await world.call('DELETE', path, basic);
  expect([status, body]).toEqual([200, webhook]);
  expectProblem(await world.call('GET', path, basic), 'not_found');
  expectProblem(await world.call('DELETE', path, basic), 'not_found');
  const { body: listed } = await as(basic).webhooks.list();
  expect([listed.result, await count()]).toEqual([[kept.webhook], 1]);
  await world.call('DELETE', kept.path, basic);
});

test('200 for one of several concurrent requests, counted once', async () => {
  const { path } = await made();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => world.call('DELETE', path, basic)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 404, 404, 404, 404, 404,
  ]);
  expect(await count()).toBe(0);
});
