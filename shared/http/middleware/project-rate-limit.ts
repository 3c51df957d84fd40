import { countProjectRequest } from '../../access/project-rate-limit.ts';
import type { Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Validated } from '../exchange.ts';

/** Counts a request to a public route by its project, before any expensive work. Throws `too_many_requests`. */
export const projectRateLimit = (name: string) => ({
  async before({ event }: { event: Validated<Route> }): Promise<void> {
    const { project_id } = event.input.body as unknown as { project_id: string };
    await countProjectRequest(project_id, name, currentRequest().now);
  },
});
