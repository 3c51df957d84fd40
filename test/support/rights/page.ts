import { randomUUID } from 'node:crypto';
import { cookieName, cookiesSet, hostedProject, withCookie } from '../hosted-pages.ts';
import type { World } from '../world.ts';

/** Uses every right of the functions of the hosted pages. `anew` expires the caches of projects and keys. */
export async function usePages(world: World, anew: () => void): Promise<void> {
  const project = await hostedProject(world);
  const path = `/pages/${project.project_id}/session`;
  const owner = await world.user({ project });
  const { uid, refresh_token } = owner;
  const { workspace_id } = await world.workspace({ owner });
  await world.as(owner).sessions.selectWorkspace({ workspace_id });
  const before = await world.session(uid, project);
  const call = (method: string, to: string, headers: Record<string, string>, auth?: string) => {
    anew();
    return world.call(method, to, auth, undefined, {
      headers: { ...headers, 'idempotency-key': randomUUID() },
    });
  };
  await call('POST', path, withCookie(project, before.refresh_token), `Bearer ${refresh_token}`);
  const renewed = await call('POST', `${path}/token`, withCookie(project, refresh_token));
  const token = cookiesSet(renewed)[cookieName(project)]?.value ?? '';
  // Rejected requests, which release their idempotency key.
  for (const [method, to] of [
    ['POST', `${path}/token`],
    ['DELETE', path],
  ] as const)
    await call(method, to.replace(project.project_id, 'nobody'), {
      ...withCookie({ project_id: 'nobody' }, token),
    });
  await call('DELETE', path, withCookie(project, token));
  await call('GET', `/pages/${project.project_id}/sign-in`, {});
}
