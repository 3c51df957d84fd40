import { apiKeys } from './api-keys.ts';
import { browserSessions } from './browser-sessions.ts';
import { codes } from './codes.ts';
import { discovery } from './discovery.ts';
import { docs } from './docs.ts';
import { domains } from './domains.ts';
import { emails } from './emails.ts';
import { events } from './events.ts';
import { factors } from './factors.ts';
import { identities } from './identities.ts';
import { invitations } from './invitations.ts';
import { joinLinks } from './join-links.ts';
import { joinRequests } from './join-requests.ts';
import { links } from './links.ts';
import { members } from './members.ts';
import { oauth } from './oauth.ts';
import { ownership } from './ownership.ts';
import { pages } from './pages.ts';
import { passkeys } from './passkeys.ts';
import { passwords } from './passwords.ts';
import { permissions } from './permissions.ts';
import { projects } from './projects.ts';
import { providers } from './providers.ts';
import { roles } from './roles.ts';
import type { Route } from './route.ts';
import { sessions } from './sessions.ts';
import { stats } from './stats.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';
import { workspaceKeys } from './workspace-keys.ts';
import { workspaceRoles } from './workspace-roles.ts';
import { workspaces } from './workspaces.ts';

/** Every route of the service. Functions import only their own group, so that bundles do not contain the others. */
export const api = {
  sessions,
  passwords,
  codes,
  links,
  passkeys,
  factors,
  identities,
  providers,
  emails,
  users,
  workspaces,
  domains,
  members,
  invitations,
  joinRequests,
  joinLinks,
  ownership,
  apiKeys,
  workspaceKeys,
  permissions,
  roles,
  workspaceRoles,
  webhooks,
  events,
  stats,
  projects,
  browserSessions,
  oauth,
  discovery,
  docs,
  pages,
};

type Names<G> = {
  [K in keyof G]: { [V in keyof G[K]]: G[K][V] extends { name: infer N } ? N : never }[keyof G[K]];
};
/** The name of a route: `members.add`. */
export type Operation = Names<typeof api>[keyof typeof api] & string;

/** The routes as a list, in the order of the documentation. */
export const routes: readonly (Route & { name: Operation })[] = Object.values(api).flatMap(
  (routesOfGroup) => Object.values(routesOfGroup) as (Route & { name: Operation })[],
);
