import { keys } from '../../shared/db/keys.ts';
import type { TestProject, World } from './world.ts';

/** A project with hosted pages. */
export async function hostedProject(world: World, settings: object = {}): Promise<TestProject> {
  const project = await world.newProject(settings);
  await world.table.update(keys.project(project.project_id), { hosted_pages: true });
  return project;
}

/** The header of a browser for a request from a page of this service. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

/** The name of the session cookie of a project, on http. */
export const cookieName = ({ project_id }: { project_id: string }) => `session-${project_id}`;

/** The headers of a request of a hosted page with this refresh token in its cookie. */
export const withCookie = (
  project: { project_id: string },
  refresh_token: string,
): Record<string, string> => ({
  ...fromOwnPage,
  cookie: `${cookieName(project)}=${refresh_token}`,
});

/** The cookies that an answer sets: by name, each with its value and its attributes. */
export function cookiesSet({ headers }: { headers: Headers }) {
  return Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', ...value] = pair.split('=');
      return [name, { value: value.join('='), attributes }];
    }),
  );
}
