import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { counted, times } from '../../races/many.ts';
import { aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic, project_id } = world.project;
const url = 'https://example.com/webhooks';
const create = (body: object, auth = basic) => as(auth).webhooks.create(body);

describe('a webhook', () => {
  test('is created with its secret, which is returned once and never stored', async () => {
    const event_types = ['workspace.member.joined', 'user.created'];
    const made = await create({ url, event_types, description: 'Billing' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        webhook_id: expect.stringMatching(/^whk-[0-9a-f-]{36}$/),
        url,
        event_types,
        description: 'Billing',
        disabled: false,
        created_at: aTime(),
        modified_at: made.body.created_at,
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      },
    ]);
    const { secret: _, disabled: __, ...shown } = made.body;
    const key = keys.webhook(project_id, shown.webhook_id);
    const item = await world.table.get(key);
    expect(item).toEqual({ ...key, ...shown, project_id, secret_version: 1, previous_secrets: [] });
  });

  test('has every event type and no description by default', async () => {
    const { body } = await create({ url });
    expect(body).toMatchObject({ event_types: [], description: '' });
  });

  // There customers of a company get names, and the company may run its own services there.
  test('can have a URL under the suffix of a company, which stays as it is given', async () => {
    const given = 'https://s3.amazonaws.com:8443/hooks?a=b&c=%20';
    expect(await create({ url: given })).toMatchObject({ status: 201, body: { url: given } });
  });
});

describe('400 for', () => {
  test.each([
    ['a fragment', 'https://example.com/#x'],
    ['a private address', 'https://10.0.0.1/'],
    ['a public suffix', 'https://co.uk/'],
    ['a public suffix under the root', 'https://co.uk./'],
    ['a space', 'https://example.com/a b'],
  ])('%s: %s', async (_, given) => {
    expectInvalid(await create({ url: given }), '/body/url');
  });

  test('a repeated event type', async () => {
    const twice = { url, event_types: ['user.created', 'user.created'] };
    expectInvalid(await create(twice), '/body/event_types');
  });
});

describe('a project can have ten webhooks', () => {
  test('and another once one is deleted', async () => {
    const project = await world.newProject();
    const made = [];
    for (let i = 0; i < 10; i += 1) made.push((await create({ url }, project.basic)).body);
    expectProblem(await create({ url }, project.basic), 'webhook_limit_reached');
    await as(project).webhooks.delete({ webhook_id: made[3].webhook_id });
    expect((await create({ url }, project.basic)).status).toBe(201);
    expectProblem(await create({ url }, project.basic), 'webhook_limit_reached');
  });

  test('exactly, even after 20 concurrent requests', async () => {
    const project = await world.newProject();
    const answers = await times(20, () => create({ url }, project.basic));
    expect(counted(answers)).toEqual({ 201: 10, webhook_limit_reached: 10 });
    const { body } = await as(project).webhooks.list();
    expect(body.total).toBe(10);
    const count = await world.table.get(keys.webhookCount(project.project_id));
    expect(count).toMatchObject({ webhook_count: 10 });
  });
});
