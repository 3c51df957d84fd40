import type { Event } from '#shared/model/events.ts';

type Item = Record<string, unknown>;

/** The counts of one day. Sign-ins are summed over methods, because the feed drops the methods of a deleted user. */
type Day = {
  new_users: number;
  active_users: number;
  first_active_in_month: number;
  sign_ins: number;
  invitations_created: number;
  invitations_accepted: number;
};

const noDay = (): Day => ({
  ...{ new_users: 0, active_users: 0, first_active_in_month: 0 },
  ...{ sign_ins: 0, invitations_created: 0, invitations_accepted: 0 },
});

/** The statistics of a project, counted independently from its stored feed. */
export function recountFeed(feed: readonly Item[]) {
  const events = feed.flatMap(({ event }) =>
    event === undefined ? [] : [JSON.parse(String(event)) as Event],
  );
  const days = new Map<string, Day>();
  const dayOf = (time: string): Day => {
    const day = days.get(time.slice(0, 10)) ?? noDay();
    days.set(time.slice(0, 10), day);
    return day;
  };
  const [users, active, months] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const places = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  for (const { type, time, data, workspace_id = '' } of events) {
    const uid = String(data['user_id']);
    const members = places.get(workspace_id) ?? new Set();
    if (workspace_id !== '') places.set(workspace_id, members);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types are not counted
    switch (type) {
      case 'user.created':
        users.add(uid);
        dayOf(time).new_users += 1;
        break;
      case 'user.deleted':
        users.delete(uid);
        break;
      case 'session.started': {
        const day = dayOf(time);
        day.sign_ins += 1;
        if (!active.has(`${uid} ${time.slice(0, 10)}`)) day.active_users += 1;
        if (!months.has(`${uid} ${time.slice(0, 7)}`)) day.first_active_in_month += 1;
        active.add(`${uid} ${time.slice(0, 10)}`);
        months.add(`${uid} ${time.slice(0, 7)}`);
        break;
      }
      case 'workspace.created':
        members.add((data['workspace'] as { owner_id: string }).owner_id);
        break;
      case 'workspace.deleted':
        deleted.add(workspace_id);
        break;
      case 'workspace.restored':
        deleted.delete(workspace_id);
        break;
      case 'workspace.invitation.created':
        dayOf(time).invitations_created += 1;
        break;
      case 'workspace.member.added':
        members.add(uid);
        break;
      case 'workspace.member.joined':
        members.add(uid);
        if (data['via'] === 'invitation') dayOf(time).invitations_accepted += 1;
        break;
      case 'workspace.member.left':
      case 'workspace.member.removed':
        members.delete(uid);
        break;
    }
  }
  const live = [...places].filter(([workspace_id]) => !deleted.has(workspace_id));
  return {
    totals: {
      users: users.size,
      workspaces: live.length,
      members: live.reduce((sum, [, members]) => sum + members.size, 0),
    },
    days: Object.fromEntries(days),
  };
}

/**
 * The statistics in the stored counters of a project, summed over their parts. Failures are skipped: they have no
 * events.
 */
export function countersIn(items: readonly Item[]) {
  const totals = { users: 0, workspaces: 0, members: 0 };
  const days: Record<string, Day> = {};
  for (const { sk, ...counts } of items) {
    const [, day = '', part] = String(sk).split('#');
    const of = (name: string) => Number(counts[name] ?? 0);
    if (part === 'FAILED') continue;
    if (day === 'TOTALS') {
      for (const name of ['users', 'workspaces', 'members'] as const) totals[name] += of(name);
      continue;
    }
    const sum = (days[day] ??= noDay());
    for (const name of ['new_users', 'active_users', 'first_active_in_month'] as const)
      sum[name] += of(name);
    for (const name of ['invitations_created', 'invitations_accepted'] as const)
      sum[name] += of(name);
    for (const name of Object.keys(counts))
      if (name.startsWith('sign_ins_')) sum.sign_ins += of(name);
  }
  return { totals, days };
}
