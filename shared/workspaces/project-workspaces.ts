import { getAttributes } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { findListed } from '../directory/find-page.ts';
import type { IdPage, Span } from '../directory/list.ts';
import { isFoundBy, termsOfWorkspace } from '../directory/terms.ts';
import type { Page } from '../model/page.ts';
import { isLiveIn, type ShownWorkspaceItem, shownOfWorkspace } from './workspaces.ts';

/**
 * One page of the workspaces of a project: by creation, or those that are found by the beginning of a word of the name.
 */
export async function listOfProject(
  project_id: string,
  filter: Span & { text: string | undefined },
  page: Page,
  now: Date,
): Promise<IdPage & { workspaces: ShownWorkspaceItem[] }> {
  const { text } = filter;
  const found = await findListed('WORKSPACES', project_id, filter, page, now);
  const workspaceKeys = found.ids.map((id) => keys.workspace(id));
  const read = await getAttributes<ShownWorkspaceItem>(workspaceKeys, shownOfWorkspace);
  // The lists lag for a moment, in which one may be deleted or get another name.
  const workspaces = read
    .filter((each) => each !== undefined)
    .filter((each) => isLiveIn(project_id, each))
    .filter((each) => text === undefined || isFoundBy(termsOfWorkspace(each), text));
  return { ...found, workspaces };
}
