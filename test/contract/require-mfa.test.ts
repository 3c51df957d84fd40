import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { isForMembers } from '#shared/contract/route.ts';
import { expectProblem } from '../support/expectations.ts';
import { factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

/** Rejections in a workspace that requires a second factor, tested for every route of its members. */

// A separate service, because the whole table is compared twice for each route, and a worker's shared table has the
// items of forty files.
const world = await startWorld({});
const call = routeCaller(world);
const ours = await factorProject(world);
const owner = await ours.signUp('owner@mfa.example.com');
const { workspace_id } = await world.workspace({ owner });
const setting = { require_mfa: true };
await world.call('PUT', `/workspaces/${workspace_id}`, ours.project.basic, setting);

/** Adding an app does not upgrade the current session: the second factor counts from the next session on. */
const { app } = await ours.enrol(owner, { current_password: goodPassword });
const first = await ours.byPassword('owner@mfa.example.com');
const second = await ours.finish(first.body, { code: app.code() });
const strong = `Bearer ${second.body.access_token}`;

// An offer is hidden from the owner: test/shared/workspaces/second-factor.test.ts tests its recipient.
const ofMembers = routes.filter(
  (route) => isForMembers(route) && route.name !== 'ownership.accept',
);

const called = (route: (typeof routes)[number], auth: string) => {
  const { params, ...sample } = sampleOf(route);
  // No other part of the sample must be rejected first.
  const body = route.body?.safeParse({}).success ? {} : sample.body;
  return call(route, { ...sample, params: { ...params, workspace_id }, body, auth });
};

test('every route with a workspace in its path requires it, except those of backends and of users who want to join', () => {
  const others = routes.filter(
    (route) => route.path.includes('{workspace_id}') && !isForMembers(route),
  );
  expect(others.map(({ name }) => name).toSorted()).toEqual([
    'joinRequests.create',
    'members.mergeMetadata',
    'members.setMetadata',
    'workspaces.mergeMetadata',
    'workspaces.setMetadata',
  ]);
});

// Sequential, because the last call with a second factor may delete the workspace.
for (const route of ofMembers)
  test(`${route.name}: 403 for the owner with one factor, and nothing is written`, async () => {
    const before = await world.table.all();
    expectProblem(await called(route, owner.bearer), 'mfa_required');
    expect(await world.table.all()).toEqual(before);
  });

for (const route of ofMembers.filter(({ name }) => name !== 'workspaces.delete'))
  test(`${route.name}: is allowed with two factors`, async () => {
    const { body } = await called(route, strong);
    expect(body.code).not.toBe('mfa_required');
  });
