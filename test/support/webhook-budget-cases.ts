import { keys } from '../../shared/db/schema.ts';
import type { Cases } from './budget-case.ts';
import type { World } from './world.ts';

/** A call of every endpoint of webhooks. */
export function webhookCases(world: World) {
  const { basic, project_id } = world.project;
  const body = {
    url: 'https://hooks.example.com/services/identity',
    event_types: ['workspace.member.joined', 'workspace.member.left'],
    description: 'Billing',
  };
  /** There are at most ten, and each case wants its own. */
  const clear = async () => {
    for (const { pk, sk } of await world.table.query(keys.webhook(project_id, '').pk))
      await world.table.delete({ pk: String(pk), sk: String(sk) });
  };
  const make = async () => {
    await clear();
    const made = await world.call('POST', '/webhooks', basic, body);
    const webhook_id: string = made.body.webhook_id;
    return { webhook_id, path: `/webhooks/${webhook_id}` };
  };
  const call = (method: string, path: string, given?: object) => ({
    method,
    path,
    auth: basic,
    ...(given && { body: given }),
  });

  /** Attempts of the usual size. */
  const attempt = async (webhook_id: string, count: number) => {
    for (let i = 0; i < count; i += 1) {
      const event_id = eventId(i);
      const attempted_at = `2026-11-21T08:00:00.${String(i).padStart(3, '0')}Z`;
      const expires_at = Math.floor(Date.now() / 1_000) + 86_400;
      const of = { event_id, type: 'workspace.member.joined', attempt: 1, attempted_at };
      await world.table.put({
        ...keys.attempt(webhook_id, attempted_at, `${event_id}#1.1`),
        ...of,
        status_code: 500,
        next_attempt_at: attempted_at,
        expires_at,
      });
    }
  };

  const feed = async (count: number) => {
    const now = Date.now();
    const writes = Array.from({ length: count }, (_, i) => {
      const expires_at = Math.floor(now / 1_000) + 90 * 86_400 - count + i;
      const time = new Date(now - (count - i) * 1_000);
      const event = {
        id: eventId(time.getTime()),
        type: 'user.updated',
        time: time.toISOString(),
        project_id,
        actor: { kind: 'key', id: '0a1b2c3d' },
        data: { user_id: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01' },
      };
      return { ...keys.feedEntry(project_id, i + 1), event: JSON.stringify(event), expires_at };
    });
    for (let i = 0; i < count; i += 50)
      await Promise.all(writes.slice(i, i + 50).map((item) => world.table.put(item)));
    await world.table.put({ ...keys.feedHead(project_id), position: count });
    // Near the end, so that the page behind its place is short.
    return JSON.parse(writes[count - 10]?.event ?? '{}').id as string;
  };

  return {
    'webhooks.create': {
      Basic: async () => {
        await make();
        return call('POST', '/webhooks', body);
      },
    },
    'webhooks.list': {
      'Basic, 10 webhooks': async () => {
        await make();
        for (let i = 1; i < 10; i += 1) await world.call('POST', '/webhooks', basic, body);
        return call('GET', '/webhooks');
      },
    },
    'webhooks.get': { Basic: async () => call('GET', (await make()).path) },
    'webhooks.update': {
      Basic: async () => call('PUT', (await make()).path, { disabled: true }),
    },
    'webhooks.delete': { Basic: async () => call('DELETE', (await make()).path) },
    'webhooks.rotateSecret': {
      Basic: async () => call('POST', `${(await make()).path}/secret`),
    },
    'webhooks.listAttempts': {
      'Basic, 20 attempts': async () => {
        const { webhook_id, path } = await make();
        await attempt(webhook_id, 40);
        return call('GET', `${path}/attempts`);
      },
    },
    'webhooks.redeliver': {
      // Finds the place of the event in the feed by halving: ten reads for a thousand events.
      'Basic, an event among 1,000': async () => {
        const { path } = await make();
        return call('POST', `${path}/redeliver`, { event_id: await feed(1_000) });
      },
      'Basic, a range': async () => {
        const range = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
        return call('POST', `${(await make()).path}/redeliver`, range);
      },
    },
  } satisfies Cases;
}

/** An id as events have it, of a time in milliseconds. */
function eventId(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `evt-${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
