import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { main } from '../../bin/backfill-counts.ts';
import { startWorld, type World } from '../support/world.ts';
import { expectInHelp, recordActions } from './recorded-actions.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const { operate, used } = await recordActions();
const backfill = () => operate('bin/backfill-counts.ts');

const countsOf = async ({ uid }: { uid: string }) => {
  const { workspace_count, owned_workspace_count } = (await world.table.get(keys.user(uid))) ?? {};
  return [workspace_count, owned_workspace_count];
};

test('counts the workspaces of users without counts, and changes no other user', async () => {
  const owner = await world.user();
  const member = await world.user();
  const uncounted = await world.user();
  const first = await world.workspace({ owner });
  await world.workspace({ owner });
  await world.member(first, 'member', member);
  // The counts that a version before 0.4.0 left, after changes by later versions.
  const before = { workspace_count: -999_998, owned_workspace_count: -999_998 };
  await world.table.update(keys.user(owner.uid), before);
  const none = { workspace_count: undefined, owned_workspace_count: undefined };
  await world.table.update(keys.user(uncounted.uid), none);
  const { stdout, stderr, code } = await backfill();
  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toBe('Counted the workspaces of 2 users; every user now has counts.\n');
  expect(await countsOf(owner)).toEqual([2, 2]);
  expect(await countsOf(member)).toEqual([1, 0]);
  expect(await countsOf(uncounted)).toEqual([0, 0]);
});

test('a user whose counts are wrong can be deleted after the steps of the runbook', async () => {
  const runbook = readFileSync(new URL('../../docs/operate/runbook.md', import.meta.url), 'utf8');
  const [step] = /If 503 repeats again and again, .*/.exec(runbook) ?? [];
  const { uid } = await world.user();
  const remove = () => world.as(world.project).users.delete({ uid });
  const none = { workspace_count: undefined, owned_workspace_count: undefined };
  for (const name of Object.keys(none)) expect(step).toContain(`\`${name}\``);
  await world.table.update(keys.user(uid), none);
  expect((await remove()).status).toBe(503);
  expect(step).toContain('npm run backfill:counts -- --stack STACK');
  await backfill();
  expect((await remove()).status).toBe(200);
});

test('--help names exactly the permissions that the command needs', () => expectInHelp(main, used));
