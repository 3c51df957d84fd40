import type { Person, World } from '../world.ts';

type By = (method: string, path: string, body?: unknown) => Promise<unknown>;
type Callers = {
  asProject: By;
  asPerson: (person: Pick<Person, 'uid' | 'project'>, ...call: Parameters<By>) => Promise<unknown>;
};

/**
 * Reads, sets, merges and clears metadata of a user, a workspace and a member, in every way that writes differently.
 */
export async function useMetadata(world: World, { asProject, asPerson }: Callers): Promise<void> {
  const { users, workspaces } = world.as(world.project);
  const { owner, workspace_id } = await world.workspace();
  const workspace = `/workspaces/${workspace_id}`;
  const set = { app_metadata: { plan: 'free' } };
  for (const path of [`/users/${owner.uid}/metadata`, `${workspace}/metadata`]) {
    await asProject('PUT', path, set);
    await asProject('PUT', path, { app_metadata: {} });
    await asProject('PATCH', path, set);
    await asProject('PATCH', path, { app_metadata: null });
    await asProject('PUT', path, set);
    await asProject('GET', path);
    await asPerson(owner, 'GET', path);
  }
  const own = { user_metadata: { theme: 'dark' } };
  for (const method of ['PUT', 'PATCH'])
    await asPerson(owner, method, `/users/${owner.uid}/metadata`, own);
  const member = `${workspace}/users/${owner.uid}/metadata`;
  await asProject('PUT', member, set);
  await asProject('PATCH', member, { app_metadata: null });
  // Other functions that use metadata.
  const email = 'described@example.com';
  const { uid } = (await users.create({ email, ...set })).body;
  await users.export({ uid });
  await users.delete({ uid });
  await workspaces.delete({ workspace_id });
  await world.drainStream();
  await workspaces.restore({ workspace_id });
  await world.drainStream();
}
