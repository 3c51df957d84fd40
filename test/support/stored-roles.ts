import { rolesVersionSortKey } from '../../shared/db/key-prefixes.ts';
import { keys } from '../../shared/db/keys.ts';
import type { Definitions } from '../../shared/roles/definitions.ts';
import type { World } from './world.ts';

/** Stores many permissions or roles of a project that has defined none, without a request for each. */
export async function storeDefinitions(
  { table }: World,
  project_id: string,
  { permissions = {}, roles = {} }: Partial<Definitions>,
): Promise<void> {
  const version = { project_id, version: 'stored' };
  const definitions = JSON.stringify({ permissions, roles });
  await table.put({ ...keys.roles(project_id), ...version, definitions });
  await table.put({ ...keys.roles(project_id, rolesVersionSortKey), ...version });
}
