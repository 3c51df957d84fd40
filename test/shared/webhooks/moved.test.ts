import { expect, test } from 'vitest';
import { aTime } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { webhookScene } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

/** A webhook gets another URL, mostly during a call: the response of the old URL is not recorded for the new one. */

const world = await startWorld();
const { as } = world;
let project: TestProject;
const { receiver, make, event, deliver, attempts, get } = await webhookScene(
  world,
  (made) => (project = made),
);

const ours = () => event({ project_id: project.project_id });

/** A webhook whose URL changes during the next call to the old one, which then has this response. */
async function moving(status: number, ...before: number[]) {
  const [old, next] = [receiver.at(...before), receiver.at()];
  const webhook = await make(old.url, { project });
  if (before.length > 0) await deliver(ours());
  let meanwhile = async () => {};
  old.answer(async (response) => {
    await as(project).webhooks.update({ webhook_id: webhook.webhook_id, url: next.url });
    await meanwhile();
    response.writeHead(status).end();
  });
  return { webhook, next, meanwhile: (work: () => Promise<void>) => void (meanwhile = work) };
}

test('a 410 of the old URL does not disable the webhook, and the event reaches the new URL', async () => {
  const { webhook, next } = await moving(410);
  const sent = ours();
  await deliver(sent);
  expect(next.received().map(({ headers }) => headers['webhook-id'])).toEqual([sent.id]);
  expect(await attempts(webhook, project)).toMatchObject([
    { attempt: 2, status_code: 204 },
    { attempt: 1, status_code: 410, next_attempt_at: aTime() },
  ]);
  expect(await get(webhook, project)).toMatchObject({ url: next.url, disabled: false });
});

test('failing_since is the first failure of the new URL', async () => {
  const { webhook, next } = await moving(500);
  next.answer(500);
  await deliver(ours());
  const [second, first] = await attempts(webhook, project);
  expect(first!.attempted_at < second!.attempted_at).toBe(true);
  expect((await get(webhook, project)).failing_since).toBe(second!.attempted_at);
});

test('five days of failures of the old URL do not disable the webhook', async () => {
  const { webhook, next } = await moving(500, 500);
  pass(5 * 86_400_000);
  // A third attempt, which may disable.
  await world.schedules.runDue();
  pass(86_400_000);
  await world.schedules.runDue();
  expect(next.received()).toHaveLength(1);
  expect(await get(webhook, project)).toMatchObject({ disabled: false });
});

test('a success of the old URL does not end the failures of the new one', async () => {
  const { webhook, next, meanwhile } = await moving(204, 500);
  next.answer(500);
  meanwhile(() => deliver(ours()).then(() => {}));
  await deliver(ours());
  expect(await get(webhook, project)).toMatchObject({ failing_since: aTime() });
});

test('an update with the same URL keeps the failures, and five days of them disable the webhook', async () => {
  const { url } = receiver.at(500);
  const webhook = await make(url, { project });
  const { webhook_id } = webhook;
  await deliver(ours());
  const { failing_since } = await get(webhook, project);
  pass(4 * 86_400_000);
  const { body } = await as(project).webhooks.update({ webhook_id, url, description: 'A' });
  expect(body).toMatchObject({ failing_since, description: 'A' });
  pass(86_400_000);
  await world.schedules.runDue();
  expect(await get(webhook, project)).toMatchObject({ disabled: true, failing_since });
});
