/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SessionItem } from '#shared/access/live-session.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { where } from '#shared/db/condition.ts';
import { keys } from '#shared/db/keys.ts';
import type { HasPendingEvents } from '#shared/db/outbox.ts';
import { StaleReadError } from '#shared/db/request-context.ts';
import { ofBrowsers } from '#shared/identity/sessions/renewable.ts';
import { rotateSession } from '#shared/identity/sessions/rotate-session.ts';
import {
  endAllSessions,
  endSession,
  listSessions,
  newSession,
  sessionDeletions,
} from '#shared/identity/sessions/sessions.ts';
import { startSession } from '#shared/identity/sessions/start-session.ts';
import { listStoredSessions } from '#shared/identity/sessions/stored-sessions.ts';
import type { UserItem } from '#shared/identity/users/users.ts';
import type { EventType } from '#shared/model/events.ts';
import { type Call, exception, isTransaction, lostAnswers, lostCalls } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { anEvent, theService } from '../../support/recorded-events.ts';
import { failureOf, request } from '../../support/request.ts';

const faults = await openFaultyTable();
let users = 0;
let user: UserItem;
const now = new Date('2026-11-21T08:00:00.000Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

beforeEach(async () => {
  users += 1;
  const uid = `u${users}`;
  user = { ...keys.user(uid), uid, project_id: 'demo', email: '', version: 1 } as UserItem;
  await faults.seed([user]);
});

const session = (at = now, project_id = 'demo') =>
  newSession(project_id, user.uid, { method: 'project' }, at);
const start = (item = session(), along = {}) => request(() => startSession(item, along));
const read = async () => (await request(() => getItem<UserItem>(keys.user(user.uid)))) as UserItem;
const stored = () => request(() => listStoredSessions(user.uid));
const list = (at = now) => request(() => listSessions(user.uid, at));
const idsOf = (sessions: readonly { session_id: string }[]) =>
  sessions.map(({ session_id }) => session_id);
/** At a public endpoint, the user is the actor. */
const theirFact = (type: EventType, data: object) =>
  anEvent({ kind: 'user', id: user.uid }, type, data);
const pendingEvents = async () => {
  const { events, event_count } = (await read()) as UserItem & HasPendingEvents;
  return { events, event_count };
};

describe('a start', () => {
  test('is refused for an unknown user, a user of another project and a disabled user, and stores nothing', async () => {
    const nobody = newSession('demo', 'nobody', { method: 'project' }, now);
    expect(await failureOf(start(nobody))).toBe('not_found');
    expect(await failureOf(start(session(now, 'other')))).toBe('not_found');
    await faults.seed([{ ...user, disabled: true }]);
    expect(await failureOf(start())).toBe('user_disabled');
    // A caller of another project does not learn this either.
    expect(await failureOf(start(session(now, 'other')))).toBe('not_found');
    expect(await stored()).toEqual([]);
  });

  test('whose condition fails is stale and stores nothing', async () => {
    const condition = where('#version = :seen', { seen: 7 });
    expect(await failureOf(start(session(), { condition }))).toBeInstanceOf(StaleReadError);
    expect(await stored()).toEqual([]);
  });

  test('succeeds even if older sessions beyond 50 cannot be ended; the next start ends them', async () => {
    const old = Array.from({ length: 50 }, (_, i) => session(later(-50_000 + i)));
    await faults.seed(old);
    const isEnd = (call: Call) => isTransaction(call) && call.text.includes('"Delete"');
    faults.inject(exception('ThrottlingException'), { times: 50, when: isEnd });
    await start();
    expect(await stored()).toHaveLength(51);
    faults.reset();
    await start(session(later(1)));
    const left = await stored();
    expect(left).toHaveLength(50);
    const ended = idsOf(old.slice(0, 2));
    for (const id of ended) expect(idsOf(left)).not.toContain(id);
    const facts = ended.map((session_id) => theirFact('session.ended', { session_id }));
    expect(await pendingEvents()).toEqual({
      events: expect.arrayContaining(facts),
      event_count: 4,
    });
  });
});

describe('the list', () => {
  test('has the live sessions, newest first, in a stable order even within a millisecond', async () => {
    const twins = Array.from({ length: 40 }, () => session());
    const newest = session(later(1));
    const oldest = session(later(-1));
    const seconds = now.getTime() / 1_000;
    await faults.seed([
      ...[...twins, newest, oldest],
      { ...session(), idle_expires_at: seconds },
      { ...session(), expires_at: seconds },
      { ...session(), revoked_at: now.toISOString() },
    ]);
    const ids = idsOf(await list());
    const between = idsOf(twins).sort().toReversed();
    expect(ids).toEqual([newest.session_id, ...between, oldest.session_id]);
    await request(() => endSession(newest));
    expect(idsOf(await list())).toEqual(ids.slice(1));
  });
});

describe('ending one', () => {
  test('that was revoked leaves it revoked, without an event', async () => {
    const item = session();
    const revoked: SessionItem = { ...item, revoked_at: now.toISOString() };
    await faults.seed([revoked]);
    await request(() => endSession(item));
    expect(await stored()).toEqual([revoked]);
    expect(await pendingEvents()).toEqual({});
  });

  test('of a deleted user is stale and leaves the rest of the user alone', async () => {
    const item = session();
    const left = { ...keys.user(user.uid), deleted_at: now.toISOString() };
    await faults.seed([item, left]);
    expect(await failureOf(request(() => endSession(item)))).toBeInstanceOf(StaleReadError);
    expect(await failureOf(start())).toBe('not_found');
    expect(await read()).toEqual(left);
  });
});

describe('ending all', () => {
  test('is stale once another session has started, so that none is missed', async () => {
    const before = session();
    await start(before);
    const seen = await read();
    await start(session(later(1)));
    expect(await failureOf(request(() => endAllSessions(seen)))).toBeInstanceOf(StaleReadError);
    expect(await stored()).toHaveLength(2);
    const fresh = await read();
    expect(await request(() => endAllSessions(fresh, before.session_id))).toBe(1);
    expect(await stored()).toEqual([before]);
  });

  test('ends expired sessions too, which a clock that is behind could renew, and counts only the live', async () => {
    await start();
    await faults.seed([{ ...session(), idle_expires_at: now.getTime() / 1_000 }]);
    const seen = await read();
    expect(await request(() => endAllSessions(seen))).toBe(1);
    expect(await stored()).toEqual([]);
  });

  test('ends them before a transaction that has no room for one, because of all that its user loses', async () => {
    for (const after of [0, 1, 2]) await start(session(later(after)));
    const seen = await read();
    // Such as 33 accounts at providers, 10 passkeys and an authenticator app.
    const endings = await request(() => sessionDeletions(seen, { besides: 87 }));
    expect(endings).toMatchObject({ writes: {}, recorded: 1 });
    expect(await stored()).toEqual([]);
  });
});

/** Revoked sessions, newest first. */
const revoked = (count: number): SessionItem[] =>
  Array.from({ length: count }, (_, i) => ({
    ...session(later(-1_000 * (i + 1))),
    ...{ revoked_at: now.toISOString(), revoked_reason: 'refresh_token_reused' },
  }));

describe('stored sessions that have ended', () => {
  test('are the newest 25 after a start; live sessions stay, and no event is recorded', async () => {
    const ended = revoked(30);
    const live = session(later(-60_000));
    const started = session();
    await faults.seed([...ended, live]);
    await start(started);
    expect(idsOf(await stored())).toEqual(idsOf([started, ...ended.slice(0, 25), live]));
    expect(idsOf(await list())).toEqual(idsOf([started, live]));
    expect(await read()).toMatchObject({ event_count: 1 });
  });

  test('become fewer even if the request that deletes them is interrupted', async () => {
    const live = session(later(-9_000_000));
    await faults.seed([...revoked(250), live]);
    const seen = await read();
    let reads = 0;
    faults.inject(exception('AccessDeniedException'), {
      when: ({ operation }) => operation === 'Query' && (reads += 1) > 1,
    });
    expect(await failureOf(request(() => endAllSessions(seen)))).toBeDefined();
    const left = idsOf(await stored());
    expect(left.length).toBeLessThan(200);
    expect(left).toContain(live.session_id);
    expect(await request(() => endAllSessions(seen))).toBe(1);
    expect(idsOf(await stored())).toEqual([]);
  });
});

const reused = 'refresh_token_reused';

describe('a rotation', () => {
  const rotate = (of: SessionItem, counter = 0, at = later(1_000)) =>
    request(() => rotateSession({ ...of, counter, renewable: ofBrowsers }, 'demo', at));

  test.each(Object.entries({ ...lostAnswers, ...lostCalls }))(
    'by a used token, %s: revokes the session, with one event',
    async (_, fault) => {
      const item = { ...session(), counter: 5 };
      const { session_id } = item;
      await faults.seed([item]);
      faults.inject(fault, { when: isTransaction });
      for (let i = 0; i < 2; i += 1) expect(await failureOf(rotate(item, 2))).toBe(reused);
      const reason = { revoked_at: later(1_000).toISOString(), revoked_reason: reused };
      expect(await stored()).toEqual([{ ...item, ...reason }]);
      expect(await pendingEvents()).toEqual({
        events: [anEvent(theService, 'session.reuse_detected', { session_id })],
        event_count: 1,
      });
    },
  );

  test('by the token before gives the same session for a minute, to the millisecond', async () => {
    const item = session();
    await start(item);
    const next = await rotate(item);
    expect(await rotate(item, 0, later(61_000))).toEqual(next);
    expect(await failureOf(rotate(item, 0, later(61_001)))).toBe(reused);
  });

  test('of a session that a machine whose clock is 5 s ahead has started is done', async () => {
    const [item, further] = [session(later(6_000)), session(later(6_001))];
    await faults.seed([item, further]);
    expect(await rotate(item)).toMatchObject({ counter: 1 });
    expect(await failureOf(rotate(further))).toBe('too_many_requests');
  });

  const second = later(1_000).getTime() / 1_000;
  test.each<[string, Partial<SessionItem>, string]>([
    ['of another project', { project_id: 'other' }, 'unauthenticated'],
    ['that an OAuth client started', { client_id: 'web' }, 'unauthenticated'],
    ['older than the token, as in a restored table', { counter: -1 }, 'unauthenticated'],
    ['idle for too long', { idle_expires_at: second }, 'token_expired'],
    ['too old', { expires_at: second }, 'token_expired'],
    ['revoked', { revoked_at: now.toISOString() }, 'token_expired'],
    ['revoked by reuse', { revoked_at: now.toISOString(), revoked_reason: reused }, reused],
  ])('of a session %s: no token renews or revokes it', async (_, change, code) => {
    const item = { ...session(), counter: 5, ...change };
    await faults.seed([item]);
    for (const counter of [5, 4, 2]) expect(await failureOf(rotate(item, counter))).toBe(code);
    expect(await stored()).toEqual([item]);
    expect(await pendingEvents()).toEqual({});
  });

  test('of an ended session is refused and stores nothing', async () => {
    const item = session();
    await start(item);
    await request(() => endSession(item));
    expect(await failureOf(rotate(item))).toBe('unauthenticated');
    // Reuse of an older token, which would revoke the session, has no effect either.
    expect(await failureOf(rotate(item, -2))).toBe('unauthenticated');
    expect(await stored()).toEqual([]);
  });
});
