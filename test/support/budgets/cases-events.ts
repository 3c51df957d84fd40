import { randomUUID } from 'node:crypto';
import { keys } from '../../../shared/db/keys.ts';
import { lastDays } from '../../../shared/stats/days.ts';
import { statisticsParts } from '../../../shared/stats/parts.ts';
import type { World } from '../world.ts';
import { budgetTools, type Cases, from } from './case.ts';

/** Events and webhooks. */
export function eventCases(world: World) {
  const { basic, project_id } = world.project;
  const { call } = budgetTools(world);
  const in90Days = (now = Date.now()) => Math.floor(now / 1_000) + 90 * 86_400;

  /** Puts 20 events of the usual size. */
  const putEvents = async (keyOf: (place: number) => { pk: string; sk: string }) => {
    const hash = 'q2mXbV0nYc1sT8rJ5uKpLz7dWf3gHe6iOa9tQyRvB4E';
    for (let position = 1; position <= 20; position += 1) {
      const event = JSON.stringify({
        id: `evt-${randomUUID()}`,
        type: 'workspace.member.role_changed',
        time: '2026-11-21T08:00:00.000Z',
        project_id,
        workspace_id: `wid-${randomUUID()}`,
        actor: { kind: 'user', id: randomUUID() },
        data: { user_id: randomUUID(), member_id: `mid-${randomUUID()}`, role: 'admin' },
        previous: { role: 'member' },
      });
      const link = { event, hash, previous_hash: hash, position, expires_at: in90Days() };
      await world.table.put({ ...keyOf(position), ...link });
    }
  };
  const feedAfter = (after: number) => async () => {
    const project = await world.newProject();
    await putEvents((place) => keys.feedEntry(project.project_id, place));
    await world.table.put({ ...keys.feedHead(project.project_id), position: 20 });
    // Lets the instance cache the project.
    await world.call('GET', '/events', project.basic);
    return call(`GET /events?after=${after}`, project.basic);
  };
  /**
   * A project with the maximum number of counters that a request reads on any date: every day of the window and, since
   * active users are counted by month, up to 30 days before it. There are ten sign-in methods.
   */
  const statsOf =
    (window: number, search = '', parts = 1) =>
    async () => {
      const project = await world.newProject();
      const methods = Array.from({ length: 10 }, (_, i) => [`sign_ins_provider_${i}`, 1_000 + i]);
      const counts = {
        ...{ new_users: 120, active_users: 4_310, first_active_in_month: 300 },
        ...{ invitations_created: 90, invitations_accepted: 60, ...Object.fromEntries(methods) },
      };
      const [first = ''] = lastDays(window, new Date());
      const read = lastDays(window + Number(first.slice(-2)) - 1, new Date());
      const items = Array.from({ length: (window + 30) * parts }, (_, i) => {
        const day = read[i % read.length] ?? '';
        // Keeps all keys the same length.
        const part = 10 + Math.floor(i / read.length);
        const key = keys.statsDay(project.project_id, day, part);
        return { ...key, ...counts, expires_at: 1_999_999_999 };
      });
      await world.table.putAll(items);
      const totals = keys.statsTotals(project.project_id);
      await world.table.update(totals, { counted_since: '2025-01-01T00:00:00.000Z' });
      // Lets the instance cache the project.
      await world.call('GET', '/events', project.basic);
      return call(`GET /stats${search}`, project.basic);
    };
  const withLog = async () => {
    const { workspace_id, owner } = await world.workspace();
    const { pk } = keys.workspace(workspace_id);
    await putEvents((place) => keys.logEntry(pk, place));
    await world.table.put({ ...keys.logHead(pk), project_id, told: 20, number: 20, recent: [] });
    return { owner, path: `/workspaces/${workspace_id}/events` };
  };

  const settings = {
    url: 'https://hooks.example.com/services/identity',
    event_types: ['workspace.member.joined', 'workspace.member.left'],
    description: 'Billing',
  };
  const create = () => call('POST /webhooks', basic, settings);
  /** A new webhook, which is the only one: a project has at most ten, and each case creates one. */
  const webhook = async () => {
    for (const { pk, sk } of await world.table.query(keys.webhook(project_id, '').pk))
      await world.table.delete({ pk: String(pk), sk: String(sk) });
    const { body } = await world.call<{ webhook_id: string }>(create());
    return { ...body, path: `/webhooks/${body.webhook_id}` };
  };
  /** Puts attempts of the usual size. */
  const putAttempts = async (webhook_id: string, count: number) => {
    for (let i = 0; i < count; i += 1) {
      const event_id = eventId(i);
      const attempted_at = `2026-11-21T08:00:00.${String(i).padStart(3, '0')}Z`;
      const of = { event_id, type: 'workspace.member.joined', attempt: 1, attempted_at };
      await world.table.put({
        ...keys.attempt(webhook_id, attempted_at, `${event_id}#1.1`),
        ...of,
        status_code: 500,
        next_attempt_at: attempted_at,
        expires_at: in90Days(),
      });
    }
  };
  /**
   * Puts two thousand events, one per second, into the feed and returns the id of one near the end, so that its page is
   * short. The other cases make fewer: if the end of the feed went back, recording would stop forever.
   */
  const putFeed = async () => {
    const [now, count] = [Date.now(), 2_000];
    const ids = Array.from({ length: count }, (_, i) => eventId(now - (count - i) * 1_000));
    const items = ids.map((id, i) => {
      const time = new Date(now - (count - i) * 1_000).toISOString();
      const actor = { kind: 'key', id: '0a1b2c3d' };
      const data = { user_id: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01' };
      const event = JSON.stringify({ id, type: 'user.updated', time, project_id, actor, data });
      return { ...keys.feedEntry(project_id, i + 1), event, expires_at: in90Days(now) - count + i };
    });
    await world.table.putAll(items);
    await world.table.put({ ...keys.feedHead(project_id), position: count });
    return ids[count - 10];
  };

  return {
    'webhooks.create': { Basic: from(webhook, create) },
    'webhooks.list': {
      'Basic, 10 webhooks': from(webhook, async () => {
        for (let i = 1; i < 10; i += 1) await world.call(create());
        return call('GET /webhooks');
      }),
    },
    'webhooks.get': { Basic: from(webhook, ({ path }) => call(`GET ${path}`)) },
    'webhooks.update': {
      Basic: from(webhook, ({ path }) => call(`PUT ${path}`, basic, { disabled: true })),
    },
    'webhooks.delete': { Basic: from(webhook, ({ path }) => call(`DELETE ${path}`)) },
    'webhooks.rotateSecret': { Basic: from(webhook, ({ path }) => call(`POST ${path}/secret`)) },
    'webhooks.listAttempts': {
      'Basic, 20 attempts': from(webhook, async ({ webhook_id, path }) => {
        await putAttempts(webhook_id, 40);
        return call(`GET ${path}/attempts`);
      }),
    },
    'webhooks.redeliver': {
      // Binary search for the event in the feed: ten reads for a thousand events.
      'Basic, an event among 2,000': from(webhook, async ({ path }) =>
        call(`POST ${path}/redeliver`, basic, { event_id: await putFeed() }),
      ),
      'Basic, a range': from(webhook, ({ path }) => {
        const range = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
        return call(`POST ${path}/redeliver`, basic, range);
      }),
    },
    'events.list': { 'Basic, 20 events': feedAfter(0), 'Basic, nothing new': feedAfter(20) },
    'stats.get': {
      'Basic, 30 days': statsOf(30),
      'Basic, 90 days': statsOf(90, '?days=90'),
      'Basic, 30 days in 8 parts': statsOf(30, '', statisticsParts),
    },
    'events.listOfWorkspace': {
      'Basic, 20 events': from(withLog, ({ path }) => call(`GET ${path}?after=0`)),
      'Basic, nothing new': from(withLog, ({ path }) => call(`GET ${path}?after=20`)),
      'Bearer, 20 events': from(withLog, ({ path, owner }) =>
        call(`GET ${path}?after=0`, owner.bearer),
      ),
    },
  } satisfies Cases;
}

/** An event id for a time in milliseconds. */
function eventId(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `evt-${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
