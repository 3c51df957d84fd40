import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { basic } = world.project;
const { secret: _, ...webhook } = (
  await world.call('POST', '/webhooks', basic, { url: 'https://example.com/' })
).body;
const path = `/webhooks/${webhook.webhook_id}`;

test('shows a webhook without its secret', async () => {
  const { status, body } = await world.call('GET', path, basic);
  expect([status, body]).toEqual([200, webhook]);
});

test('another project, and what is not there: not found', async () => {
  const other = await world.newProject();
  expectProblem(await world.call('GET', path, other.basic), 'not_found');
  const nowhere = '/webhooks/whk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff';
  expectProblem(await world.call('GET', nowhere, basic), 'not_found');
});

test('is for the back end alone', async () => {
  const { bearer } = await world.user();
  expectProblem(await world.call('GET', path, bearer), 'unauthenticated');
});
