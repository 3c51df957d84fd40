import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { counted, times } from '../../races/many.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { webhooks } = world.as(world.project);
async function made() {
  const { secret: _, ...webhook } = (await webhooks.create({ url: 'https://example.com/' })).body;
  return webhook;
}
const count = async () =>
  (await world.table.get(keys.webhookCount(world.project.project_id)))?.['webhook_count'];

test('200 returns the webhook, which is deleted and no longer counted', async () => {
  const [webhook, kept] = [await made(), await made()];
  const { webhook_id } = webhook;
  const { status, body } = await webhooks.delete({ webhook_id });
  expect([status, body]).toEqual([200, webhook]);
  expectProblem(await webhooks.get({ webhook_id }), 'not_found');
  expectProblem(await webhooks.delete({ webhook_id }), 'not_found');
  expect([(await webhooks.list()).body.result, await count()]).toEqual([[kept], 1]);
  const answers = await times(6, () => webhooks.delete({ webhook_id: kept.webhook_id }));
  expect(counted(answers)).toEqual({ 200: 1, not_found: 5 });
  expect(await count()).toBe(0);
});
