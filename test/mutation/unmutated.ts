import { globSync } from 'node:fs';
import { modules } from './modules.ts';

/** The folders whose modules must all be in one of the two lists. */
const listedFolders: readonly string[] = [
  'shared/access/*.ts',
  'shared/workspaces/**/*.ts',
  'shared/roles/*.ts',
  'shared/stats/*.ts',
  'shared/directory/*.ts',
  'shared/db/transport/*.ts',
  'shared/http/execute.ts',
  'shared/model/policy.ts',
];

/**
 * Modules that decide no permissions: modules of types only, of representations, and the one that splits many
 * invitations into parts that fit the time of a request, whose mutants mostly change the duration. Also modules of
 * access/ that read and write the table; reads and writes of a domain that the functions' tests cover over HTTP; and
 * jobs of the stream, whose tests take minutes.
 */
const unmutated: readonly string[] = [
  'shared/access/get-secret-value.ts',
  'shared/access/sdk-secret-value.ts',
  'shared/db/transport/attribute-json.ts',
  'shared/db/transport/attribute-values.ts',
  'shared/db/transport/middleware-order.ts',
  'shared/db/transport/sdk-client.ts',
  'shared/db/transport/signed-post.ts',
  'shared/directory/list-item.ts',
  'shared/stats/views.ts',
  'shared/workspaces/invitations/bulk-invite.ts',
  'shared/workspaces/invitations/invite-chunk.ts',
  'shared/workspaces/items.ts',
  'shared/workspaces/joining/join-views.ts',
  'shared/workspaces/domains/mailbox-providers.ts',
  'shared/workspaces/members/members.ts',
  'shared/workspaces/members/profile-projection.ts',
  'shared/workspaces/project-workspaces.ts',
  'shared/workspaces/views.ts',
  'shared/workspaces/workspace-metadata.ts',
];

/** Modules of these folders that are in neither list. */
export const unlisted = (root: string): string[] =>
  globSync(listedFolders, { cwd: root }).filter(
    (file) => !modules[file] && !unmutated.includes(file),
  );
