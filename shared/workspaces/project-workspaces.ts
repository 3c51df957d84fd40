import { getAttributes } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { findPage } from '../directory/find-page.ts';
import { type IdPage, listByCreation, type Span } from '../directory/list.ts';
import { isFoundBy, termsOfWorkspace } from '../directory/terms.ts';
import { isLiveIn, type ShownWorkspaceItem, shownOfWorkspace } from './workspaces.ts';

/**
 * One page of the workspaces of a project: by creation, or those that are found by the beginning of a word of the name.
 */
export async function listOfProject(
  project_id: string,
  { text, ...span }: Span & { text: string | undefined },
  page: { offset: number; limit: number; after?: string },
  now: Date,
): Promise<IdPage & { workspaces: ShownWorkspaceItem[] }> {
  const found =
    text === undefined
      ? await listByCreation('WORKSPACES', project_id, span, page, now)
      : await findPage(
          (term, id) => keys.directoryTerm('WORKSPACES', project_id, term, id),
          text,
          page,
        );
  const workspaceKeys = found.ids.map((id) => keys.workspace(id));
  const read = await getAttributes<ShownWorkspaceItem>(workspaceKeys, shownOfWorkspace);
  // The lists lag for a moment, in which one may be deleted or get another name.
  const workspaces = read
    .filter((each) => each !== undefined)
    .filter((each) => isLiveIn(project_id, each))
    .filter((each) => text === undefined || isFoundBy(termsOfWorkspace(each), text));
  return { ...found, workspaces };
}
