import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { chainHash } from '#shared/events/hash-chain.ts';
import { eventWriter } from '../../support/append-events.ts';
import { anId, aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import type { Caller } from '../../support/routes.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { writeEvents } = await eventWriter(world);
const { project } = world;
type Entry = {
  number: number;
  event: { type: string; data: object };
  hash: string;
  previous_hash: string;
};
const list = (workspace_id: string, who: Caller = project, query: object = {}) =>
  world.as(who).events.listOfWorkspace({ workspace_id, ...query });

/** A workspace whose name changed so many times, all recorded. */
async function place(changes = 3) {
  const workspace = await world.workspace();
  for (let i = 0; i < changes; i += 1)
    await writeEvents(keys.workspace(workspace.workspace_id), [{ type: 'workspace.updated' }], {
      name: `Name ${i}`,
    });
  await world.drainStream();
  return workspace;
}

test('200 lists only the events of the workspace, oldest first, each with the hash of the previous one', async () => {
  const { workspace_id } = await place();
  await place();
  const { status, body } = await list(workspace_id);
  expect(status).toBe(200);
  const result: Entry[] = body.result;
  expect(result.slice(-3).map(({ event }) => event)).toMatchObject(
    [0, 1, 2].map((i) => ({
      id: anId('evt-'),
      type: 'workspace.updated',
      time: aTime(),
      project_id: project.project_id,
      workspace_id,
      actor: { kind: 'key', id: 'k1' },
      data: { workspace: { workspace_id, name: `Name ${i}` } },
    })),
  );
  expect(result.map(({ number }) => number)).toEqual(result.map((_, i) => i + 1));
  let previous_hash = '';
  for (const { number, event, hash, previous_hash: given } of result) {
    expect(given).toBe(previous_hash);
    // The hash covers exactly the entry that the response shows.
    expect(hash).toBe(chainHash({ number, event, previous_hash }));
    previous_hash = hash;
  }
  expect(body).toEqual({
    count: result.length,
    result,
    next_cursor: String(result.length),
    more: false,
  });
});

test('200 for the owner, an admin and the backend, in pages of any length', async () => {
  const workspace = await place(5);
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  await world.drainStream();
  const whole = (await list(workspace_id)).body;
  for (const manager of [owner, admin])
    expect((await list(workspace_id, manager)).body).toEqual(whole);
  for (const limit of [1, 4]) {
    const seen: Entry[] = [];
    for (let page = { more: true, next_cursor: '0' }; page.more; ) {
      const { body } = await list(workspace_id, admin, { after: page.next_cursor, limit });
      seen.push(...body.result);
      page = body;
    }
    expect(seen).toEqual(whole.result);
  }
});

test('200 with an empty list for a new workspace whose first events are not published yet', async () => {
  const { workspace_id } = await world.workspace();
  expect((await list(workspace_id)).body).toEqual({
    count: 0,
    result: [],
    next_cursor: '0',
    more: false,
  });
});

test('the log of a deleted workspace stays readable for the backend, even once purged, and for nobody else', async () => {
  const { workspace_id, owner } = await place();
  expect((await world.as(project).workspaces.delete({ workspace_id })).status).toBe(200);
  await world.drainStream();
  const { body } = await list(workspace_id);
  expect(body.result.at(-1)?.event.type).toBe('workspace.deleted');
  expectProblem(await list(workspace_id, owner), 'not_found');
  await world.table.delete(keys.workspace(workspace_id));
  expect((await list(workspace_id)).body).toEqual(body);
  expectProblem(await list(workspace_id, await world.newProject()), 'not_found');
});

test('200 once all events have expired: a cursor continues at the end, and then at the first new event', async () => {
  const { workspace_id } = await place(1);
  const { pk } = keys.workspace(workspace_id);
  const end = Number((await list(workspace_id)).body.next_cursor);
  for (let number = 1; number <= end; number += 1)
    await world.table.delete(keys.logEntry(pk, number));
  const gone = { count: 0, result: [], next_cursor: `${end}`, more: false };
  expect((await list(workspace_id, project, { after: 1 })).body).toEqual({
    ...gone,
    expired: end - 1,
  });
  await writeEvents(keys.workspace(workspace_id), [{ type: 'workspace.updated' }], { name: 'New' });
  await world.drainStream();
  const { body } = await list(workspace_id, project);
  expect(body).toMatchObject({ count: 1, more: false, expired: end });
  expect(body.result[0].number).toBe(end + 1);
});

test('400 for a cursor that is ahead of the log', async () => {
  const { workspace_id } = await place(1);
  const { body } = await list(workspace_id);
  const after = Number(body.next_cursor) + 1;
  expectInvalid(await list(workspace_id, project, { after }), '/query/after');
});
