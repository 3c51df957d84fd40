import { ApiError } from '../../client/api-error.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';

type Props = { project: string; workspace_id: string; onRestore: () => void };

/** In place of a workspace that there is not. No list has the deleted ones, which are found by id alone. */
export function MissingWorkspace({ project, workspace_id, onRestore }: Props) {
  const restore = async () => {
    try {
      await clientOf(project).workspaces.restore({ workspace_id });
      onRestore();
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      return <Explain>There is no deleted workspace with this id.</Explain>;
    }
  };
  return (
    <>
      <Explain>
        This project has no workspace with the id {workspace_id}. A workspace that was deleted in
        the last 30 days can be restored.
      </Explain>
      <div>
        <Dialog label="Restore" title="Restore this workspace?" onSubmit={restore}>
          <Explain>Its members have access again at once.</Explain>
        </Dialog>
      </div>
    </>
  );
}
