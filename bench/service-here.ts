import type { Started } from './service.ts';
import { openTable } from './service-process.ts';

/**
 * Starts the service in this process, where its calls can be metered.
 *
 * @param folder keeps the data; in memory without it
 */
export async function startHere(folder?: string): Promise<Started> {
  await openTable(folder);
  process.env['LOG_LEVEL'] = 'silent';
  // After the environment is set, because the SDK's clients read it when they are created.
  const { start } = await import('./service.ts');
  return start(false);
}
