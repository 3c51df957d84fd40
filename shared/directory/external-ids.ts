import { getItem } from '../db/batch-loader.ts';
import { create, del, type Write } from '../db/change.ts';
import { attributeUnchanged, type Condition, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys, type Listed } from '../db/keys.ts';

/**
 * The id that the project's backend gives a user or workspace. A guard item makes it unique among the users, or among
 * the workspaces, of the project.
 */
type ExternalIdGuard = Item & { id: string };

/** A user or workspace, and the external id that it has. */
type Holder = { project_id: string; id: string; external_id: string | undefined };

/** The id of the user or workspace with this external id, by a consistent read of the guard. */
export async function findByExternalId(
  listed: Listed,
  project_id: string,
  external_id: string,
): Promise<string | undefined> {
  return (await getItem<ExternalIdGuard>(keys.externalId(listed, project_id, external_id)))?.id;
}

/** True while a user or workspace has the external id that was read. */
export const externalIdUnchanged = ({ external_id }: { external_id?: string }): Condition =>
  attributeUnchanged('external_id', external_id);

/** The external id that a request gives, empty to clear it. Undefined if that is the one that there is. */
export function changedExternalId(
  input: string | null | undefined,
  { external_id = '' }: { external_id?: string | undefined },
): string | undefined {
  const next = input === null ? '' : input;
  return next === external_id ? undefined : next;
}

/** Creates the guard. Fails if the external id is taken. Undefined without an external id. */
export const takeExternalId = (
  listed: Listed,
  { project_id, id, external_id }: Holder,
): Write | undefined =>
  external_id === undefined
    ? undefined
    : create<ExternalIdGuard>({ ...keys.externalId(listed, project_id, external_id), id });

/** Deletes the guard. Undefined without an external id. */
export const freeExternalId = (
  listed: Listed,
  { project_id, id, external_id }: Holder,
): Write | undefined =>
  external_id === undefined
    ? undefined
    : del(keys.externalId(listed, project_id, external_id), where('#id = :id', { id }));
