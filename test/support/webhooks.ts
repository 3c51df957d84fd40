import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import type { Webhook, WebhookAttempt } from '#shared/contract/webhooks.ts';
import { type Event, type EventType, eventSource } from '#shared/model/events.ts';
import { newEventId } from '#shared/model/ids.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import type { TestProject, World } from './world.ts';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = number | ((response: ServerResponse) => unknown);

/** Starts an HTTP server on this machine that receives webhooks. Each path is a separate receiver. */
export async function startReceiver() {
  const received: Received[] = [];
  const answers = new Map<string, Answer[]>();
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: await text(request) });
      const planned = answers.get(path) ?? [];
      const answer = (planned.length > 1 ? planned.shift() : planned[0]) ?? 204;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else answer(response);
    })();
  });
  const port = Number(new URL(await listenOnLoopback(server)).port);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  afterAll(close);
  return {
    port,
    /** A receiver that gives these responses in order and then repeats the last; 204 without any. */
    at: (...planned: Answer[]) => {
      const path = `/${randomUUID()}`;
      answers.set(path, planned);
      return {
        url: `http://127.0.0.1:${port}${path}`,
        received: () => received.filter((each) => each.path === path),
        answer: (...others: Answer[]) => void answers.set(path, others),
      };
    },
    close,
  };
}

/** Skips the wait of five seconds between two attempts, and records the waits. */
export function skipShortWaits(): number[] {
  const waits: number[] = [];
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, time = 0, ...rest) => {
    // Only the waits of this module: others wait as long, such as the SDK for a response.
    const short = time > 1_000 && new Error().stack?.includes('shared/webhooks/deliver.ts');
    if (short) waits.push(time);
    return real(work, short ? 0 : time, ...rest);
  });
  afterEach(() => void (waits.length = 0));
  return waits;
}

/**
 * A receiver, tools and short waits, and a project for each test of a file, without the schedules of earlier tests: an
 * event is sent to every webhook of a project.
 */
export async function webhookScene(world: World, use: (project: TestProject) => void) {
  const [receiver, tools] = await Promise.all([startReceiver(), webhookTools(world)]);
  const waits = skipShortWaits();
  beforeEach(async () => {
    world.schedules.clear();
    use(await world.newProject());
  });
  return { receiver, waits, ...tools };
}

export type MadeWebhook = Webhook & { secret: string };

/** Helpers for tests of webhooks. */
export async function webhookTools(world: World) {
  const handler = await fromSource('webhooks.deliver');
  const send = (work: unknown) => invoke('webhooks.deliver', handler, work);

  return {
    async make(
      url: string,
      more: { event_types?: EventType[]; description?: string; project?: TestProject } = {},
    ): Promise<MadeWebhook> {
      const { project = world.project, ...rest } = more;
      const made = await world.call<MadeWebhook>('POST', '/webhooks', project.basic, {
        url,
        ...rest,
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    /** An event as on the bus. */
    event: (given: Partial<Event> = {}): Event => ({
      id: newEventId(new Date()),
      type: 'user.created',
      time: new Date().toISOString(),
      project_id: world.project.project_id,
      actor: { kind: 'key', id: '0a1b2c3d' },
      data: { user_id: randomUUID() },
      ...given,
    }),
    /** Passes an event to the function, as the bus rule does. */
    deliver: (event: Event) =>
      send({
        version: '0',
        id: randomUUID(),
        'detail-type': event.type,
        source: eventSource,
        account: '000000000000',
        time: event.time,
        region: 'local',
        resources: [],
        detail: event,
      }),
    send,
    attempts: async (
      { webhook_id }: Pick<Webhook, 'webhook_id'>,
      project = world.project,
    ): Promise<WebhookAttempt[]> => {
      const path = `/webhooks/${webhook_id}/attempts?limit=100`;
      const { body } = await world.call('GET', path, project.basic);
      return body.result;
    },
    get: async ({ webhook_id }: Pick<Webhook, 'webhook_id'>, project = world.project) => {
      const { body } = await world.call<Webhook>('GET', `/webhooks/${webhook_id}`, project.basic);
      return body;
    },
  };
}
