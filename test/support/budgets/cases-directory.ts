import { keys } from '../../../shared/db/keys.ts';
import type { World } from '../world.ts';
import { from, type Prepare } from './case.ts';

/** A project with one user, or workspace, that has an external id. */
async function named(world: World, path: '/users' | '/workspaces'): Promise<string> {
  const project = await world.newProject();
  const { uid: owner_id } = await world.user({ project });
  const { users, workspaces } = world.as(project);
  const external_id = 'named';
  await (path === '/users'
    ? users.update({ uid: owner_id, external_id })
    : workspaces.create({ name: 'Named', owner_id, external_id }));
  return project.basic;
}

/** The list of all users, or of all workspaces, of a project with 20 of each. */
export function listCases(world: World, path: '/users' | '/workspaces'): Record<string, Prepare> {
  const filled = async () => {
    const project = await world.newProject();
    const places = [];
    // Sequentially: on a busy machine some of 20 concurrent requests time out.
    for (let i = 0; i < 20; i += 1) {
      const owner = await world.user({ project, display_name: 'Ada' });
      places.push(await world.workspace({ owner, name: 'Ada' }));
    }
    // The stream functions do not run until all endpoints are measured.
    const { project_id } = project;
    const listed = path === '/users' ? 'USERS' : 'WORKSPACES';
    const now = new Date().toISOString();
    const items = places.flatMap(({ owner: { uid }, workspace_id }) => {
      const id = listed === 'USERS' ? uid : workspace_id;
      return [
        keys.directoryTerm(listed, project_id, 'ada', id),
        keys.directoryEntry(listed, project_id, now, id),
      ];
    });
    await world.table.putAll(items);
    return { auth: project.basic, email: places[0]?.owner.email ?? '' };
  };
  const list = (filter: (email: string) => string): Prepare =>
    from(filled, ({ auth, email }) => ({
      method: 'GET',
      path: `${path}?limit=20${filter(email)}`,
      auth,
    }));
  return {
    'Basic, 20 of the project': list(() => ''),
    'Basic, 20 that a text finds': list(() => '&query=ada'),
    'Basic, by external id': from(
      () => named(world, path),
      (auth) => ({ method: 'GET', path: `${path}?external_id=named`, auth }),
    ),
    ...(path === '/users' && {
      'Basic, by e-mail': list((email) => `&email=${encodeURIComponent(email)}`),
    }),
  };
}
