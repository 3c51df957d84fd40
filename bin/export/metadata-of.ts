import type { Resource } from '../transfer/lists.ts';
import type { ProjectApi } from '../transfer/project-api.ts';
import { requireOk } from '../transfer/require-ok.ts';

/**
 * The metadata at a path; none if their user or workspace was deleted since the page was read.
 *
 * @param named the path for the error message
 */
export async function metadataOf(api: ProjectApi, path: string, named = path): Promise<Resource> {
  const answer = await api.call('GET', path);
  return answer.status === 404 ? {} : requireOk<Resource>(answer, `GET ${named}`);
}
