import { vi } from 'vitest';
import { skipShortWaits, startReceiver, webhookTools } from '../webhooks.ts';
import type { World } from '../world.ts';

type AsProject = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;

/** Uses every right of the endpoints and of the sender of webhooks. */
export async function useWebhooks(world: World, asProject: AsProject): Promise<void> {
  skipShortWaits();
  const receiver = await startReceiver();
  const { deliver, event, send } = await webhookTools(world);
  const made = await asProject('POST', '/webhooks', { url: receiver.at(500).url });
  const path = `/webhooks/${made['webhook_id']}`;
  await asProject('GET', '/webhooks');
  await asProject('GET', path);
  await asProject('PUT', path, { description: 'New' });
  await asProject('POST', `${path}/secret`);
  // Expires the cache of the secret, which the previous call read.
  vi.setSystemTime(Date.now() + 301_000);
  await deliver(event());
  await asProject('GET', `${path}/attempts`);
  const { result = [] } = (await asProject('GET', '/events?limit=1')) as {
    result?: { id: string }[];
  };
  await asProject('POST', `${path}/redeliver`, { event_id: result[0]?.id });
  const range = { since: new Date(Date.now() - 86_400_000).toISOString() };
  await asProject('POST', `${path}/redeliver`, { ...range, until: new Date().toISOString() });
  // Each twice: the second run reads the result of the first.
  for (const { input } of world.schedules.waiting())
    for (let i = 0; i < 2; i += 1) await send(input);
  await asProject('DELETE', path);
}
