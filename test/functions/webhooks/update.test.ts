import { beforeEach, describe, expect, test } from 'vitest';
import { aTime, expectInvalid } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic } = world.project;
// Each test has its own.
let webhook: Record<string, unknown>;
let path: string;
beforeEach(async () => {
  const { project_id } = world.project;
  for (const { pk, sk } of await world.table.query(`WEBHOOKS#${project_id}`))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  const body = { url: 'https://example.com/', event_types: ['user.created'], description: 'A' };
  const made = await as(basic).webhooks.create(body);
  const { secret: _, ...rest } = made.body;
  webhook = rest;
  path = `/webhooks/${rest.webhook_id}`;
});
const update = (body: object, auth = basic) => world.call('PUT', path, auth, body);
const changed = (fields: object) => ({ ...webhook, ...fields, modified_at: aTime() });

describe('a webhook', () => {
  test.each([
    { url: 'https://example.org/elsewhere' },
    { event_types: ['user.deleted', 'user.updated'] },
    { event_types: [] },
    { description: 'Another' },
    { description: '' },
    { url: 'https://example.org/', event_types: [], description: '' },
  ])('accepts %j and keeps the rest', async (body) => {
    const answer = await update(body);
    expect([answer.status, answer.body]).toEqual([200, changed(body)]);
    expect((await world.call('GET', path, basic)).body).toEqual(answer.body);
  });

  test('can be disabled, which records the time once, and can be enabled again', async () => {
    const { body: disabled } = await update({ disabled: true });
    const off = { disabled: true, disabled_because: 'request', disabled_at: aTime() };
    expect(disabled).toEqual(changed(off));
    const again = await update({ disabled: true });
    expect(again.body).toEqual({ ...disabled, modified_at: aTime() });
    expect((await update({ disabled: false })).body).toEqual(changed({}));
    expect((await update({ disabled: false })).body).toEqual(changed({}));
  });

  test('accepts its current URL with other settings', async () => {
    const body = { url: 'https://example.com/', description: 'Another' };
    expect((await update(body)).body).toEqual(changed(body));
  });

  test('that is deleted returns 404, whatever the change is', async () => {
    await world.call('DELETE', path, basic);
    for (const body of [{ url: 'https://example.com/' }, { disabled: false }, { description: 'B' }])
      expect((await update(body)).status).toBe(404);
  });

  test('can be changed and enabled in one request', async () => {
    await update({ disabled: true });
    const url = 'https://example.org/';
    expect((await update({ url, disabled: false })).body).toEqual(changed({ url }));
  });
});

describe('400 for', () => {
  test('a forbidden URL, or no change', async () => {
    expectInvalid(await update({ url: 'https://10.0.0.1/' }), '/body/url');
    expectInvalid(await update({ url: 'https://.com' }), '/body/url');
    expectInvalid(await update({ url: 'https://co.uk/' }), '/body/url');
    expectInvalid(await update({}), '/body');
  });
});
