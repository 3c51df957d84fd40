import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { eventWriter } from '../../support/append-events.ts';
import type { Answer } from '../../support/call.ts';
import { anId, aTime, expectInvalid } from '../../support/expectations.ts';
import type { Change } from '../../support/stream-record.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const { writeEvents, consume } = await eventWriter(world);
const list = (project: TestProject, query: { after?: string | number; limit?: number } = {}) =>
  world.as(project).events.list(query);
const eventIds = ({ body }: Answer) => body.result.map(({ id }: { id: string }) => id);

/** A separate project with a user, and a cursor after the events so far. */
async function place() {
  const project = await world.newProject();
  const owner = await world.user({ project });
  await world.drainStream();
  const { body } = await list(project);
  const more = async (count: number): Promise<Change[]> => {
    const changes: Change[] = [];
    for (let i = 0; i < count; i += 1)
      changes.push(await writeEvents(keys.user(owner.uid), [{ type: 'user.updated' }]));
    return changes;
  };
  const add = async (count: number) => consume(await more(count));
  return { project, owner, begun: Number(body.next_cursor), body, more, add };
}

/** All events after a cursor, page by page. */
async function read(project: TestProject, after: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const page = await list(project, { after: cursor, limit });
    ids.push(...eventIds(page));
    if (!page.body.more) return ids;
    cursor = page.body.next_cursor;
  }
}
const idsOf = (changes: Change[]) =>
  changes.flatMap(({ after }) =>
    ((after?.['events'] ?? []) as { id: string }[]).map(({ id }) => id),
  );

test('200 lists every event of the project, oldest first, with a cursor to continue', async () => {
  const { project, owner, body } = await place();
  const { project_id } = project;
  const { uid, email } = owner;
  const [first] = body.result;
  expect(first).toEqual({
    id: anId('evt-'),
    type: 'user.created',
    time: aTime(),
    project_id,
    actor: { kind: 'key', id: expect.stringMatching(/^[0-9a-f]{8}$/) },
    data: {
      user_id: uid,
      user: {
        uid,
        email,
        verified: { email: false },
        created_at: aTime(),
        modified_at: aTime(),
      },
    },
  });
  expect(body).toEqual({
    count: body.result.length,
    result: expect.any(Array),
    next_cursor: String(body.result.length),
    more: false,
  });
  const rest = await list(project, { after: body.next_cursor });
  expect([rest.status, rest.body]).toEqual([
    200,
    { count: 0, result: [], next_cursor: body.next_cursor, more: false },
  ]);
});

test('200 pages of any length show each event once, in order', async () => {
  const { project, begun, more } = await place();
  const changes = await more(7);
  await consume(changes);
  for (const limit of [1, 3, 7, 100])
    expect(await read(project, String(begun), limit)).toEqual(idsOf(changes));
});

test('200 with an empty list and a cursor for a new project, whatever happened in another project', async () => {
  const { add } = await place();
  await add(1);
  const project = await world.newProject();
  const { status, body } = await list(project);
  expect([status, body]).toEqual([200, { count: 0, result: [], next_cursor: '0', more: false }]);
});

test('200 counts expired events and does not show them, even if the table still has them', async () => {
  const { project, begun, add } = await place();
  await add(5);
  const past = Math.floor(Date.now() / 1_000) - 1;
  const entry = (position: number) => keys.feedEntry(project.project_id, position);
  for (let position = 1; position <= begun + 2; position += 1)
    await world.table.update(entry(position), { expires_at: past });
  await world.table.delete(entry(begun + 1));
  const { body } = await list(project);
  expect([body.count, body.expired]).toEqual([3, begun + 2]);
  const page = await list(project, { limit: begun + 1 });
  expect(page.body).toMatchObject({ count: 0, more: true, expired: begun + 2 });
  const next = await list(project, { after: page.body.next_cursor });
  expect(next.body).toEqual({ ...body, expired: undefined, result: body.result });
});

test('200 with 200 concurrent writers, readers get every event once and in order', async () => {
  const { project, begun, owner } = await place();
  const users = await Promise.all(
    Array.from({ length: 20 }, () => world.user({ project, verified: true })),
  );
  const writers = Array.from({ length: 200 }, async (_, i) => {
    const change = await writeEvents(keys.user(users[i % 20]?.uid ?? owner.uid), [
      { type: 'session.ended', data: { session_id: owner.uid } },
    ]);
    return idsOf([change]);
  });
  const state = { writing: true };
  const feeding = (async () => {
    while (state.writing) await world.drainStream();
    await world.drainStream();
  })();
  const follow = async (limit: number) => {
    const ids: string[] = [];
    let cursor = String(begun);
    const step = async () => {
      const page = await list(project, { after: cursor, limit });
      // With 200 writers on a busy machine the table may time out, as the contract allows.
      if (page.status === 503) return { more: true };
      ids.push(...eventIds(page));
      cursor = page.body.next_cursor;
      return page.body;
    };
    while (state.writing) await step();
    await feeding;
    for (let more = true; more; ) ({ more } = await step());
    return ids;
  };
  const readers = [follow(3), follow(100)];
  const written = (await Promise.all(writers)).flat();
  state.writing = false;
  const [one = [], other] = await Promise.all(readers);
  expect(one).toEqual(other);
  expect(one).toEqual(await read(project, String(begun), 100));
  expect(new Set(one).size).toBe(one.length);
  expect(written.filter((id) => !one.includes(id))).toEqual([]);
});

test('400 for a cursor that is ahead of the feed', async () => {
  const { project, begun } = await place();
  expectInvalid(await list(project, { after: begun + 1 }), '/query/after');
});
