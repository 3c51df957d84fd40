import type { User, Workspace } from '../../../client/generated/api.ts';

/** What every part of the page knows. */
export type Part = {
  workspace: Workspace;
  user: User;
  /** Counts the changes that concern other parts too. */
  changes: number;
  /** Says that there was such a change. */
  refresh: () => Promise<unknown>;
};
