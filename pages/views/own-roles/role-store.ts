import type { ApiError } from '../../../client/client.ts';
import type { Role, WorkspaceRole } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { api, callAsUser } from '../../session.ts';
import { count, t } from '../../texts.ts';
import { workspace_id } from '../../ui/managed-workspace.tsx';
import { roleIdOf } from './role-id.ts';

/** What somebody enters of a role. */
export type RoleInput = { name: string; description: string; permissions: string[] };

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
const bodyOf = ({ description, ...input }: RoleInput) => ({
  ...input,
  ...(description !== '' && { description }),
});

/**
 * Replaces a role, unless somebody else has changed it since: `precondition_failed`. Resolves with its new entity tag.
 *
 * @param asked what was asked for before, of which an answer may have been lost
 */
export async function changeRole(
  role: string,
  input: RoleInput,
  ifMatch: string | undefined,
  asked: readonly RoleInput[],
): Promise<string | undefined> {
  const put = async (tag: string | undefined) => (await call('PUT', role, bodyOf(input), tag)).etag;
  try {
    return await put(ifMatch);
  } catch (error) {
    if (!isCode(error, 'precondition_failed')) return refuseTooLarge(error);
    const current = await readRole(role);
    if (!asked.some((each) => matchesInput(current.role, each))) throw error;
    return put(current.etag).catch(refuseTooLarge);
  }
}

/** Makes a role, whose id is made from its name. */
export async function createRole(input: RoleInput): Promise<void> {
  // As they are now: the id must be none that somebody has made meanwhile, which would replace theirs.
  const roles = await listRoles();
  // Made by a request whose answer was lost.
  if (roles.some((each) => each.own && matchesInput(each, input))) return;
  const id = roleIdOf(input.name, new Set(roles.map(({ role }) => role)));
  try {
    await call('PUT', id, bodyOf(input)).catch(refuseTooLarge);
  } catch (error) {
    if (isCode(error, 'role_in_use'))
      throw new FieldError('name', count('formerRole', holdersOf(error).number));
    throw error;
  }
}

const matchesInput = ({ name, description = '', permissions }: Role, input: RoleInput): boolean =>
  name === input.name &&
  description === input.description &&
  permissions.join() === input.permissions.toSorted().join();

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
