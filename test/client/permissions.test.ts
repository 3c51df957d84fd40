import { expect, test } from 'vitest';
import { createCookieAuth } from '../../client/cookie-session.ts';
import { createCan } from '../../client/permissions.ts';
import { unknownWorkspaceId } from '../support/expectations.ts';
import { roleTools } from '../support/roles.ts';
import { startWorld } from '../support/world.ts';
import { authScene } from './auth/scene.ts';

const world = await startWorld();
const { ours, tab, signIn } = await authScene(world);
const { project } = ours;
const { define } = roleTools(world, project);
const asBackend = world.as(project);
const checkPath = '/permissions/check';

/** A user in a tab, and a workspace where the user's role has these permissions. */
async function scene(role: string, permissions: string[]) {
  await define(role, permissions);
  const one = tab();
  await signIn(one);
  const uid = one.auth.session?.uid ?? '';
  const { workspace_id } = await world.workspace({ owner: await world.user({ project }) });
  await asBackend.members.add({ workspace_id, user_id: uid, role });
  one.calls.length = 0;
  const checks = () => one.calls.filter(({ path }) => path === checkPath).length;
  return { ...one, uid, workspace_id, can: createCan(one.auth), checks };
}

test('for the active workspace the access token decides, with the permissions at its time of issue', async () => {
  const { auth, can, calls, workspace_id } = await scene('reader', ['invoice:read']);
  await auth.selectWorkspace(workspace_id);
  calls.length = 0;
  expect(await can('invoice:read')).toBe(true);
  expect(await can('invoice:read', workspace_id)).toBe(true);
  expect(await can(['invoice:read', 'workspace:read'])).toBe(true);
  expect(await can(['invoice:read', 'workspace:update'])).toBe(false);
  expect(await can([])).toBe(false);
  await define('reader', []);
  expect(await can('invoice:read')).toBe(true);
  expect(calls).toEqual([]);
  // A new token reflects the current permissions.
  await auth.selectWorkspace(workspace_id);
  expect(await can('invoice:read')).toBe(false);
});

test('for another workspace concurrent checks share one request, and no result is cached', async () => {
  const { can, checks, workspace_id } = await scene('payer', ['invoice:pay']);
  const all = await Promise.all([
    can('invoice:pay', workspace_id),
    can('invoice:pay', workspace_id),
    can(['invoice:pay', 'workspace:read'], workspace_id),
    can(['invoice:pay', 'workspace:update'], workspace_id),
    can('workspace:read', unknownWorkspaceId),
  ]);
  expect(all).toEqual([true, true, true, false, false]);
  expect(checks()).toBe(1);
  await define('payer', []);
  expect(await can('invoice:pay', workspace_id)).toBe(false);
  expect(checks()).toBe(2);
});

test('a check that is repeated before its response shares the request', async () => {
  const { can, checks, network, workspace_id } = await scene('sender', ['invoice:send']);
  let again: Promise<boolean> | undefined;
  network.hook = (send) => {
    again ??= can('invoice:send', workspace_id);
    return send();
  };
  expect(await can('invoice:send', workspace_id)).toBe(true);
  expect(await again).toBe(true);
  expect(checks()).toBe(1);
});

test('more checks than a request can hold are sent in several requests', async () => {
  const { can, checks, workspace_id } = await scene('all', ['invoice:list']);
  const many = Array.from({ length: 60 }, (_, i) => can(`invoice:list${i}`, workspace_id));
  const last = can('invoice:list', workspace_id);
  expect(await Promise.all(many)).not.toContain(true);
  expect(await last).toBe(true);
  expect(checks()).toBe(2);
});

test('if the permissions do not fit into the token, the service is asked about the active workspace', async () => {
  const permissions = Array.from({ length: 40 }, (_, i) => `a-resource-with-a-long-name:read-${i}`);
  const { auth, can, checks, workspace_id } = await scene('everything', permissions);
  await auth.selectWorkspace(workspace_id);
  expect(await can(permissions)).toBe(true);
  expect(await can([...permissions, 'workspace:update'])).toBe(false);
  expect(checks()).toBe(2);
});

test('false without a session, without an active workspace, or for an invalid name', async () => {
  const { auth, can, calls, workspace_id } = await scene('visitor', ['invoice:read']);
  expect(await can('invoice:read')).toBe(false);
  expect(await can('Invoice', workspace_id)).toBe(false);
  expect(await can('invoice:read', '../users/me')).toBe(false);
  expect(await can([], workspace_id)).toBe(false);
  await auth.signOut();
  calls.length = 0;
  expect(await can('invoice:read', workspace_id)).toBe(false);
  expect(calls).toEqual([]);
  const atBackend = createCookieAuth({ url: world.url, tabs: false });
  expect(await createCan(atBackend)('invoice:read', workspace_id)).toBe(false);
});

test('all pending checks fail if the service refuses, and the next check sends a new request', async () => {
  const { can, network, workspace_id } = await scene('unlucky', ['invoice:read']);
  network.hook = async () => Response.json({ code: 'forbidden' }, { status: 403 });
  const checks = [can('invoice:read', workspace_id), can('workspace:read', workspace_id)];
  for (const each of await Promise.allSettled(checks))
    expect(each).toMatchObject({ status: 'rejected', reason: { status: 403 } });
  network.hook = undefined;
  expect(await can('invoice:read', workspace_id)).toBe(true);
});

test('a result is never for a user who signed in after the check', async () => {
  const one = await scene('first', ['invoice:read']);
  const check = one.can('invoice:read', one.workspace_id);
  await signIn(one);
  // Either the request was sent in time, or the service does not answer the second user about the first.
  expect(await check.catch(() => 'refused')).not.toBe(false);
  expect(await one.can('invoice:read', one.workspace_id)).toBe(false);
});
