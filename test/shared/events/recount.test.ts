/** @module-tag engine */
import { expect, test } from 'vitest';
import { type Key, keys } from '#shared/db/keys.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const { runInRequest } = await import('#shared/db/request-context.ts');
const { ConditionFailed } = await import('#shared/db/change.ts');
const { beginRecount, endRecount, recountItem } = await import('#shared/events/recount.ts');
const work = <T>(run: () => Promise<T>) => runInRequest('recount', 60_000, run);
const begin = ({ project_id }: TestProject) => work(() => beginRecount(project_id));
const end = ({ project_id }: TestProject, begun: string) =>
  work(() => endRecount(project_id, begun));
const count = (key: Key) => work(() => recountItem(key));

async function totals(project: TestProject) {
  await world.drainStream();
  return (await world.as(project).stats.get({})).body.totals;
}

/** A project with users and a workspace as a release before 0.10.0 stored it. */
async function fromBefore() {
  const project = await world.newProject();
  const { project_id } = project;
  const [ada, grace] = [await world.user({ project }), await world.user({ project })];
  const engines = await world.workspace({ owner: ada });
  await world.member(engines, 'member', grace);
  await world.drainStream();
  const items = [keys.user(ada.uid), keys.user(grace.uid), keys.workspace(engines.workspace_id)];
  for (const { pk, sk } of await world.table.query(keys.statsTotals(project_id).pk))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  for (const key of [keys.feedHead(project_id), ...items.map(({ pk }) => keys.logHead(pk))]) {
    const { counted: _, active_days: __, ...rest } = (await world.table.get(key)) ?? {};
    await world.table.put({ ...key, ...rest });
  }
  return { project, ada, grace, engines, items };
}

test('items from before are counted once, even if counted repeatedly and concurrently', async () => {
  const { project, items } = await fromBefore();
  const begun = await begin(project);
  expect(await totals(project)).toBeUndefined();
  await Promise.all([...items, ...items].map(count));
  expect(await begin(project)).toBe(begun);
  for (const item of items) await count(item);
  await end(project, begun);
  expect(await totals(project)).toEqual({ users: 2, workspaces: 1, members: 2 });
});

test('changes in the meantime are counted once, before or after their item is counted', async () => {
  const { project, ada, grace, engines, items } = await fromBefore();
  const begun = await begin(project);
  const [first, second, place] = items as [Key, Key, Key];
  // In the table, but not yet in the feed.
  await world.member(engines);
  await world.as(project).users.delete({ uid: grace.uid });
  await count(place);
  await count(second);
  await world.drainStream();
  await count(second);
  await count(first);
  await world.session(ada.uid, project);
  await world.workspace({ owner: ada });
  await end(project, begun);
  expect(await totals(project)).toEqual({ users: 2, workspaces: 2, members: 3 });
});

test('an item without a log is counted once', async () => {
  const { project, items } = await fromBefore();
  const [, second] = items as [Key, Key];
  for (const { pk, sk } of await world.table.query(keys.logHead(second.pk).pk))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  const { event_count: _, events: __, ...bare } = (await world.table.get(second)) ?? {};
  await world.table.put({ ...second, ...bare });
  const begun = await begin(project);
  await Promise.all([second, second, ...items].map(count));
  await end(project, begun);
  expect(await totals(project)).toEqual({ users: 2, workspaces: 1, members: 2 });
  const { uid } = bare as { uid: string };
  await world.session(uid, project);
  await world.as(project).users.delete({ uid });
  expect((await totals(project))?.users).toBe(1);
});

test('a recount is incomplete if an older release has recorded events since it began', async () => {
  const { project, ada, items } = await fromBefore();
  const begun = await begin(project);
  for (const item of items) await count(item);
  await world.table.update(keys.feedHead(project.project_id), { counted: 1 });
  await world.session(ada.uid, project);
  expect(await totals(project)).toBeUndefined();
  await expect(end(project, begun)).rejects.toThrow(ConditionFailed);
  await end(project, await begin(project));
  expect(await totals(project)).toEqual({ users: 2, workspaces: 1, members: 2 });
});
