import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { routes } from '../../shared/contract/api.ts';
import type { Answer, Entry, SentRequest } from './history.ts';

/** Milliseconds until a client gives up, longer than the function's timeout of 4 s. */
const patience = 6_000;

const routeOf = new Map(routes.map((route) => [route.name as string, route]));

/** Sends requests over kept-alive connections and returns each outcome. Never rejects. */
export function startClient(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** @param cut milliseconds after which the client disconnects. */
  async function send(
    asked: SentRequest,
    authorization: string,
    cut?: number,
  ): Promise<Pick<Entry, 'status' | 'text' | 'answer' | 'next' | 'replayed'>> {
    const route = routeOf.get(asked.name);
    if (!route) throw new Error(`There is no ${asked.name}.`);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(asked.params?.[name] ?? ''),
    );
    const search = asked.query
      ? `?${new URLSearchParams(asked.query as Record<string, string>).toString()}`
      : '';
    const body = asked.body && JSON.stringify(asked.body);
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
    const outgoing = request(`${url}${path}${search}`, {
      agent,
      method: route.method,
      headers: {
        authorization,
        ...(asked.key !== undefined && { 'idempotency-key': asked.key }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    });
    const timer = setTimeout(() => outgoing.destroy(), cut ?? patience);
    outgoing.on('error', () => resolve({}));
    outgoing.on('response', (response) => {
      text(response).then(
        (answered) => {
          const cursor = /[?&]cursor=([^>&]+)/.exec(String(response.headers['link'] ?? ''))?.[1];
          resolve({
            status: response.statusCode ?? 0,
            text: answered,
            ...(answered.startsWith('{') && { answer: JSON.parse(answered) as Answer }),
            // A top-level JSON array.
            ...(answered.startsWith('[') && {
              answer: { result: JSON.parse(answered) as unknown },
            }),
            ...(cursor !== undefined && { next: decodeURIComponent(cursor) }),
            ...(response.headers['idempotency-replayed'] === 'true' && { replayed: true }),
          });
        },
        () => resolve({}),
      );
    });
    outgoing.end(body);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  return { send, close: () => agent.destroy() };
}
