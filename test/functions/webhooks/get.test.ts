import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic } = world.project;
const { secret: _, ...webhook } = (await as(basic).webhooks.create({ url: 'https://example.com/' }))
  .body;

test('200 returns a webhook without its secret', async () => {
  const { status, body } = await as(basic).webhooks.get({ webhook_id: webhook.webhook_id });
  expect([status, body]).toEqual([200, webhook]);
});
