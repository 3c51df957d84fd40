import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import { requireUser, type UserItem } from '../identity/users/users.ts';
import { ApiError, notFound } from '../model/errors.ts';

/**
 * The owner of a new workspace: a person owns what they create, a backend names the owner. Throws `not_found` for
 * another owner, and `forbidden` to a person who may create none.
 */
export async function requireWorkspaceOwner(
  caller: ProjectCaller | PersonCaller,
  owner_id: string | undefined,
): Promise<UserItem> {
  const { project_id, project } = caller;
  if (caller.kind === 'project') return requireUser(project_id, owner_id ?? '');
  const { workspace_creation = 'backend' } = project;
  if (workspace_creation === 'backend') throw forbidden('only its backend');
  if (owner_id !== undefined && owner_id !== caller.uid)
    throw notFound('a person may own only what they create');
  const user = await requireUser(project_id, caller.uid);
  if (workspace_creation !== 'anyone' && !user.verified.email)
    throw forbidden('users with a verified e-mail');
  return user;
}

const forbidden = (who: string) =>
  new ApiError('forbidden', { detail: `The project lets ${who} create workspaces` });
