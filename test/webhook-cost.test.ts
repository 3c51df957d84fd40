import { afterEach, expect, test, vi } from 'vitest';
import { meter } from './support/meter.ts';
import { sendingBudgets } from './support/webhook-budgets.ts';
import { skipShortWaits, startReceiver, webhookTools } from './support/webhooks.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);
const receiver = await startReceiver();
const { make, event, deliver } = await webhookTools(world);
skipShortWaits();
afterEach(() => vi.useRealTimers());

const costOf = async (work: () => Promise<unknown>) => (await measure(work)).cost;
const prepare = async (...answers: number[]) => {
  world.schedules.clear();
  const project = await world.newProject();
  const sent = event({
    project_id: project.project_id,
    type: 'workspace.member.role_changed',
    data: { user_id: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01', role: 'admin' },
    previous: { role: 'member' },
  });
  if (answers.length > 0) await make(receiver.at(...answers).url, { project });
  return sent;
};

test('an event of a project without webhooks costs its budget', async () => {
  const sent = await prepare();
  expect(await costOf(() => deliver(sent))).toEqual(
    sendingBudgets['an event of a project without webhooks'],
  );
});

test('an event that one webhook takes costs its budget', async () => {
  const sent = await prepare(204);
  expect(await costOf(() => deliver(sent))).toEqual(
    sendingBudgets['an event that one webhook takes'],
  );
});

test('an event that one webhook takes at the second attempt costs its budget', async () => {
  const sent = await prepare(500, 204);
  expect(await costOf(() => deliver(sent))).toEqual(
    sendingBudgets['an event that one webhook takes at the second attempt'],
  );
});

test('each later attempt that fails costs its budget', async () => {
  const sent = await prepare(500);
  await deliver(sent);
  for (let i = 0; i < 2; i += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: world.schedules.waiting()[0]!.at });
    expect(await costOf(() => world.schedules.runDue())).toEqual(
      sendingBudgets['each later attempt that fails'],
    );
  }
});
