import { beforeEach, describe, expect, test } from 'vitest';
import { aTime, expectInvalid } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { webhooks } = world.as(world.project);
// Each test has its own.
let webhook: Record<string, unknown>;
let webhook_id: string;
beforeEach(async () => {
  const { project_id } = world.project;
  for (const { pk, sk } of await world.table.query(`WEBHOOKS#${project_id}`))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  const body = { url: 'https://example.com/', event_types: ['user.created'], description: 'A' };
  const { secret: _, ...rest } = (await webhooks.create(body)).body;
  webhook = rest;
  ({ webhook_id } = rest);
});
const update = (body: object) => webhooks.update({ webhook_id, ...body });
const changed = (fields: object) => ({ ...webhook, ...fields, modified_at: aTime() });

describe('a webhook', () => {
  test.each([
    { url: 'https://example.org/elsewhere' },
    { event_types: ['user.deleted', 'user.updated'] },
    { event_types: [] },
    { description: 'Another' },
    { description: '' },
    // Its current URL.
    { url: 'https://example.com/', description: 'Another' },
    { url: 'https://example.org/', event_types: [], description: '' },
  ])('accepts %j and keeps the rest', async (body) => {
    const answer = await update(body);
    expect([answer.status, answer.body]).toEqual([200, changed(body)]);
    expect((await webhooks.get({ webhook_id })).body).toEqual(answer.body);
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

  test('that is deleted returns 404, whatever the change is', async () => {
    await webhooks.delete({ webhook_id });
    for (const body of [{ url: 'https://example.com/' }, { disabled: false }, { description: 'B' }])
      expect((await update(body)).status).toBe(404);
  });

  test('can be changed and enabled in one request', async () => {
    await update({ disabled: true });
    const url = 'https://example.org/';
    expect((await update({ url, disabled: false })).body).toEqual(changed({ url }));
  });
});

test('400 for a forbidden URL', async () => {
  for (const url of ['https://10.0.0.1/', 'https://.com', 'https://co.uk/'])
    expectInvalid(await update({ url }), '/body/url');
});

test('200 without a field changes nothing', async () => {
  expect(await update({})).toMatchObject({ status: 200, body: webhook });
  const unknown = `whk-${crypto.randomUUID()}`;
  expect(await webhooks.update({ webhook_id: unknown })).toMatchObject({ status: 404 });
});
