import { startConsole } from '../../console/server/serve.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
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
  const { origin, address } = console;
  const token = address.slice(address.indexOf('=') + 1);
  const ofPage = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

  const ask = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, init);
  const enter = (given: unknown = token, headers: Record<string, string> = ofPage) =>
    ask('/session', { method: 'POST', headers, body: JSON.stringify({ token: given }) });

  /** Enters the console, and returns functions that send requests like the operator's page. */
  async function entered() {
    const answer = await enter();
    const { api } = (await answer.json()) as { api: string };
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    const call = (path: string, { headers, ...init }: RequestInit = {}) =>
      ask(`${api}${path}`, { ...init, headers: { ...ofPage, cookie, ...(headers as object) } });
    const post = (path: string, body: object) =>
      call(path, { method: 'POST', body: JSON.stringify(body) });
    return { api, cookie, call, post };
  }
  return { ...console, token, ofPage, operated, ask, enter, entered };
}
