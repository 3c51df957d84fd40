import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic } = world.project;

test('200 with an empty list for a project without webhooks', async () => {
  const { status, body } = await as(basic).webhooks.list();
  expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
});

test('200 lists the webhooks of the project, oldest first, without their secrets', async () => {
  const made = [];
  for (const name of ['one', 'two', 'three']) {
    const url = `https://example.com/${name}`;
    const { secret: _, ...webhook } = (await as(basic).webhooks.create({ url })).body;
    made.push(webhook);
  }
  const other = await world.newProject();
  await as(other).webhooks.create({ url: 'https://example.com/other' });
  const { body } = await as(basic).webhooks.list();
  expect(body).toEqual({ total: 3, count: 3, result: made });
  expect(JSON.stringify(body)).not.toContain('whsec_');
});
