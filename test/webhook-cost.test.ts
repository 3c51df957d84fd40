/** @module-tag source */
import { vi } from 'vitest';
import { sameCost, testBudgets } from './support/budgets/tests.ts';
import { meter } from './support/meter.ts';
import { skipShortWaits, startReceiver, webhookTools } from './support/webhooks.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);
const receiver = await startReceiver();
const { make, event, deliver } = await webhookTools(world);
skipShortWaits();
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

testBudgets('webhook delivery', {
  'an event of a project without webhooks': async () => {
    const sent = await prepare();
    return costOf(() => deliver(sent));
  },
  'an event that one webhook takes': async () => {
    const sent = await prepare(204);
    return costOf(() => deliver(sent));
  },
  'an event that one webhook takes at the second attempt': async () => {
    const sent = await prepare(500, 204);
    return costOf(() => deliver(sent));
  },
  'each later attempt that fails': async () => {
    const sent = await prepare(500);
    await deliver(sent);
    const fail = () => {
      vi.useFakeTimers({ toFake: ['Date'], now: world.schedules.waiting()[0]!.at });
      return costOf(() => world.schedules.runDue());
    };
    return sameCost(await fail(), await fail());
  },
  'an attempt that is put off, because its receiver is failing': async () => {
    const sent = await prepare(500);
    await deliver(sent);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const { id: _, ...rest } = sent;
    await deliver(event(rest));
    return costOf(() => deliver(event(rest)));
  },
});
