import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { basic } = world.project;

test('a project without webhooks has none', async () => {
  const { status, body } = await world.call('GET', '/webhooks', basic);
  expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
});

test('lists those of the project, the oldest first, without their secrets', async () => {
  const made = [];
  for (const name of ['one', 'two', 'three']) {
    const url = `https://example.com/${name}`;
    const { secret: _, ...webhook } = (await world.call('POST', '/webhooks', basic, { url })).body;
    made.push(webhook);
  }
  const other = await world.newProject();
  await world.call('POST', '/webhooks', other.basic, { url: 'https://example.com/other' });
  const { body } = await world.call('GET', '/webhooks', basic);
  expect(body).toEqual({ total: 3, count: 3, result: made });
  expect(JSON.stringify(body)).not.toContain('whsec_');
});
