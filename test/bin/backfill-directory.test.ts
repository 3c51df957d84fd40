import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { main } from '../../bin/backfill-directory.ts';
import { startWorld } from '../support/world.ts';
import { expectInHelp, recordActions } from './recorded-actions.ts';

const world = await startWorld({});

const { operate, used } = await recordActions();
const backfill = () => operate('bin/backfill-directory.ts');

test('adds the totals of a project from an older release, and a second run keeps them', async () => {
  const project = await world.newProject();
  const owner = await world.user({ project });
  const { workspace_id } = await world.workspace({ owner });
  await world.drainStream();
  // The state left by a release without counts.
  const { pk } = keys.statsTotals(project.project_id);
  for (const item of await world.table.query(pk))
    await world.table.delete({ pk: String(item.pk), sk: String(item.sk) });
  const heads = [keys.user(owner.uid), keys.workspace(workspace_id)];
  for (const key of [
    keys.feedHead(project.project_id),
    ...heads.map((each) => keys.logHead(each.pk)),
  ]) {
    const { counted: _, active_days: __, ...rest } = (await world.table.get(key)) ?? {};
    await world.table.put({ ...key, ...rest });
  }
  const totals = async () => (await world.as(project).stats.get({})).body.totals;
  await world.user({ project });
  await world.drainStream();
  expect(await totals()).toBeUndefined();
  for (let times = 0; times < 2; times += 1) {
    const { stdout, code } = await backfill();
    expect([code, stdout]).toEqual([
      0,
      'Listed and counted 3 users and workspaces of 2 projects.\n',
    ]);
    expect(await totals()).toEqual({ users: 2, workspaces: 1, members: 1 });
  }
});

test('adds users and workspaces from an older release to lists and search, without deleted ones', async () => {
  const project = await world.newProject();
  const owner = await world.user({ project, display_name: 'Ada' });
  const { workspace_id } = await world.workspace({ owner, name: 'Acme' });
  const gone = await world.user({ project });
  const api = world.as(project);
  await world.drainStream();
  // The state left by an older release.
  for (const item of await world.table.all())
    if (String(item['pk']).startsWith('DIRECTORY#'))
      await world.table.delete({ pk: String(item['pk']), sk: String(item['sk']) });
  await api.users.delete({ uid: gone.uid });
  await world.drainStream();
  expect((await api.users.list()).body.result).toEqual([]);
  expect((await api.users.list({ query: 'ada' })).body.result).toEqual([]);
  for (let times = 0; times < 2; times += 1) {
    expect((await backfill()).code).toBe(0);
    await world.drainStream();
    for (const query of [{}, { query: 'ada' }])
      expect((await api.users.list(query)).body.result).toMatchObject([{ uid: owner.uid }]);
    for (const query of [{}, { query: 'acme' }])
      expect((await api.workspaces.list(query)).body.result).toMatchObject([{ workspace_id }]);
  }
});

test('--help names exactly the permissions that the command needs', () => expectInHelp(main, used));
