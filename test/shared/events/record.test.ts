/** @module-tag engine */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { eventsIn, eventWriter, flawsIn, placesIn } from '../../support/append-events.ts';
import { anId, aTime } from '../../support/expectations.ts';
import { logged } from '../../support/log.ts';
import type { Change } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { writeEvents, consume, recorded } = await eventWriter(world);
const key = { kind: 'key', id: 'k1' } as const;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A separate project with a feed of its own, and a user whose first events are recorded. */
async function place() {
  const project = await world.newProject();
  const owner = await world.user({ project });
  await world.drainStream();
  const user = keys.user(owner.uid);
  const feed = async () => (await recorded(project.project_id, [])).feed;
  const log = async (pk = user.pk) => (await recorded(project.project_id, [pk])).logs[0] ?? [];
  const begun = placesIn(await feed()).length;
  return { project, project_id: project.project_id, owner, user, feed, log, begun };
}

/** This many changes of one user, each with one event. */
async function changesOf(user: { pk: string; sk: string }, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  for (let i = 1; i <= count; i += 1)
    changes.push(await writeEvents(user, [{ type: 'user.updated' }], { display_name: `Ada ${i}` }));
  return changes;
}

/** The ids of the changes' events. */
const eventsOf = (changes: Change[]): string[] =>
  changes.flatMap(({ after }) =>
    ((after?.['events'] ?? []) as { id: string }[]).map(({ id }) => id),
  );
/** The ids of the events published after the first ones. */
const publishedSince = (before: number): string[] =>
  world
    .events()
    .slice(before)
    .map(({ id }) => id);

test('an event has its data, its actor, and the previous values of what changed', async () => {
  const { user, owner, project_id, log } = await place();
  const facts = [
    { type: 'user.updated', data: { fields: ['display_name'] } },
    { type: 'session.ended', data: { session_id: 's1' } },
  ] as const;
  const change = await writeEvents(user, [...facts], { display_name: 'Ada', modified_at: 'now' });
  expect(await consume([change])).toEqual([]);
  const common = { id: anId('evt-'), time: aTime(), project_id, actor: key };
  const { uid, email } = owner;
  const expected = [
    {
      ...common,
      type: 'user.updated',
      data: {
        user_id: uid,
        user: {
          uid,
          email,
          verified: { email: false },
          display_name: 'Ada',
          created_at: aTime(),
          modified_at: 'now',
        },
        fields: ['display_name'],
      },
      previous: { user: { display_name: null } },
    },
    { ...common, type: 'session.ended', data: { user_id: uid, session_id: 's1' } },
  ];
  expect(eventsIn(await log()).slice(-2)).toEqual(expected);
  expect(world.events().slice(-2)).toEqual(expected);
});

test('an event of a workspace names it and has its current data', async () => {
  const { owner, project_id, log } = await place();
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  await world.drainStream();
  const workspace = keys.workspace(workspace_id);
  const change = await writeEvents(workspace, [{ type: 'workspace.updated' }], {
    name: 'Machines',
  });
  await consume([change]);
  expect(eventsIn(await log(workspace.pk)).at(-1)).toEqual({
    id: anId('evt-'),
    type: 'workspace.updated',
    time: aTime(),
    project_id,
    workspace_id,
    actor: key,
    data: {
      workspace: {
        workspace_id,
        name: 'Machines',
        owner_id: owner.uid,
        domains: [],
        created_at: aTime(),
        modified_at: aTime(),
      },
    },
    previous: { workspace: { name: 'Engines' } },
  });
});

test('unlisted attributes of an item or an event reach neither log, feed nor bus', async () => {
  const { user, feed, log } = await place();
  const canary = 'canary-7d31';
  const more = { hash: canary, identities: { google: { subject: canary } }, about_me: canary };
  const data = { fields: ['about_me'], token: canary } as object;
  await consume([await writeEvents(user, [{ type: 'user.updated', data }], more)]);
  const seen = JSON.stringify([await log(), await feed(), world.events()]);
  expect(seen).toContain('about_me');
  expect(seen).not.toContain(canary);
});

test('logs and feed are numbered without a gap, in the order of each item, in valid hash chains', async () => {
  const { owner, user, project_id, begun } = await place();
  const { workspace_id } = await world.workspace({ owner });
  const workspace = keys.workspace(workspace_id);
  await world.drainStream();
  const before = await recorded(project_id, [user.pk, workspace.pk]);
  const changes: Change[] = [];
  for (let i = 0; i < 12; i += 1) {
    changes.push(await writeEvents(user, [{ type: 'user.updated' }, { type: 'session.started' }]));
    changes.push(await writeEvents(workspace, [{ type: 'workspace.updated' }], { name: `W${i}` }));
  }
  expect(await consume(changes)).toEqual([]);
  const { logs, feed } = await recorded(project_id, [user.pk, workspace.pk]);
  expect(logs.map(flawsIn)).toEqual([[], []]);
  expect(logs.map((log) => placesIn(log).length)).toEqual(
    before.logs.map((log, i) => placesIn(log).length + (i === 0 ? 24 : 12)),
  );
  const positions = placesIn(feed);
  expect(positions).toEqual(range(1, positions.length));
  expect(positions.length).toBeGreaterThan(begun + 36);
  expect(eventsIn(feed).slice(-36)).toMatchObject(eventsOf(changes).map((id) => ({ id })));
});

test('if any part of the stream is repeated, every event is recorded and published once', async () => {
  const { user, feed, log } = await place();
  const changes = await changesOf(user, 23);
  await consume(changes.slice(0, 14));
  const published = world.events().length;
  for (let end = 0; end <= 14; end += 1) await consume(changes.slice(0, end));
  expect(world.events()).toHaveLength(published);
  for (let begin = 14; begin >= 0; begin -= 3) await consume(changes.slice(begin));
  expect(eventsIn(await feed()).slice(-23)).toMatchObject(eventsOf(changes).map((id) => ({ id })));
  expect(flawsIn(await log())).toEqual([]);
  expect(world.events()).toHaveLength(published + 9);
});

test('the same records at two concurrent functions are recorded once', async () => {
  const { user, feed, log, begun } = await place();
  const changes = await changesOf(user, 30);
  await Promise.all([consume(changes), consume(changes), consume(changes.slice(0, 11))]);
  expect(flawsIn(await log())).toEqual([]);
  expect(placesIn(await feed())).toEqual(range(1, begun + 30));
});

test('messages of a project that come together are recorded together, ten events at a time', async () => {
  const { user, feed, begun } = await place();
  const changes = await changesOf(user, 12);
  const before = world.events().length;
  // All events of the call are published again.
  world.bus.failNext('lose');
  expect(await consume(changes, { size: 1 })).toEqual([]);
  expect(publishedSince(before)).toHaveLength(10 + 12);
  expect(placesIn(await feed())).toEqual(range(1, begun + 12));
});

test('records without a new event, and removals, are not recorded', async () => {
  const { user, project_id, feed, begun } = await place();
  const [change = {}] = await changesOf(user, 1);
  const { workspace_id } = await world.workspace();
  const member = await world.table.query(`WS#${workspace_id}`, 'MEMBER#');
  await consume([
    { before: change.after, after: change.after },
    { before: change.after, after: { ...change.after, last_sign_in_at: 'x' } },
    { before: change.after },
    ...member.map((after) => ({ after: { ...after, project_id } })),
  ]);
  expect(placesIn(await feed())).toEqual(range(1, begun));
});

test('entries that the bus refuses are published again, without the others', async () => {
  const { user, feed, begun } = await place();
  const changes = await changesOf(user, 5);
  const before = world.events().length;
  world.bus.failNext({ refuse: [1, 3] });
  world.bus.failNext({ refuse: [0] });
  expect(await consume(changes)).toEqual([]);
  const ids = eventsOf(changes);
  expect(publishedSince(before)).toEqual([0, 2, 4, 3, 1].map((i) => ids[i]));
  expect(placesIn(await feed())).toEqual(range(1, begun + 5));
});

test('if the bus refuses everything, its message is retried, and earlier ones are done', async () => {
  const { user, owner, feed, project } = await place();
  const workspace = await world.workspace({ owner });
  const { uid } = await world.member(workspace, 'member', await world.user({ project }));
  await world.drainStream();
  const before = await world.table.get(keys.user(uid));
  await world.call('PUT', `/users/${uid}`, project.basic, { display_name: 'Grace' });
  const after = await world.table.get(keys.user(uid));
  const quiet = { before, after: { ...after, event_count: before?.['event_count'] } };
  const changes = [quiet, ...(await changesOf(user, 2))];
  const already = placesIn(await feed());
  // As often as one invocation tries it.
  world.bus.failNext({ refuse: [0, 1] }, 9);
  expect(await consume(changes)).toEqual(['0']);
  world.bus.failNext({ refuse: [0, 1] }, 9);
  expect(await consume(changes, { size: 1 })).toEqual(['1', '2']);
  expect(placesIn(await feed())).toEqual(already);
  const copy = await world.table.get(keys.member(workspace.workspace_id, uid));
  expect(copy?.['profile']).toContain('Grace');
  expect(await consume(changes.slice(1))).toEqual([]);
  expect(placesIn(await feed())).toEqual(range(1, already.length + 2));
});

test('a lost response of the bus may double an event there, but not in the feed', async () => {
  const { user, feed, begun } = await place();
  const changes = await changesOf(user, 3);
  const before = world.events().length;
  world.bus.failNext('lose');
  expect(await consume(changes)).toEqual([]);
  const ids = publishedSince(before);
  expect([ids.length, new Set(ids).size]).toEqual([6, 3]);
  expect(placesIn(await feed())).toEqual(range(1, begun + 3));
});

test('missing events are an error in the log; later ones are recorded, and the missing ones when they come', async () => {
  const { user, log, feed, owner, begun } = await place();
  const changes = await changesOf(user, 5);
  const { result: failed, lines } = await logged(() => consume(changes.slice(2)));
  expect(failed).toEqual([]);
  const ids = eventsOf(changes);
  const message = `2 events of USER#${owner.uid} before ${ids[2]} never came.`;
  expect(lines).toMatchObject([
    { level: 'error', operation: 'stream.consume', cause: { message } },
  ]);
  expect(placesIn(await feed())).toEqual(range(1, begun + 3));
  // As when an operator restarts the stream.
  for (let i = 0; i < 2; i += 1) expect(await consume(changes)).toEqual([]);
  const late = [2, 3, 4, 0, 1].map((i) => ({ id: ids[i] }));
  expect(eventsIn(await feed()).slice(-5)).toMatchObject(late);
  expect(eventsIn(await log()).slice(-5)).toMatchObject(late);
  expect(flawsIn(await log())).toEqual([]);
  const head = (await log()).at(-1);
  expect(head).toEqual({
    ...keys.logHead(user.pk),
    project_id: expect.any(String),
    told: placesIn(await log()).length,
    number: placesIn(await log()).length,
    hash: expect.any(String),
    recent: expect.any(Array),
    counted: { users: 1 },
    active_days: [expect.any(String)],
  });
});

test('an update whose events were written twice after a lost response is one event', async () => {
  const { user, feed, log, begun } = await place();
  const [first = {}, second = {}] = await changesOf(user, 2);
  const count = Number(second.after?.['event_count']);
  const again = { ...second.after, events: first.after?.['events'], event_count: count + 1 };
  const [pending] = (second.after?.['events'] ?? []) as object[];
  const events = [{ ...pending, id: 'evt-third-0123456' }];
  const third = { ...again, events, event_count: count + 2 };
  const changes = [first, second, { before: second.after, after: again }];
  expect(await consume([...changes, { before: again, after: third }])).toEqual([]);
  expect(await consume([...changes, { before: again, after: third }])).toEqual([]);
  expect(flawsIn(await log())).toEqual([]);
  expect(placesIn(await feed())).toEqual(range(1, begun + 3));
});
