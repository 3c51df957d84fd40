/** @module-tag engine */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { cancelled, failsAfter, isTransaction } from '../../faults/fault.ts';
import { eventWriter } from '../../support/append-events.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { sessionIdOf } from '../../support/started.ts';
import type { Change } from '../../support/stream-record.ts';
import type { Person, TestProject } from '../../support/world.ts';

const { faults, world } = await startFaultyWorld();
const { consume } = await eventWriter(world);

const time = (day: number, hour = '08:00:00') =>
  `2026-01-${String(day).padStart(2, '0')}T${hour}.000Z`;

/** A session with the times of its last and its previous renewal. */
async function renewal(person: Person, before: string, after: string): Promise<Change> {
  const session = await world.table.get(keys.session(person.uid, sessionIdOf(person)));
  return { before: { ...session, rotated_at: before }, after: { ...session, rotated_at: after } };
}

async function place(people = 1) {
  const project = await world.newProject();
  const users: Person[] = [];
  while (users.length < people) {
    const more = Math.min(10, people - users.length);
    users.push(...(await Promise.all(Array.from({ length: more }, () => world.user({ project })))));
  }
  await world.drainStream();
  return { project, users, user: users[0] as Person };
}

/** The numbers of users who were active on a day, and of those active for the first time in its month. */
async function activeOn({ project_id }: TestProject, day: number) {
  const { pk, sk } = keys.statsDay(project_id, time(day).slice(0, 10));
  const parts = (await world.table.query(pk)).filter((item) => String(item['sk']).startsWith(sk));
  const sum = (name: string) => parts.reduce((all, item) => all + Number(item[name] ?? 0), 0);
  return [sum('active_users'), sum('first_active_in_month')];
}

test('a renewal on a later day counts its user once a day and a month, for any session', async () => {
  const { project, user } = await place();
  const other = await world.session(user.uid, project);
  const changes = [
    await renewal(user, time(1), time(2)),
    await renewal(other, time(1), time(2, '23:59:59')),
    await renewal(user, time(2), time(3, '00:00:00')),
  ];
  expect(await consume(changes)).toEqual([]);
  expect(await consume(changes)).toEqual([]);
  expect(await activeOn(project, 2)).toEqual([1, 1]);
  expect(await activeOn(project, 3)).toEqual([1, 0]);
});

test('more users than one transaction allows, in messages that come together, are all counted', async () => {
  const { project, users } = await place(120);
  const changes = await Promise.all(users.map((user) => renewal(user, time(1), time(2))));
  expect(await consume(changes, { size: 25 })).toEqual([]);
  expect(await activeOn(project, 2)).toEqual([120, 120]);
});

test('a renewal on the same day, and the start, end or other change of a session, count no user', async () => {
  const { project, user } = await place();
  const { before, after } = await renewal(user, time(2), time(2, '23:59:59'));
  await consume([
    { before, after },
    { after },
    { before },
    { before: after, after: { ...after, revoked_at: time(4) } },
  ]);
  expect(await activeOn(project, 2)).toEqual([0, 0]);
});

test('at three concurrent functions, with conflicts and lost responses, users are counted once', async () => {
  const { project, users } = await place(8);
  const changes = await Promise.all(users.map((user) => renewal(user, time(1), time(2))));
  const writes = { when: isTransaction };
  faults.inject(cancelled('TransactionConflict'), { ...writes, times: 2 });
  faults.inject(failsAfter, { ...writes, times: 1 });
  await Promise.all([
    ...users.map((user) => world.session(user.uid, project)),
    consume(changes),
    consume(changes.slice(3)),
    consume(changes.toReversed()),
    world.drainStream(),
  ]);
  expect(await activeOn(project, 2)).toEqual([8, 8]);
  await world.drainStream();
  const today = await world.as(project).stats.get({ days: 1 });
  expect(today.body.days[0]).toMatchObject({ active_users: 8, sign_ins: { project: 16 } });
});

test('all renewals of a message are one transaction, with one write for the day', async () => {
  const { users } = await place(5);
  const changes = await Promise.all(users.map((user) => renewal(user, time(1), time(2))));
  faults.reset();
  await consume(changes);
  const written = faults.calls.filter(isTransaction);
  expect(written.map(({ body }) => (body['TransactItems'] as object[]).length)).toEqual([5 + 1]);
});

test('a renewal over HTTP makes its user active on that day', async () => {
  const { project, user } = await place();
  const key = keys.session(user.uid, sessionIdOf(user));
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await world.table.update(key, { rotated_at: yesterday });
  await world.drainStream();
  // The day of the sign-in, as if that had been yesterday.
  await world.table.update(keys.logHead(keys.user(user.uid).pk), {
    active_days: [yesterday.slice(0, 10)],
  });
  const body = { accessToken: user.access_token };
  const refresh = `Bearer ${user.refresh_token}`;
  const { status } = await world.call('POST', '/sessions/token/refresh', refresh, body);
  expect(status).toBe(200);
  await world.drainStream();
  const days = async () => (await world.as(project).stats.get({ days: 1 })).body.days[0];
  // The sign-in of today is counted too.
  expect(await days()).toMatchObject({ active_users: 2, sign_ins: { project: 1 } });
});
