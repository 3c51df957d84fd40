import type * as z from 'zod';
import { limits } from '../../model/limits.ts';
import { type Action, policy, type Standing, standings } from '../../model/policy.ts';
import { type Rate, rates } from '../../model/rates.ts';
import { takesKey } from '../key-access.ts';
import { operationNotes } from '../notes/operation-notes.ts';
import type { NamedRoute } from '../paths.ts';
import {
  isCountedChange,
  isPublicByProject,
  isReadOnly,
  type Scheme,
  takesIdempotencyKey,
} from '../route.ts';
import { scopeOf } from '../scopes.ts';

const callers: Record<Scheme, string> = {
  project: "the project's backend (Basic)",
  access: 'a user (Bearer, access token)',
  refresh: 'a session (Bearer, refresh token)',
  cookie: 'a browser at the hosted pages (cookie with the refresh token)',
};

const holders: Record<Standing, string> = {
  project: 'the backend',
  owner: 'the owner',
  admin: 'admins',
  member: 'members',
  invited: 'the invitee',
  none: 'everybody',
};

/** What each rate limit counts. A limit without words is not met by requests: it only suppresses mails. */
const counted: Record<Exclude<Rate, 'newDeviceMails' | 'noticesToOne'>, string> = {
  passwordFailures: 'wrong passwords for an account',
  factorFailures: 'wrong codes of a user',
  mailsToOne: 'mails to an e-mail',
  mailsToOneDaily: 'mails to an e-mail',
  mailsFromOne: 'mails requested from a network',
  mailsFromSite: 'mails requested from an IPv6 /48',
  failuresFromOne: 'failed attempts from a network',
  providerStartsFromOne: 'redirects to identity providers from a network',
  providerTokenRefreshes: "refreshes of a user's token at one identity provider",
  invitationsToOne: 'mailed invitations to an e-mail',
  unmailedInvitationsToOne: 'invitations to an e-mail without a mail',
  invitationsByOne: 'invitations by a user, or by all keys of a workspace',
  additionsByOne: 'members added by a user, or by all keys of a workspace',
  workspacesByOne: 'workspaces created by a user',
  secondFactorDemands: 'times that the owner of a workspace sets `require_mfa` to true',
  emailChangesByOne: 'links mailed to new e-mails that a user asks to change to',
  redeliveredRanges: 'time ranges of a project',
  redeliveredEvents: 'single events of a project',
  changesByOne: 'changes by a user with an access token, of all kinds together',
  signInsOfOne: 'sign-ins of a user by one method, or for all clients,',
  networkDoor: 'requests to this operation of a project from a network',
  projectDoor: 'requests to this operation of a project',
};

/** The description of an operation, in Markdown: its note, then what its route and the permission table say. */
export function describe(route: NamedRoute): string {
  const note = operationNotes[route.name];
  const scope = scopeOf(route);
  const facts = {
    Caller: callersOf(route),
    Scope: scope && `\`${scope}\`, if the secret of the backend is limited to scopes`,
    Permission: note.permissions?.map((action) => permission(action, route)).join('; '),
    Limits: limitsOf(route).join('; '),
    Retries: retriesOf(route),
    Events: note.events?.map((type) => `\`${type}\``).join(', '),
  };
  const lines = Object.entries(facts).flatMap(([name, fact]) =>
    fact ? [`- **${name}:** ${fact}.`] : [],
  );
  return `${note.text}\n\n${lines.join('\n')}`;
}

function callersOf(route: NamedRoute): string {
  const but = route.notByActor ? '; nobody who acts as the user' : '';
  const callerNames = [
    ...route.auth.map((scheme) => callers[scheme]),
    ...(takesKey(route, 'user') ? ['a program of a user (Bearer, API key)'] : []),
    ...(takesKey(route, 'workspace') ? ['a program of the workspace (Bearer, API key)'] : []),
  ];
  if (callerNames.length > 0) return callerNames.join(' or ') + but;
  return isPublicByProject(route) ? 'anyone; the body names the project' : 'anyone';
}

function permission(action: Action, { auth }: NamedRoute): string {
  const allowed = standings.filter(
    (standing) =>
      policy[action][standing] === 'allow' && (standing !== 'project' || auth.includes('project')),
  );
  return `\`${action}\` (${allowed.map((standing) => holders[standing]).join(', ')})`;
}

function limitsOf(route: NamedRoute): string[] {
  const { query, body, bodyLimit, time, name } = route;
  const page = (query?.shape['limit'] ?? body?.shape['limit']) as z.ZodType | undefined;
  const { default: usual = limits.page.default } = page?.meta() ?? {};
  const ofProject = isPublicByProject(route) ? (['networkDoor', 'projectDoor'] as const) : [];
  const ofUser = isCountedChange(route) ? (['changesByOne'] as const) : [];
  return [
    ...[...ofProject, ...ofUser, ...(operationNotes[name].rates ?? [])].map(rateLimit),
    ...(page ? [`pages of ${Number(usual)}, at most ${limits.page.max}`] : []),
    ...(bodyLimit ? [`a body of at most ${bodyLimit / 1_024} KiB`] : []),
    ...(time ? [`up to ${time / 1_000} seconds: set your client timeout higher`] : []),
  ];
}

const periods: Record<number, string> = {
  10: '10 seconds',
  60: 'a minute',
  600: '10 minutes',
  900: '15 minutes',
  86_400: 'a day',
};

function rateLimit(rate: Rate): string {
  const { max, seconds } = rates[rate];
  return `${max.toLocaleString('en')} ${counted[rate as keyof typeof counted]} in ${periods[seconds]}`;
}

function retriesOf(route: NamedRoute): string {
  if (isReadOnly(route)) return 'safe to repeat';
  if (!takesIdempotencyKey(route)) return 'takes no `Idempotency-Key`';
  const key = 'with an `Idempotency-Key` the request takes effect once';
  return route.ifMatch ? `${key}; \`If-Match\` protects the changes of others` : key;
}
