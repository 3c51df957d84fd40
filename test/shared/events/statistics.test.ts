/** @module-tag engine */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { exception, isTransaction, lostAnswers } from '../../faults/fault.ts';
import { eventWriter } from '../../support/append-events.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { countersIn, recountFeed } from '../../support/recount-statistics.ts';
import type { Change } from '../../support/stream-record.ts';
import type { TestProject } from '../../support/world.ts';

const { faults, world } = await startFaultyWorld();
const { writeEvents, consume } = await eventWriter(world);

const today = new Date().toISOString().slice(0, 10);

/** The project's counters, and the counts in its feed. */
async function both({ project_id }: TestProject) {
  const counted = countersIn(await world.table.query(keys.statsTotals(project_id).pk));
  const recounted = recountFeed(await world.table.query(keys.feedHead(project_id).pk));
  return { counted, recounted };
}

async function expectExact(project: TestProject) {
  const { counted, recounted } = await both(project);
  expect(counted).toEqual(recounted);
  return counted;
}

/** A project with two users whose events are all recorded. */
async function place() {
  const project = await world.newProject();
  const [ada, grace] = [await world.user({ project }), await world.user({ project })];
  await world.drainStream();
  const users = [keys.user(ada.uid), keys.user(grace.uid)];
  return { project, ada, grace, users };
}

const started = (method: string) =>
  ({ type: 'session.started', data: { session_id: randomUUID(), method } }) as const;

/** Sign-ins of the users in turn. */
async function signIns(users: { pk: string; sk: string }[], rounds: number): Promise<Change[]> {
  const changes: Change[] = [];
  for (let i = 0; i < rounds; i += 1)
    for (const user of users) changes.push(await writeEvents(user, [started('idpw')]));
  return changes;
}

test('records that are repeated in part, at three concurrent functions, are counted once', async () => {
  const { project, users } = await place();
  const changes = await signIns(users, 12);
  await Promise.all([consume(changes), consume(changes), consume(changes.slice(0, 7))]);
  for (let begin = 0; begin < changes.length; begin += 5) await consume(changes.slice(begin));
  const { days } = await expectExact(project);
  expect(days[today]).toMatchObject({ new_users: 2, active_users: 2, sign_ins: 26 });
});

test.each(Object.entries(lostAnswers))('%s: no event is counted twice', async (_, fault) => {
  const { project, users } = await place();
  const changes = await signIns(users, 3);
  faults.inject(fault, { times: 1, when: isTransaction });
  await consume(changes);
  await consume(changes);
  const { days } = await expectExact(project);
  expect(days[today]?.['sign_ins']).toBe(8);
});

test('a transaction of ten events writes the day once and the totals not at all', async () => {
  const { project, users } = await place();
  const changes = await signIns(users.slice(0, 1), 10);
  faults.reset();
  await consume(changes);
  const written = faults.calls.filter(isTransaction);
  expect(written).toHaveLength(1);
  const items = (written[0]?.body['TransactItems'] ?? []) as object[];
  const of = items.map((item) => JSON.stringify(item));
  expect(of.filter((item) => item.includes('STATS#'))).toHaveLength(1);
  expect(items).toHaveLength(10 + 10 + 1 + 1 + 1);
  await expectExact(project);
});

test('the head of a log stays within one write unit', async () => {
  const { users } = await place();
  const [user] = users as [{ pk: string; sk: string }];
  const days = Array.from({ length: 8 }, (_, i) => `2026-01-0${i + 1}`);
  const key = keys.logHead(user.pk);
  await world.table.update(key, { active_days: days });
  await consume(await signIns([user], 45));
  const head = await world.table.get(key);
  expect(head).toMatchObject({ recent: { length: 40 }, active_days: { length: 8 } });
  // A number takes less than its digits, a list or a map three bytes and one for each element.
  expect(JSON.stringify(head).length).toBeLessThan(1_024);
});

test('many concurrent changes of all kinds, with faults and repeated records, are counted as in the feed', async () => {
  const { project, ada, grace } = await place();
  const state = { working: true };
  const feeding = (async () => {
    while (state.working) await world.drainStream();
  })();
  let calls = 0;
  faults.inject(exception('ProvisionedThroughputExceededException'), {
    times: Infinity,
    when: () => ++calls % 17 === 0,
  });
  try {
    await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const person = await world.user({ project, verified: true });
        const owner = [ada, grace][i % 2] ?? ada;
        const engines = await world.workspace({ owner });
        await world.member(engines, 'member', person);
        await world.invited(engines);
        await world.session(person.uid, project);
        const { workspace_id } = engines;
        if (i % 3 === 0) await world.as(project).workspaces.delete({ workspace_id });
        if (i % 3 === 1) await world.as(project).users.delete({ uid: person.uid });
        if (i % 3 === 2)
          await world.as(project).members.remove({ workspace_id, user_id: person.uid });
        if (i === 3) await world.as(project).workspaces.restore({ workspace_id });
      }),
    );
  } finally {
    state.working = false;
    await feeding;
  }
  faults.reset();
  await world.drainStream();
  const counted = await expectExact(project);
  expect(counted.totals).toEqual(await liveIn(project));
});

/** The actual totals, counted item by item. */
async function liveIn({ project_id }: TestProject) {
  const all = await world.table.all();
  const ours = all.filter((item) => item['project_id'] === project_id);
  const live = (sk: string) => ours.filter((item) => item['sk'] === sk && !item['deleted_at']);
  const places = new Set(live('WS').map((item) => item['pk']));
  return {
    users: live('USER').length,
    workspaces: places.size,
    members: ours.filter(({ pk, sk }) => String(sk).startsWith('MEMBER#') && places.has(pk)).length,
  };
}
