import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { isForMembers } from '#shared/contract/route.ts';
import { expectProblem } from '../support/expectations.ts';
import { factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

/** What a workspace that requires a second factor rejects, tested for every route of its members. */

// A service of its own: the table is compared whole, twice for each route, and that of a worker holds what forty files
// made.
const world = await startWorld({});
const call = routeCaller(world);
const ours = await factorProject(world);
const owner = await ours.signUp('owner@mfa.example.com');
const { workspace_id } = await world.workspace({ owner });
const setting = { require_mfa: true };
await world.call('PUT', `/workspaces/${workspace_id}`, ours.project.basic, setting);

/** The session of somebody who then adds an app stays what it was: they show it in the next one. */
const { app } = await ours.enrol(owner, { current_password: goodPassword });
const first = await ours.byPassword('owner@mfa.example.com');
const second = await ours.finish(first.body, { code: app.code() });
const strong = `Bearer ${second.body.access_token}`;

// An offer is hidden from the owner: test/shared/workspaces/second-factor.test.ts asks who it is for.
const ofMembers = routes.filter(
  (route) => isForMembers(route) && route.name !== 'ownership.accept',
);

const called = (route: (typeof routes)[number], auth: string) => {
  const { params, ...sample } = sampleOf(route);
  // Nothing of the sample is to be refused before.
  const body = route.body?.safeParse({}).success ? {} : sample.body;
  return call(route, { ...sample, params: { ...params, workspace_id }, body, auth });
};

test('every route that names a workspace in its path is one, but those of backends and of who wants to join', () => {
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

// One after another: the last with a second factor may delete the workspace.
for (const route of ofMembers)
  test(`${route.name}: 403 to the owner with one factor, and nothing is written`, async () => {
    const before = await world.table.all();
    expectProblem(await called(route, owner.bearer), 'mfa_required');
    expect(await world.table.all()).toEqual(before);
  });

for (const route of ofMembers.filter(({ name }) => name !== 'workspaces.delete'))
  test(`${route.name}: not with two`, async () => {
    const { body } = await called(route, strong);
    expect(body.code).not.toBe('mfa_required');
  });
