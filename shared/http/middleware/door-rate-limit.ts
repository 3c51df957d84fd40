import { countDoorRequest } from '../../access/door-rate-limit.ts';
import type { Route } from '../../contract/route.ts';
import type { Validated } from '../exchange.ts';

/**
 * Counts a request to a public route by its network and its project, before any expensive work. Throws
 * `too_many_requests`.
 */
export const doorRateLimit = (name: string) => ({
  async before({ event: { input } }: { event: Validated<Route> }): Promise<void> {
    const { project_id } = input.body as unknown as { project_id: string };
    await countDoorRequest(project_id, name, input.client.address, input.now);
  },
});
