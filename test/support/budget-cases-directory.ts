import { from, type Prepare } from './budget-case.ts';
import type { World } from './world.ts';

/** The list of all users, or of all workspaces, of a project with 20 of each. */
export function listCases(world: World, path: '/users' | '/workspaces'): Record<string, Prepare> {
  const filled = async () => {
    const project = await world.newProject();
    const names = Array.from({ length: 20 }, (_, i) => `Ada${i}`);
    const people = await Promise.all(
      names.map((display_name) => world.user({ project, display_name })),
    );
    await Promise.all(people.map((owner, i) => world.workspace({ owner, name: names[i] ?? '' })));
    await world.drainStream();
    return { auth: project.basic, email: people[0]?.email ?? '' };
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
    ...(path === '/users' && {
      'Basic, by e-mail': list((email) => `&email=${encodeURIComponent(email)}`),
    }),
  };
}
