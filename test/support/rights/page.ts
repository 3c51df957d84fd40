import { randomUUID } from 'node:crypto';
import { hostedProject, withCookie } from '../hosted-pages.ts';
import type { World } from '../world.ts';

/** Renews the session of a hosted page that has an active workspace; and fails to end one, which releases the key. */
export async function usePages(world: World): Promise<void> {
  const project = await hostedProject(world);
  const owner = await world.user({ project });
  const { workspace_id } = await world.workspace({ owner });
  await world.as(owner).sessions.selectWorkspace({ workspace_id });
  const call = (method: string, { project_id }: { project_id: string }, to: string) =>
    world.call({
      ...{ method, path: `/pages/${project_id}/session${to}` },
      headers: {
        ...withCookie({ project_id }, owner.refresh_token),
        'idempotency-key': randomUUID(),
      },
    });
  await call('POST', project, '/token');
  await call('DELETE', { project_id: 'nobody' }, '');
}
