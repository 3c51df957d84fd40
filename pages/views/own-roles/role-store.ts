import type { ApiError } from '../../../client/client.ts';
import type { Role, WorkspaceRole } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { api, callAsUser } from '../../session.ts';
import { count, t } from '../../texts.ts';
import { workspace_id } from '../../ui/managed-workspace.tsx';
import { roleIdOf } from './role-id.ts';

/** What somebody enters of a role. */
export type RoleWishes = { name: string; description: string; permissions: string[] };

/** The roles that members of the workspace can have. */
export const listRoles = async (): Promise<WorkspaceRole[]> =>
  (await api.roles.listOfWorkspace({ workspace_id })).body.result;

const call = async (
  method: 'GET' | 'PUT' | 'DELETE',
  role: string,
  fields: object = {},
  ifMatch?: string,
) => {
  const { body, headers } = await callAsUser(
    `${method} ~/roles/{role}`,
    { workspace_id, role, ...fields },
    { ifMatch },
  );
  return { role: body as Role, etag: headers.get('etag') ?? undefined };
};

export const readRole = (role: string) => call('GET', role);

/** A description that is empty is none. */
const bodyOf = ({ description, ...wishes }: RoleWishes) => ({
  ...wishes,
  ...(description !== '' && { description }),
});

/** Replaces a role, unless somebody else has changed it since: `precondition_failed`. Resolves with its new entity tag. */
export const changeRole = async (role: string, wishes: RoleWishes, ifMatch: string | undefined) =>
  (await call('PUT', role, bodyOf(wishes), ifMatch).catch(refuseTooLarge)).etag;

/** Makes a role, whose id is made from its name. */
export async function createRole(wishes: RoleWishes): Promise<void> {
  // As they are now: the id must be none that somebody has made meanwhile, which would replace theirs.
  const there = await listRoles();
  // Made by a request whose answer was lost.
  if (there.some((each) => each.own && isAsWished(each, wishes))) return;
  const id = roleIdOf(wishes.name, new Set(there.map(({ role }) => role)));
  try {
    await call('PUT', id, bodyOf(wishes)).catch(refuseTooLarge);
  } catch (error) {
    if (isCode(error, 'role_in_use'))
      throw new FieldError('name', count('formerRole', holdersOf(error).number));
    throw error;
  }
}

const isAsWished = (
  { name, description = '', permissions }: WorkspaceRole,
  wishes: RoleWishes,
): boolean =>
  name === wishes.name &&
  description === wishes.description &&
  permissions.join() === wishes.permissions.toSorted().join();

/** Deletes a role that nobody has. */
export async function deleteRole(role: string): Promise<void> {
  try {
    await call('DELETE', role);
  } catch (error) {
    // Somebody else was faster, or an answer was lost: it is gone, as it should be.
    if (isCode(error, 'not_found')) return;
    if (!isCode(error, 'role_in_use')) throw error;
    const { number, isAtLeast } = holdersOf(error);
    throw new FieldError(
      '',
      isAtLeast ? t('roleInUseByMany', { count: number }) : count('roleInUse', number),
    );
  }
}

const holdersOf = ({ problem }: ApiError) => ({
  number: Number(problem['member_count']),
  isAtLeast: problem['member_count_is_at_least'] === true,
});

function refuseTooLarge(error: unknown): never {
  // What is wrong is in no field: all roles of the workspace together.
  if (isCode(error, 'invalid_request') && error.errors.some(({ pointer }) => pointer === '/body'))
    throw new FieldError('', t('rolesTooLarge'));
  throw error;
}
