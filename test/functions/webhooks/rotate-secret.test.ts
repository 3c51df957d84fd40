import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { basic, project_id } = world.project;
async function made() {
  const { body } = await as(basic).webhooks.create({ url: 'https://example.com/' });
  const path = `/webhooks/${body.webhook_id}`;
  const rotate = (auth = basic) => as(auth).webhooks.rotateSecret({ webhook_id: body.webhook_id });
  const item = () => world.table.get(keys.webhook(project_id, body.webhook_id));
  return { webhook: body, path, rotate, item };
}

test('201 returns a new secret once; the previous one stays valid for a day', async () => {
  const { webhook, path, rotate, item } = await made();
  const { status, body } = await rotate();
  expect([status, body]).toEqual([
    201,
    { ...webhook, modified_at: aTime(), secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  ]);
  expect(body.secret).not.toBe(webhook.secret);
  const until = new Date(Date.parse(body.modified_at) + 86_400_000).toISOString();
  expect(await item()).toMatchObject({
    secret_version: 2,
    previous_secrets: [{ version: 1, until }],
  });
  expect((await world.call('GET', path, basic)).body).not.toHaveProperty('secret');
});

test('up to four previous secrets are valid, each for a day', async () => {
  const { rotate, item } = await made();
  const versions = async () =>
    ((await item())?.['previous_secrets'] as { version: number }[] | undefined)?.map(
      ({ version }) => version,
    );
  for (let i = 0; i < 5; i += 1) await rotate();
  expect(await versions()).toEqual([5, 4, 3, 2]);
  pass(86_400_000 + 1_000);
  await rotate();
  expect(await versions()).toEqual([6]);
});

test('concurrent requests each get a secret of their own', async () => {
  const { rotate, item } = await made();
  const answers = await Promise.all([rotate(), rotate(), rotate()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.secret)).size).toBe(3);
  expect(await item()).toMatchObject({ secret_version: 4 });
});
