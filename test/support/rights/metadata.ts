import type { World } from '../world.ts';

type AsProject = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Empties the metadata of a user and of a workspace, in both ways. */
export async function emptyMetadata(world: World, asProject: AsProject): Promise<void> {
  const { owner, workspace_id } = await world.workspace();
  for (const item of [`/users/${owner.uid}`, `/workspaces/${workspace_id}`]) {
    const path = `${item}/metadata`;
    for (const [method, app_metadata] of [
      ['PUT', {}],
      ['PATCH', null],
    ] as const) {
      await asProject('PUT', path, { app_metadata: { plan: 'free' } });
      await asProject(method, path, { app_metadata });
    }
  }
}
