import { deepEqual, equal, ok } from 'node:assert/strict';
import type { World } from '../world.ts';
import { fails } from './accounts.ts';
import type { Team } from './workspaces.ts';

/** Permissions and roles of a project, from their definition to their deletion. */
export async function roles(world: World, { workspace_id, owner, member }: Team): Promise<void> {
  const { checks, backend } = world;
  const permission = 'invoice:read';
  const role = 'accountant';
  const of = { workspace_id, user_id: member.uid };
  await checks.check('a project defines permissions and roles', async () => {
    await backend.permissions.set({ permission, description: 'See invoices' });
    equal((await backend.permissions.get({ permission })).body.description, 'See invoices');
    ok((await backend.permissions.list({})).body.result.some((each) => each.built_in));
    await backend.roles.set({ role, permissions: [permission, 'event:list'] });
    deepEqual((await backend.roles.get({ role })).body.permissions, ['event:list', permission]);
    equal((await backend.roles.list({})).body.total, 4);
  });
  await checks.check('a member may do what the role permits, and nothing else', async () => {
    const before = (await owner.client.members.get(of)).body.role;
    equal((await owner.client.members.changeRole({ ...of, role })).body.role, role);
    await member.client.events.listOfWorkspace({ workspace_id });
    await fails(member.client.invitations.list({ workspace_id }), 403);
    const { body: own } = await member.client.permissions.listOfCaller({ workspace_id });
    ok(own.role === role && own.permissions.includes(permission));
    const permissions = [permission, 'workspace:update'];
    const { body } = await backend.permissions.check({ checks: [{ ...of, permissions }] });
    deepEqual(body.results, [{ allowed: false, role, missing: ['workspace:update'] }]);
    const { body: choice } = await owner.client.roles.listOfWorkspace({ workspace_id });
    ok(choice.result.every(({ assignable }) => assignable));
    await fails(backend.roles.delete({ role }), 409);
    await owner.client.members.changeRole({ ...of, role: before });
  });
  await checks.check(
    'a workspace defines roles of its own, within the permissions of their author',
    async () => {
      const own = 'ws-editor';
      const { client } = owner;
      const at = { workspace_id, role: own };
      await client.workspaceRoles.set({ ...at, name: 'Editor', permissions: ['event:list'] });
      const before = (await client.members.get(of)).body.role;
      await client.members.changeRole({ ...of, role: own });
      await member.client.events.listOfWorkspace({ workspace_id });
      await fails(member.client.workspaceRoles.set({ ...at, permissions: [] }), 403);
      deepEqual((await member.client.workspaceRoles.get(at)).body.permissions, ['event:list']);
      const { body: choice } = await client.roles.listOfWorkspace({ workspace_id });
      deepEqual(
        choice.result.filter((each) => each.own).map((each) => each.role),
        [own],
      );
      await fails(backend.roles.set({ role: own, permissions: [] }), 400);
      await backend.workspaceRoles.set({ ...at, permissions: [] });
      await fails(member.client.events.listOfWorkspace({ workspace_id }), 403);
      await client.members.changeRole({ ...of, role: before });
      await client.workspaceRoles.delete(at);
    },
  );
  await checks.check('the permissions and roles are deleted when no member has them', async () => {
    await fails(backend.permissions.delete({ permission }), 409);
    await backend.roles.delete({ role });
    await backend.permissions.delete({ permission });
  });
}
