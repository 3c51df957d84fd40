import { getItem } from '../db/batch-loader.ts';
import { assert, type Change, change, put, update, type Write } from '../db/change.ts';
import { absent, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { rolesVersionSortKey } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { type HasPendingEvents, withEvents } from '../db/outbox.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import type { EventDraft } from '../model/events.ts';
import { newWriteToken } from '../model/ids.ts';
import { type Definitions, noDefinitions } from './definitions.ts';

/** The version of a project's roles. Every change of them writes another. */
export type RolesVersionItem = Item & HasPendingEvents & { project_id: string; version: string };

/** The definitions, as JSON: an item of maps would be a third larger, and slower to read. */
type RolesItem = Item & { project_id: string; version: string; definitions: string };

/** The roles of a project as they were at one moment. */
export type Roles = {
  project_id: string;
  /** Undefined if the project has never defined any. */
  version: string | undefined;
  /** With those of a workspace where `own_roles` is set. */
  definitions: Definitions;
  /** The roles of a workspace's own that are among the definitions, as its item has them. */
  own_roles?: string;
};

/**
 * The roles that this instance has used last. A version says whether they are still those. Limited: the definitions of
 * a project may have 64 KB.
 */
const cache = new BoundedMap<Roles>(100);

/** The key of the version of a project's roles. */
const versionKey = (project_id: string) => keys.roles(project_id, rolesVersionSortKey);

const getVersion = (project_id: string): Promise<RolesVersionItem | undefined> =>
  getItem<RolesVersionItem>(versionKey(project_id));

/**
 * The roles of a project now. Reads their version, in one batch with the other reads of the turn; only a version that
 * this instance does not know costs a second read, of the definitions.
 */
export async function getRoles(project_id: string): Promise<Roles> {
  const item = await getVersion(project_id);
  if (!item) return { project_id, version: undefined, definitions: noDefinitions };
  const cached = cache.get(project_id);
  const roles = cached?.version === item.version ? cached : await readDefinitions(project_id);
  cache.set(project_id, roles);
  return roles;
}

/**
 * The roles, if this instance knows that the project has any: then a member probably has one. Without that, a request
 * of a project that defines none would pay for reading them.
 */
export const getKnownRoles = async (project_id: string): Promise<Roles | undefined> =>
  cache.has(project_id) ? getRoles(project_id) : undefined;

async function readDefinitions(project_id: string): Promise<Roles> {
  const item = await getItem<RolesItem>(keys.roles(project_id));
  if (!item) throw new Error(`The roles of ${project_id} have a version and no definitions.`);
  // May be newer than the version that was read before: then it has that version itself.
  return {
    project_id,
    version: item.version,
    definitions: JSON.parse(item.definitions) as Definitions,
  };
}

/** True while the roles are those that were read. */
const versionUnchanged = ({ version }: Roles) =>
  version === undefined ? absent : where('#version = :roles_version', { roles_version: version });

/** Fails the transaction if the roles of the project changed since they were read. */
export const assertRolesUnchanged = (roles: Roles): Write =>
  assert(versionKey(roles.project_id), versionUnchanged(roles));

/**
 * What must not have changed for `If-Match`: any change of the roles is one of each of them. The built-in roles of a
 * project have an entity tag before it has defined any.
 */
export const versionItem = ({ project_id, version }: Roles): Item => ({
  ...versionKey(project_id),
  ...(version !== undefined && { version }),
});

/** Replaces the roles of a project. Stale if they changed since they were read. */
export function changeDefinitions(
  roles: Roles,
  definitions: Definitions,
  ...events: EventDraft[]
): Change<void> {
  const { project_id } = roles;
  const version = newWriteToken();
  return change(
    {
      version: update(
        versionKey(project_id),
        withEvents({ set: { project_id, version } }, ...events),
        versionUnchanged(roles),
      ),
      definitions: put({
        ...keys.roles(project_id),
        project_id,
        version,
        definitions: JSON.stringify(definitions),
      }),
    },
    undefined,
  );
}
