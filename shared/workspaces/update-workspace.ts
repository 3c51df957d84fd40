import { type Change, type Changes, change, merged, update } from '../db/change.ts';
import { and, existsInProject } from '../db/condition.ts';
import { applied } from '../db/expressions.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt, notModifiedAfter, updateMonotonic } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { freeExternalId, takeExternalId } from '../directory/external-ids.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { externalIdHolder, type WorkspaceItem } from './items.ts';
import { getWorkspace } from './workspaces.ts';

/** Changes of a workspace; what is empty is cleared. */
export type WorkspaceChanges = {
  name?: string | undefined;
  logo?: string | null | undefined;
  description?: string | undefined;
  mfa_required_at?: string | undefined;
};

/** The changes of the item of a workspace, with their event. */
const updateOf = (fields: WorkspaceChanges, more: Changes = {}): Changes =>
  withEvents(merged(changesOf(fields), more), { type: 'workspace.updated' });

function changesOf({ name, logo, description, mfa_required_at }: WorkspaceChanges): Changes {
  return {
    set: {
      name,
      logo_url: logo || undefined,
      description: description || undefined,
      mfa_required_at: mfa_required_at || undefined,
    },
    remove: [
      ...(logo === null || logo === '' ? ['logo_url'] : []),
      ...(description === '' ? ['description'] : []),
      ...(mfa_required_at === '' ? ['mfa_required_at'] : []),
    ],
  };
}

/** The write that changes a workspace that was read, and the workspace after it. */
export function updateOfRead(
  workspace: WorkspaceItem,
  fields: WorkspaceChanges,
  now: Date,
  more: Changes = {},
) {
  const { workspace_id, project_id } = workspace;
  const modified_at = modifiedAt(now, workspace);
  const changes = updateOf(fields, merged({ set: { modified_at } }, more));
  const unmodified = and(existsInProject(project_id), notModifiedAfter(modified_at));
  return {
    write: update<WorkspaceItem>(keys.workspace(workspace_id), changes, unmodified),
    after: applied(workspace, changes) as WorkspaceItem,
  };
}

/**
 * Changes a workspace that was read and its external id, empty for none. Refused with `external_id_taken`. Stale if the
 * workspace changed.
 */
export function updateWithExternalId(
  workspace: WorkspaceItem,
  { external_id, ...fields }: WorkspaceChanges & { external_id: string },
  now: Date,
): Change<WorkspaceItem> {
  const next = external_id === '' ? undefined : external_id;
  const { write, after } = updateOfRead(workspace, fields, now, {
    set: { external_id: next },
    remove: next === undefined ? ['external_id'] : [],
  });
  return change(
    {
      workspace: write,
      external_id: takeExternalId('WORKSPACES', {
        ...externalIdHolder(workspace),
        external_id: next,
      }),
      freed: freeExternalId('WORKSPACES', externalIdHolder(workspace)),
    },
    after,
    ({ external_id: taken }) =>
      taken === undefined ? undefined : new ApiError('external_id_taken'),
  ).expecting([workspace]);
}

/** Changes a workspace and returns the new item. Refused with `not_found`. */
export function updateWorkspace(
  project_id: string,
  workspace_id: string,
  fields: WorkspaceChanges,
  now: Date,
): Change<WorkspaceItem> {
  return updateMonotonic<WorkspaceItem>(
    {
      key: keys.workspace(workspace_id),
      changes: updateOf(fields),
      condition: existsInProject(project_id),
    },
    now,
    () => getWorkspace(project_id, workspace_id),
    () => notFound('no such workspace'),
  );
}
