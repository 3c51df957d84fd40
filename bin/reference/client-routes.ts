import { routes } from '../../shared/contract/api.ts';
import { isReadOnly, type Route } from '../../shared/contract/route.ts';

export const header = '// Made of the contract by `npm run openapi`. Do not edit.\n';

/** The routes of the client package. */
export const included = (routes as readonly Route[]).filter(({ client }) => client !== false);

/** Adds the authenticator app that a sign-in requires: the entry `./factors`. */
const isEnrolment = ({ name }: Route): boolean => /^factors\..*Enrolment$/.test(name);

/** Operations of the second factor of an account: the same entry. */
const isOfFactors = ({ name, auth }: Route): boolean =>
  name === 'sessions.reauthenticate' || (name.startsWith('factors.') && auth.includes('access'));

/**
 * Documents for tools, and operations that few pages need: sign-in with mailed links (the entry `./links`), setup of
 * the second factor and reauthentication (`./factors`), and custom roles of a workspace. In `user`, every page would
 * contain their addresses; `createClient` has them.
 */
const isRare = (route: Route): boolean =>
  isEnrolment(route) ||
  isOfFactors(route) ||
  /^(?:discovery|docs|links|workspaceRoles)\./.test(route.name);

/** Whether a page may call it: without a credential, or with the user's token. */
export const isForUsers = (route: Route): boolean =>
  !isRare(route) &&
  (route.auth.length === 0 || route.auth.includes('access') || route.auth.includes('refresh'));

/** What the handler that stores the session in a cookie calls: every sign-in, and the session of a user. */
const isForCookies = ({ name, auth }: Route): boolean =>
  /^(?:sessions\.(?:refresh|endAll|signOut)|users\.getMe)$/.test(name) ||
  (auth.length === 0 &&
    /^(?:passwords|codes|passkeys|factors|identities|providers|links)\./.test(name));

/** Which operations a module of the client has: `user` and `backend` have all of them, the others those of an entry. */
const modules = {
  user: isForUsers,
  cookie: isForCookies,
  enrolment: isEnrolment,
  factor: isOfFactors,
  backend: (route: Route) => !isForUsers(route),
};

/** How the operations of a module are sent, for the client at run time. */
export function clientRoutes(of: keyof typeof modules): string {
  const chosen = included.filter(modules[of]);
  const groups = Map.groupBy(chosen, ({ name }) => name.split('.')[0] ?? '');
  const lines = [...groups].map(([group, members]) => {
    const each = members.map((route) => `    ${route.name.split('.')[1]}: '${how(route)}',\n`);
    return `  ${group}: {\n${each.join('')}  },\n`;
  });
  return `${header}\n/** Method, path and query fields of each operation; then what it is: see \`send\`. */\nexport const ${of}Routes = {\n${lines.join('')}} as const;\n`;
}

function how(route: Route): string {
  const flags = [
    // All other writes have a body; reads have none.
    (route.body !== undefined) !== route.method.startsWith('P') && (route.body ? 'body' : '-'),
    route.auth.length === 0 && 'public',
    route.method !== 'GET' && isReadOnly(route) && 'reads',
    // A redirect, as from `/` to the documentation, also ends in text.
    (route.produces !== undefined || route.statuses.some((status) => status > 300)) && 'text',
  ];
  const query = Object.keys(route.query?.shape ?? {}).join('&');
  const short = route.path.replace('/workspaces/{workspace_id}', '~');
  const path = query === '' ? short : `${short}?${query}`;
  return [route.method, path, ...flags].filter(Boolean).join(' ');
}
