/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SessionItem } from '#shared/access/live-session.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { keys } from '#shared/db/keys.ts';
import { endAllSessions, listSessions, newSession } from '#shared/identity/sessions/sessions.ts';
import { startSession } from '#shared/identity/sessions/start-session.ts';
import { listStoredSessions } from '#shared/identity/sessions/stored-sessions.ts';
import type { UserItem } from '#shared/identity/users/users.ts';
import { exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { failureOf, request } from '../../support/request.ts';

const faults = await openFaultyTable();
let users = 0;
let user: UserItem;
const now = new Date('2026-11-21T08:00:00.000Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

beforeEach(async () => {
  users += 1;
  const uid = `u${users}`;
  user = { ...keys.user(uid), uid, project_id: 'demo', email: '', version: 1 } as UserItem;
  await faults.seed([user]);
});

const session = (at = now) => newSession('demo', user.uid, { method: 'project' }, at);
const read = async () => (await request(() => getItem<UserItem>(keys.user(user.uid)))) as UserItem;
const idsOf = (sessions: SessionItem[]) => sessions.map(({ session_id }) => session_id);
const stored = async () => idsOf(await request(() => listStoredSessions(user.uid)));

/** Revoked sessions, newest first. */
const revoked = (count: number): SessionItem[] =>
  Array.from({ length: count }, (_, i) => ({
    ...session(before(i + 1)),
    revoked_at: now.toISOString(),
    revoked_reason: 'refresh_token_reused',
  }));

describe('stored sessions that have ended', () => {
  test('are the newest 25 after a start; live sessions stay, and no event is recorded', async () => {
    const ended = revoked(30);
    const live = session(before(60));
    const started = session();
    await faults.seed([...ended, live]);
    await request(() => startSession(started));
    expect(await stored()).toEqual(idsOf([started, ...ended.slice(0, 25), live]));
    expect(idsOf(await request(() => listSessions(user.uid, now)))).toEqual(idsOf([started, live]));
    expect(await read()).toMatchObject({ event_count: 1 });
  });

  test('become fewer even if the request that deletes them is interrupted', async () => {
    const live = session(before(9_000));
    await faults.seed([...revoked(250), live]);
    const seen = await read();
    let reads = 0;
    faults.inject(exception('AccessDeniedException'), {
      when: ({ operation }) => operation === 'Query' && (reads += 1) > 1,
    });
    expect(await failureOf(request(() => endAllSessions(seen, now)))).toBeDefined();
    const left = await stored();
    expect(left.length).toBeLessThan(200);
    expect(left).toContain(live.session_id);
    expect(await request(() => endAllSessions(seen, now))).toBe(1);
    expect(await stored()).toEqual([]);
  });
});
