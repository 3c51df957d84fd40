import { describe, expect, test } from 'vitest';
import type { Event } from '#shared/model/events.ts';
import { countActivity, countEvents, noCounts } from '#shared/stats/count-events.ts';
import { dayBefore, firstOfMonth, lastDays } from '#shared/stats/days.ts';

const partition = 'USER#ada';
const event = (type: Event['type'], data: object = {}, time = '2026-11-21T08:00:00.000Z') => ({
  partition,
  event: {
    id: 'evt-1',
    type,
    time,
    project_id: 'p',
    actor: { kind: 'key', id: 'k' },
    data,
  } as Event,
});

/** The counts for a user who was active on these days, in this order. */
function active(...days: string[]) {
  const counts = noCounts();
  for (const day of days) countActivity(counts, partition, day);
  return Object.fromEntries(
    [...counts.days].map(([day, { active_users, first_active_in_month = 0 }]) => [
      day,
      [active_users, first_active_in_month],
    ]),
  );
}

describe('an active user', () => {
  test('is counted once a day and once a month', () => {
    expect(active('2026-11-30', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-01')).toEqual({
      '2026-11-30': [1, 1],
      '2026-12-01': [1, 1],
      '2026-12-02': [1, 0],
    });
  });

  test('is counted once even if events around midnight arrive out of order', () => {
    expect(active('2026-12-01', '2026-11-30', '2026-12-01', '2026-11-30')).toEqual({
      '2026-12-01': [1, 1],
      '2026-11-30': [1, 1],
    });
  });

  test('is not counted again on a day before the last eight active ones', () => {
    const days = Array.from({ length: 9 }, (_, i) => `2026-11-0${i + 1}`);
    const counted = active(...days, '2026-11-01');
    expect(counted['2026-11-01']).toEqual([1, 1]);
    expect(Object.values(counted).map(([users]) => users)).toEqual(days.map(() => 1));
  });
});

test('events are counted on their day, sign-ins by method; other events change nothing', () => {
  const { days } = countEvents(
    [
      event('user.created'),
      event('session.started', { method: 'idpw' }),
      event('session.started', { method: 'my-idp' }),
      event('workspace.invitation.created', {}, '2026-11-22T00:00:00.000Z'),
      event('workspace.invitation.resent'),
      event('workspace.member.joined', { via: 'invitation' }),
      event('workspace.member.joined', { via: 'domain' }),
      event('session.ended'),
    ],
    [],
  );
  expect(Object.fromEntries(days)).toEqual({
    '2026-11-21': {
      ...{ new_users: 1, sign_ins_idpw: 1, sign_ins_myHidp: 1, invitations_accepted: 1 },
      ...{ active_users: 1, first_active_in_month: 1 },
    },
    '2026-11-22': { invitations_created: 1 },
  });
});

test('the totals change by the difference to what was counted before', () => {
  const place = (members: number, workspaces = 1) => ({ workspaces, members });
  const { totals, counted } = countEvents(
    [],
    [
      { partition: 'WS#1', totals: place(3), seen: { counted: place(5) } },
      { partition: 'WS#2', totals: place(0, 0), seen: { counted: place(4) } },
      { partition: 'WS#3', totals: place(7), seen: undefined },
      { partition: 'WS#4', totals: undefined, seen: { counted: place(9) } },
      { partition: 'USER#1', totals: { users: 1 }, seen: { counted: { users: 1 } } },
    ],
  );
  expect(totals).toEqual({ members: 1, workspaces: 0 });
  expect(counted.get('WS#4')).toEqual({ counted: place(9) });
  expect(counted.get('WS#3')).toEqual({ counted: place(7) });
});

test('days and months are those of UTC', () => {
  const now = new Date('2026-03-01T00:30:00.000+01:00');
  expect(lastDays(2, now)).toEqual(['2026-02-27', '2026-02-28']);
  expect(dayBefore('2026-03-01')).toBe('2026-02-28');
  expect(firstOfMonth('2026-02-28')).toBe('2026-02-01');
});
