import { CommandFailure } from '../flags.ts';
import type { ProjectApi } from '../transfer/project-api.ts';
import type { Resource } from './run-export.ts';

/**
 * The metadata at a path; none if their user or workspace was deleted since the page was read.
 *
 * @param named the path as a failure names it
 */
export async function metadataOf(api: ProjectApi, path: string, named = path): Promise<Resource> {
  const { status, body } = await api.call('GET', path);
  if (status === 404) return {};
  if (status !== 200) throw new CommandFailure(`The service answers ${status} to GET ${named}.`);
  return body as Resource;
}
