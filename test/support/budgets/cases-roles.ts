import type { TestProject, World } from '../world.ts';
import { budgetTools, type Cases, from } from './case.ts';

/** The permissions of a typical role. */
const usual = ['member:add', 'member:suspend', 'member:list-pending', 'event:list'];

/** Roles in a separate project: the cost of reading them depends on their number. */
function rolesIn(world: World) {
  let made: Promise<TestProject> | undefined;
  const project = () => (made ??= world.newProject());
  let count = 0;
  const name = (of: string) => {
    count += 1;
    return `${of}-${count}`;
  };
  const at = (path: string) => async () => {
    const { basic } = await project();
    // Lets the instance cache the project and its roles.
    await world.call('GET', '/roles', basic);
    return { path, basic };
  };
  return {
    project,
    name,
    async permission() {
      const path = `/permissions/invoice:${name('read')}`;
      await world.call('PUT', path, (await project()).basic, { description: 'See invoices' });
      return at(path)();
    },
    async role() {
      const path = `/roles/${name('role')}`;
      const body = { name: 'Clerk', permissions: usual };
      await world.call('PUT', path, (await project()).basic, body);
      return at(path)();
    },
  };
}

/** Permissions and roles of a project. */
export function roleCases(world: World) {
  const { call } = budgetTools(world);
  const { name, permission, role } = rolesIn(world);
  const description = 'See reports';
  return {
    'permissions.list': {
      Basic: from(permission, ({ basic }) => call('GET /permissions', basic)),
    },
    'permissions.get': {
      Basic: from(permission, ({ path, basic }) => call(`GET ${path}`, basic)),
    },
    'permissions.set': {
      'Basic, new': from(permission, ({ basic }) =>
        call(`PUT /permissions/report:${name('read')}`, basic, { description }),
      ),
      Basic: from(permission, ({ path, basic }) => call(`PUT ${path}`, basic, { description })),
    },
    'permissions.delete': {
      Basic: from(permission, ({ path, basic }) => call(`DELETE ${path}`, basic)),
    },
    'roles.list': { Basic: from(role, ({ basic }) => call('GET /roles', basic)) },
    'roles.get': { Basic: from(role, ({ path, basic }) => call(`GET ${path}`, basic)) },
    'roles.set': {
      'Basic, new': from(role, ({ basic }) =>
        call(`PUT /roles/${name('role')}`, basic, { name: 'Auditor', permissions: usual }),
      ),
      Basic: from(role, ({ path, basic }) => call(`PUT ${path}`, basic, { permissions: usual })),
    },
    'roles.delete': { Basic: from(role, ({ path, basic }) => call(`DELETE ${path}`, basic)) },
  } satisfies Cases;
}

/** Roles of a workspace, and requests of members who have one. */
export function ownRoleCases(world: World) {
  const { at, call } = budgetTools(world);
  let made: Promise<TestProject> | undefined;
  const place = async () => {
    const project = await (made ??= world.newProject({ workspace_roles: true }));
    // Lets the instance cache the project, and that it defines roles.
    await world.call('PUT', '/roles/clerk', project.basic, { permissions: usual });
    const one = await world.workspace({ owner: await world.user({ project }) });
    await world.call(at(one, 'PUT /roles/ws-editor', project.basic, { permissions: usual }));
    return one;
  };
  const withMember = async () => {
    const one = await place();
    return { one, member: await world.member(one, 'ws-editor') };
  };
  const body = { permissions: ['event:list'] };
  type Place = Awaited<ReturnType<typeof place>>;
  const both = (make: (one: Place, auth: string) => ReturnType<typeof at>) => ({
    Basic: from(place, (one) => make(one, one.owner.project.basic)),
    Bearer: from(place, (one) => make(one, one.owner.bearer)),
  });
  return {
    'workspaceRoles.get': both((one, auth) => at(one, 'GET /roles/ws-editor', auth)),
    'workspaceRoles.set': {
      ...both((one, auth) => at(one, 'PUT /roles/ws-editor', auth, body)),
      'Bearer, new': from(place, (one) => at(one, 'PUT /roles/ws-new', one.owner.bearer, body)),
    },
    'workspaceRoles.delete': both((one, auth) => at(one, 'DELETE /roles/ws-editor', auth)),
    'permissions.check': {
      "Basic, by a role of the workspace's own": from(withMember, ({ one, member }) =>
        call('POST /permissions/check', member.project.basic, {
          checks: [
            { workspace_id: one.workspace_id, user_id: member.uid, permissions: ['event:list'] },
          ],
        }),
      ),
    },
    'members.suspend': {
      "Bearer, by a role of the workspace's own": from(withMember, async ({ one, member }) => {
        const { uid } = await world.member(one, 'member');
        const to = `PUT /users/${uid}/suspension`;
        return at(one, to, member.bearer, { suspended: true });
      }),
    },
  } satisfies Cases;
}

/** Requests of members with a role of the project, on an instance that has cached the project's roles. */
export function casesByRole(world: World) {
  const { at, call } = budgetTools(world);
  const withRole = async () => {
    // One project for each case: a role that another case creates would change the measured cost.
    const { project, role } = rolesIn(world);
    const { path } = await role();
    const ofProject = { project: await project(), verified: true };
    const place = await world.workspace({ owner: await world.user(ofProject) });
    const manager = await world.member(
      place,
      path.slice('/roles/'.length),
      await world.user(ofProject),
    );
    return { place, manager };
  };
  const check = (workspace_id: string) => ({
    checks: Array.from({ length: 10 }, () => ({
      ...{ workspace_id, permissions: ['member:add', 'event:list'] },
    })),
  });
  return {
    'permissions.check': {
      'Basic, 10 users of a workspace': from(withRole, async ({ place, manager }) => {
        const checks = [];
        for (let i = 0; i < 10; i += 1) {
          const { uid: user_id } = await world.member(place, 'member');
          checks.push({ ...check(place.workspace_id).checks[0], user_id });
        }
        return call('POST /permissions/check', manager.project.basic, { checks });
      }),
      Bearer: from(withRole, ({ place, manager }) =>
        call('POST /permissions/check', manager.bearer, check(place.workspace_id)),
      ),
    },
    'permissions.listOfCaller': {
      Bearer: from(withRole, ({ place, manager }) => at(place, 'GET /permissions', manager.bearer)),
    },
    'roles.listOfWorkspace': {
      Basic: from(withRole, ({ place, manager }) => at(place, 'GET /roles', manager.project.basic)),
      Bearer: from(withRole, ({ place, manager }) => at(place, 'GET /roles', manager.bearer)),
    },
    'members.list': {
      'Bearer, pending, by a role of the project': from(withRole, ({ place, manager }) =>
        at(place, 'GET /users?status=pending', manager.bearer),
      ),
    },
    'members.suspend': {
      'Bearer, by a role of the project': from(withRole, async ({ place, manager }) => {
        const { uid } = await world.member(place, 'member');
        const to = `PUT /users/${uid}/suspension`;
        return at(place, to, manager.bearer, { suspended: true });
      }),
    },
  } satisfies Cases;
}
