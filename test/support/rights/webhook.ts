import { skipShortWaits, startReceiver, webhookTools } from '../webhooks.ts';
import type { World } from '../world.ts';

type AsProject = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;

/** Uses the rights of the sender of webhooks. */
export async function useWebhooks(world: World, asProject: AsProject): Promise<void> {
  skipShortWaits();
  const receiver = await startReceiver();
  const { deliver, event, send } = await webhookTools(world);
  const made = await asProject('POST', '/webhooks', { url: receiver.at(500).url });
  const path = `/webhooks/${made['webhook_id']}`;
  await deliver(event());
  const { result = [] } = (await asProject('GET', '/events?limit=1')) as {
    result?: { id: string }[];
  };
  await asProject('POST', `${path}/redeliver`, { event_id: result[0]?.id });
  const range = { since: new Date(Date.now() - 86_400_000).toISOString() };
  await asProject('POST', `${path}/redeliver`, { ...range, until: new Date().toISOString() });
  // Each twice: the second run reads the result of the first.
  for (const { input } of world.schedules.waiting())
    for (let i = 0; i < 2; i += 1) await send(input);
}
