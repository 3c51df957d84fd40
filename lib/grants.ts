import { routes } from '../shared/contract/api.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { changes, isDoor, type Route } from '../shared/contract/route.ts';
import { type Access, type Grant, joined } from './access.ts';
import { ofOthers } from './grants-of-others.ts';
import { ofPeople } from './grants-of-people.ts';
import { ofWorkspaces } from './grants-of-workspaces.ts';

/** What each function does by itself. A missing one does not compile; an unused right fails a test. */
const own: Record<FunctionName, Grant> = { ...ofPeople, ...ofWorkspaces, ...ofOthers };

/** A back end shows a secret of its project, whose use is noted once a day. */
const ofBackEnds: Access = { get: ['projects'], put: ['secretUses'] };
/** A person shows a token, which is verified by a public key, and has a session that lives. */
const ofPersons: Access = { get: ['projects', 'users'], query: ['keys'] };
/** What changes something may carry an Idempotency-Key: it is claimed, answered, or given back. */
const ofChanges: Access = {
  put: ['idempotency'],
  update: ['idempotency'],
  delete: ['idempotency'],
};
/** A public door names a project, and counts who comes. */
const ofDoors: Access = { get: ['projects'], update: ['rates'] };
/** Whoever has ended their own session asks for the answer without one. */
const ofChangesByPersons: Access = { get: ['idempotency'] };

/** What every route with these credentials does before and after its own work. */
function common(route: Route): Access {
  const [backEnd, person] = [route.auth.includes('project'), route.auth.includes('access')];
  return joined(
    ...(backEnd ? [ofBackEnds] : []),
    ...(person ? [ofPersons] : []),
    ...(changes(route) ? [ofChanges] : []),
    ...(isDoor(route) ? [ofDoors] : []),
    ...(changes(route) && person ? [ofChangesByPersons] : []),
  );
}

const commonOf = new Map<string, Access>(routes.map((route) => [route.name, common(route)]));

/** The grant of every function: its own, and what its route does for all of its kind. */
export const grants = Object.fromEntries(
  Object.entries(own).map(([name, grant]) => [
    name,
    { ...grant, ...joined(grant, commonOf.get(name) ?? {}) },
  ]),
) as Record<FunctionName, Grant>;
