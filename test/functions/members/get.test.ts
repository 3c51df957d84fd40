import { expect, test } from 'vitest';
import {
  aMember,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
  nowhere,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const get = (workspace_id: string, uid: string, auth = project.basic) =>
  world.call('GET', `/workspaces/${workspace_id}/users/${uid}`, auth);

test('200 a member, to the back end and to every member', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const [ada, admin] = [await world.member(workspace), await world.member(workspace, 'admin')];
  for (const auth of [project.basic, owner.bearer, admin.bearer, ada.bearer]) {
    const { status, body } = await get(workspace_id, ada.uid, auth);
    expect([status, body]).toEqual([200, ada.member]);
  }
  expect((await get(workspace_id, owner.uid, ada.bearer)).body).toEqual(
    aMember(workspace_id, owner.user, owner.user, { role: 'admin' }),
  );
});

test('200 a suspended one, as such', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace);
  const path = `/workspaces/${workspace_id}/users/${ada.uid}/suspension`;
  const { body: suspended } = await world.call('PUT', path, owner.bearer, { suspended: true });
  const { body } = await get(workspace_id, ada.uid, owner.bearer);
  expect(body).toEqual(suspended);
  expect(body.suspended).toBe(true);
});

test('404 for whoever is no member: invited only, gone, of elsewhere, nobody', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const gone = await world.member(workspace);
  await world.call('DELETE', `/workspaces/${workspace_id}/users/${gone.uid}`, gone.bearer);
  const invited = await world.invited(workspace);
  const elsewhere = await world.member(await world.workspace());
  for (const auth of [project.basic, owner.bearer]) {
    const answer = await get(workspace_id, nobody, auth);
    expectProblem(answer, 'not_found');
    for (const { uid } of [gone, invited, elsewhere])
      expectSame(answer, await get(workspace_id, uid, auth));
  }
});

test('404 for strangers, the invited and the suspended: the very answer of a missing workspace', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const suspended = await world.member(workspace, 'admin');
  const path = `/workspaces/${workspace_id}/users/${suspended.uid}/suspension`;
  await world.call('PUT', path, owner.bearer, { suspended: true });
  const foreign = await world.newProject();
  const people = [await world.user(), await world.invited(workspace, 'admin'), suspended];
  for (const auth of [foreign.basic, ...people.map(({ bearer }) => bearer)]) {
    const answer = await get(workspace_id, owner.uid, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await get(nowhere, nobody, auth));
  }
  // Not even of themself.
  expectProblem(await get(workspace_id, suspended.uid, suspended.bearer), 'not_found');
});

test('400 for ids that are none; 401 without a credential', async () => {
  expectInvalid(await get('x', 'y'), '/path/workspace_id', '/path/user_id');
  const path = `/workspaces/${nowhere}/users/${nobody}`;
  expectProblem(await world.call('GET', path), 'unauthenticated');
});
