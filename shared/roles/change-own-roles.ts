import { type Change, change, noChange, update } from '../db/change.ts';
import { and, existsInProject } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { withEvents } from '../db/outbox.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { byPrincipal } from '../workspaces/by-principal.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { ifWorkspaceGone } from '../workspaces/workspaces.ts';
import { permissionsOfRole, type RoleDefinition, toStored } from './definitions.ts';
import { type OwnRoles, ownRolesOf, ownRolesUnchanged, withOwnRoles } from './own-roles.ts';
import { type Principal, requirePermissions } from './principal.ts';
import type { Roles } from './stored.ts';

/** The workspace whose roles change, the roles of its project, and who changes them; undefined for a backend. */
type Place = { workspace: WorkspaceItem; roles: Roles; principal: Principal | undefined };

/**
 * Defines or replaces a role of a workspace's own, and returns the roles then; `problemsOfPermissions` has found none.
 * Throws `forbidden` unless the principal holds all that the role holds, before and afterwards; `role_limit_reached` or
 * `invalid_request`. Refused with `not_found`, or `precondition_failed` if the role is new and somebody else has
 * defined another of its name meanwhile: that one would be lost without a word. Stale if the roles of the workspace
 * changed.
 */
export function defineOwnRole(
  place: Place,
  role: string,
  fields: Pick<RoleDefinition, 'name' | 'description' | 'permissions'>,
): Change<Roles> {
  const own = ownRolesOf(place.workspace);
  const before = own[role];
  const definition = toStored(fields);
  const next = { ...own, [role]: definition };
  const after = afterwards(place, next);
  requireHolding(
    place,
    role,
    ...(before ? [withOwnRoles(place.roles, place.workspace)] : []),
    after,
  );
  if (before && canonicalJson(before) === canonicalJson(definition)) return noChange(after);
  if (!before && Object.keys(own).length >= limits.ownRoles.perWorkspace)
    throw new ApiError('role_limit_reached');
  const { permissions } = definition;
  const event: EventDraft = {
    type: before ? 'workspace.role.updated' : 'workspace.role.created',
    data: { role, permissions },
    ...(before && { previous: { permissions: before.permissions } }),
  };
  return replaceBy(place, next, event, (current) => {
    const other = before ? undefined : ownRolesOf(current)[role];
    if (!other || canonicalJson(other) === canonicalJson(definition)) return undefined;
    return new ApiError('precondition_failed', {
      detail: 'Somebody else has just defined this role; read it, and replace it with If-Match',
    });
  }).as(() => after);
}

/** Deletes a role of a workspace's own, which nobody has. Throws and is refused as `defineOwnRole`. */
export function deleteOwnRole(place: Place, role: string): Change<void> {
  const { [role]: _, ...rest } = ownRolesOf(place.workspace);
  requireHolding(place, role, withOwnRoles(place.roles, place.workspace));
  return replaceBy(place, rest, { type: 'workspace.role.deleted', data: { role } });
}

const toItem = (own: OwnRoles): Pick<WorkspaceItem, 'own_roles'> =>
  Object.keys(own).length === 0 ? {} : { own_roles: JSON.stringify(own) };

const afterwards = ({ roles }: Place, own: OwnRoles): Roles => withOwnRoles(roles, toItem(own));

/** Nobody gives by a definition what they do not hold, nor takes it from those above them. */
function requireHolding(
  { workspace, roles, principal }: Place,
  role: string,
  ...all: Roles[]
): void {
  if (!principal) return;
  const acting = { ...principal, roles: withOwnRoles(roles, workspace) };
  for (const { definitions } of all)
    requirePermissions(acting, [...permissionsOfRole(role, definitions)]);
}

function replaceBy(
  place: Place,
  own: OwnRoles,
  event: EventDraft,
  refusedBy: (current: WorkspaceItem) => ApiError | undefined = () => undefined,
): Change<void> {
  const { workspace, roles, principal } = place;
  const { workspace_id, project_id } = workspace;
  const { own_roles } = toItem(own);
  if (Buffer.byteLength(own_roles ?? '') > limits.ownRoles.bytes)
    throw new ApiError('invalid_request', {
      errors: [
        {
          pointer: '/body',
          detail: `The roles of the workspace would have more than ${limits.ownRoles.bytes / 1_024} KiB`,
        },
      ],
    });
  const changes = own_roles === undefined ? { remove: ['own_roles'] } : { set: { own_roles } };
  const writes = {
    workspace: update<WorkspaceItem>(
      keys.workspace(workspace_id),
      withEvents(changes, event),
      and(existsInProject(project_id), ownRolesUnchanged(workspace)),
    ),
  };
  // Whatever their role, what they may define depends on what the project defines.
  const acting = principal && { ...principal, roles: withOwnRoles(roles, workspace) };
  return change(
    byPrincipal(writes, workspace_id, acting),
    undefined,
    ({ workspace: current }) =>
      ifWorkspaceGone({ workspace: current }) ?? (current ? refusedBy(current) : undefined),
  );
}
