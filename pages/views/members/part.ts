import type { User, Workspace, WorkspaceRole } from '../../../client/generated/api.ts';
import type { Action } from '../../../shared/model/policy.ts';

/** What every part of the page knows. */
export type Part = {
  workspace: Workspace;
  user: User;
  /** The roles of the project: their names, and which of them the user may give. */
  roles: readonly WorkspaceRole[];
  /** Whether the user may do something here, to show only what they can use; the service decides again. */
  may: (action: Action) => boolean;
  /** Counts the changes that concern other parts too. */
  changes: number;
  /** Says that there was such a change. */
  refresh: () => Promise<unknown>;
};
