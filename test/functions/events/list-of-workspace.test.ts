import { expect, test } from 'vitest';
import { keys } from '#shared/db/schema.ts';
import { chainHash } from '#shared/events/hash-chain.ts';
import { storyteller } from '../../support/append-events.ts';
import {
  anId,
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { tell } = await storyteller(world);
const { project } = world;
type Entry = {
  number: number;
  event: { type: string; data: object };
  hash: string;
  previous_hash: string;
};
type Page = {
  count: number;
  result: Entry[];
  next_cursor: string;
  more: boolean;
  expired?: number;
};
const list = (
  workspace_id: string,
  query: Record<string, string | number> = {},
  auth = project.basic,
) => world.call<Page>('GET', `/workspaces/${workspace_id}/events`, auth, undefined, { query });

/** A workspace whose name changed so many times, all recorded. */
async function place(changes = 3) {
  const workspace = await world.workspace();
  for (let i = 0; i < changes; i += 1)
    await tell(keys.workspace(workspace.workspace_id), [{ type: 'workspace.updated' }], {
      name: `Name ${i}`,
    });
  await world.drainStream();
  return workspace;
}

test('200 the events of the workspace alone, oldest first, each chained to the one before', async () => {
  const { workspace_id } = await place();
  await place();
  const { status, body } = await list(workspace_id);
  expect(status).toBe(200);
  const { result } = body;
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
    // What the answer shows is exactly what was hashed.
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

test('200 to the managers; pages of any length', async () => {
  const workspace = await place(5);
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  await world.drainStream();
  const whole = (await list(workspace_id)).body;
  for (const { bearer } of [owner, admin])
    expect((await list(workspace_id, {}, bearer)).body).toEqual(whole);
  for (const limit of [1, 4]) {
    const seen: Entry[] = [];
    let page: Page;
    let cursor = '0';
    do {
      page = (await list(workspace_id, { after: cursor, limit }, admin.bearer)).body;
      seen.push(...page.result);
      cursor = page.next_cursor;
    } while (page.more);
    expect(seen).toEqual(whole.result);
  }
});

test('403 to a member', async () => {
  const workspace = await place(0);
  const { bearer } = await world.member(workspace);
  expectProblem(await list(workspace.workspace_id, {}, bearer), 'forbidden');
});

test('404 to strangers and the invited: the very answer of a missing one', async () => {
  const workspace = await place(0);
  const foreign = await world.newProject();
  const stranger = await world.user();
  const invited = await world.invited(workspace);
  for (const auth of [foreign.basic, stranger.bearer, invited.bearer]) {
    const answer = await list(workspace.workspace_id, {}, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await list(nowhere, {}, auth));
  }
});

test('200 of a new workspace, whose first events are on their way: nothing yet', async () => {
  const { workspace_id } = await world.workspace();
  expect((await list(workspace_id)).body).toEqual({
    count: 0,
    result: [],
    next_cursor: '0',
    more: false,
  });
});

test('a deleted workspace: its log stays open to the back end, purged or not, and to nobody else', async () => {
  const { workspace_id, owner } = await place();
  const path = `/workspaces/${workspace_id}`;
  expect((await world.call('DELETE', path, project.basic)).status).toBe(200);
  await world.drainStream();
  const { body } = await list(workspace_id);
  expect(body.result.at(-1)?.event.type).toBe('workspace.deleted');
  expectProblem(await list(workspace_id, {}, owner.bearer), 'not_found');
  await world.table.delete(keys.workspace(workspace_id));
  expect((await list(workspace_id)).body).toEqual(body);
  const foreign = await world.newProject();
  expectProblem(await list(workspace_id, {}, foreign.basic), 'not_found');
});

test('400 names every wrong parameter, and a cursor that is ahead of the log', async () => {
  const { workspace_id } = await place(1);
  expectInvalid(
    await list('x', { after: '-1', limit: 0, offset: 1 }),
    '/path/workspace_id',
    '/query/after',
    '/query/limit',
    '/query/offset',
  );
  const { body } = await list(workspace_id);
  expectInvalid(await list(workspace_id, { after: Number(body.next_cursor) + 1 }), '/query/after');
});

test('401 without a credential', async () => {
  const { workspace_id } = await place(0);
  expectProblem(await world.call('GET', `/workspaces/${workspace_id}/events`), 'unauthenticated');
});
