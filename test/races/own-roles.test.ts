import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { ownRoleTools } from '../support/own-roles.ts';

/** Two admins define a role with the same name: the second between the reads and the write of the first. */
const { faults, world } = await startFaultyWorld();
const tools = await ownRoleTools(world);
let workspace_id: string;
let admins: Parameters<typeof world.as>[0][];
beforeAll(() => tools.permission('invoice:read', 'invoice:pay'));
beforeEach(async () => {
  const place = await tools.workspace();
  ({ workspace_id } = place);
  admins = [place.owner, tools.project];
});

const roles = ({ workspaceRoles }: ReturnType<typeof world.as>) => workspaceRoles;
const define = (by: number, permissions: string[], role = 'ws-clerk') =>
  roles(world.as(admins[by] ?? '')).set({ workspace_id, role, permissions });
const defined = async (role = 'ws-clerk') =>
  (await roles(world.as(tools.project)).get({ workspace_id, role })).body.permissions;
const between = (work: () => Promise<{ status: number }>) =>
  faults.beforeWrite(async () => expect((await work()).status).toBeLessThan(300));

test('one of two concurrent different definitions wins, and the other gets 412', async () => {
  between(() => define(1, ['invoice:pay']));
  const late = await define(0, ['invoice:read']);
  const detail = expect.stringMatching(/^Somebody else has just defined this role/);
  expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed', detail } });
  expect(await defined()).toEqual(['invoice:pay']);
  // An admin who has read it can replace it.
  expect((await define(0, ['invoice:read'])).status).toBe(200);
  expect(await defined()).toEqual(['invoice:read']);
});

test('two concurrent equal definitions both succeed', async () => {
  between(() => define(1, ['invoice:read']));
  expect((await define(0, ['invoice:read'])).status).toBe(200);
  expect(await defined()).toEqual(['invoice:read']);
});

test('concurrent definitions of two roles are both stored', async () => {
  between(() => define(1, ['invoice:pay'], 'ws-payer'));
  expect((await define(0, ['invoice:read'])).status).toBe(201);
  expect([await defined(), await defined('ws-payer')]).toEqual([['invoice:read'], ['invoice:pay']]);
});
