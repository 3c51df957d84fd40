import { startConsole } from '../../console/server/serve.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import { consolePage } from '../support/console-page.ts';
import type { World } from '../support/world.ts';

/** A console for the service of a test, and the requests of its page. */
export async function startStage(world: World, more: { stack?: string; service?: string } = {}) {
  /** The requests to the operator function, and its responses. */
  const operated: { request: OperatorRequest; answer: unknown }[] = [];
  const console = await startConsole({
    port: 0,
    service: world.url,
    async operate(request) {
      const answer = await world.operate(request);
      operated.push({ request, answer });
      return answer;
    },
    pause: 1_100,
    ...more,
  });
  return { ...console, ...consolePage(console.address), operated };
}
