import { hostedPages } from '../../../lib/hosted-pages.ts';
import { fromOwnPage, hostedProject, withCookie } from '../hosted-pages.ts';
import { sessionKey } from '../started.ts';
import type { World } from '../world.ts';
import { budgetTools, from, profile } from './case.ts';

/** Endpoints of the hosted pages. */
export function pageCases(world: World) {
  const { again } = budgetTools(world);
  /** A user of a project with hosted pages, which the instance has cached. */
  const visitor = async () => {
    const project = await hostedProject(world);
    const one = await world.user({ ...profile, verified: true, project });
    await world.call({
      method: 'DELETE',
      path: `/pages/${project.project_id}/session`,
      headers: withCookie(project, 'x'),
    });
    return { ...one, path: `/pages/${project.project_id}/session` };
  };
  type Visitor = Awaited<ReturnType<typeof visitor>>;
  const withOwn =
    (method: string, more = '') =>
    ({ path, project, refresh_token }: Visitor) => ({
      ...{ method, path: `${path}${more}`, headers: withCookie(project, refresh_token) },
    });
  return {
    'browserSessions.keep': {
      Refresh: from(visitor, ({ path, refresh_token }) => ({
        ...{ method: 'POST', path, auth: `Bearer ${refresh_token}`, headers: fromOwnPage },
      })),
      'Refresh, a minute after the sign-in': from(visitor, async ({ path, ...person }) => {
        const created_at = new Date(Date.now() - 60_000).toISOString();
        await world.table.update(sessionKey(person), { created_at });
        return {
          method: 'POST',
          path,
          auth: `Bearer ${person.refresh_token}`,
          headers: fromOwnPage,
        };
      }),
      'Refresh, over another session': from(
        visitor,
        async ({ path, project, uid, refresh_token }) => ({
          ...{ method: 'POST', path, headers: withCookie(project, refresh_token) },
          auth: `Bearer ${(await world.session(uid, project)).refresh_token}`,
        }),
      ),
    },
    'browserSessions.refresh': {
      Cookie: from(visitor, withOwn('POST', '/token')),
      'Cookie, repeated': again(from(visitor, withOwn('POST', '/token'))),
    },
    'browserSessions.end': {
      Cookie: from(visitor, withOwn('DELETE')),
      'Cookie, ended already': again(from(visitor, withOwn('DELETE'))),
    },
    'pages.page': {
      Anyone: from(visitor, ({ project }) => ({
        ...{ method: 'GET', path: `/pages/${project.project_id}/sign-in` },
      })),
    },
    'pages.asset': {
      Anyone: async () => {
        const { files } = await hostedPages();
        const script = [...files.keys()].find((file) => file.startsWith('main.'));
        return { method: 'GET', path: `/pages/assets/${script}` };
      },
    },
  };
}
