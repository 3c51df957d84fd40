import { type api, type Operation, routes } from '#shared/contract/api.ts';
import { takesKey } from '#shared/contract/key-access.ts';
import { type Route, takesIdempotencyKey } from '#shared/contract/route.ts';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import { type Action, policy, type Standing } from '#shared/model/policy.ts';
import { type Sample, sampleOf } from '../contract/samples.ts';

/**
 * Every endpoint x caller x standing x project, with the response required by the permission table and the contract.
 */

/** The callers: the kind of their credential, and their standing in the workspace of the scene. */
const callers = {
  nobody: { by: 'nobody' },
  'signed out': { by: 'nobody' },
  'deleted user': { by: 'nobody' },
  'disabled user': { by: 'nobody' },
  /** Of a workspace that was deleted. */
  'ended key': { by: 'nobody' },
  'refresh token': { by: 'refresh' },
  project: { by: 'project', standing: 'project' },
  owner: { by: 'access', standing: 'owner' },
  admin: { by: 'access', standing: 'admin' },
  /** The admin to whom ownership is offered. */
  heir: { by: 'access', standing: 'admin' },
  member: { by: 'access', standing: 'member' },
  suspended: { by: 'access', standing: 'none' },
  invited: { by: 'access', standing: 'invited' },
  /** Has a join request. */
  asker: { by: 'access', standing: 'none' },
  left: { by: 'access', standing: 'none' },
  removed: { by: 'access', standing: 'none' },
  stranger: { by: 'access', standing: 'none' },
  'other project': { by: 'project' },
  foreigner: { by: 'access' },
  /** API keys of the workspace of the scene, and of that of the other project. */
  'admin key': { by: 'workspace key', standing: 'admin' },
  'member key': { by: 'workspace key', standing: 'member' },
  'foreign key': { by: 'workspace key' },
} as const satisfies Record<
  string,
  { by: 'nobody' | 'refresh' | 'project' | 'access' | 'workspace key'; standing?: Standing }
>;
export type CallerName = keyof typeof callers;
const callerNames = Object.keys(callers) as CallerName[];
/** A caller for which cases can have different rules. */
type Live = Exclude<
  CallerName,
  'nobody' | 'signed out' | 'deleted user' | 'disabled user' | 'ended key' | 'refresh token'
>;

/** The target of the ids in a request; for the last three, the target named in addition to the own workspace. */
const reaches = ['own', 'foreign', 'missing', 'deleted', 'stray', 'crossed', 'lost'] as const;
export type Reach = (typeof reaches)[number];

/**
 * The values in requests. `uid`, `session_id` and `user_key_id` belong to the caller `member`, or to the deleted user;
 * `key_id` to the workspace; `access_token` belongs to the refresh token.
 */
export type Ids = Record<
  | ('workspace_id' | 'uid' | 'session_id' | 'link_id' | 'webhook_id' | 'key_id' | 'user_key_id')
  | ('owner' | 'fellow' | 'admin' | 'guest' | 'asker' | 'newcomer' | 'email')
  | ('join_token' | 'invitation_token' | 'access_token'),
  string
>;

export type Outcome = 'allow' | ErrorCode;

export type Case = {
  /** The variant, if an operation needs different permissions for different inputs. */
  what?: string;
  /**
   * An action of the permission table; `self`: the caller's own data; `user`: a user's data, by the user or the
   * backend; `project`: only the backend; or a function.
   */
  rule: Action | 'self' | 'user' | 'project' | ((caller: Live, reach: Reach) => Outcome);
  /** Differences from the contract's sample; path ids are filled in by name. */
  request?: (at: Ids, self: string) => Partial<Sample>;
  /** Callers who are rejected before the precondition is checked. */
  sooner?: Partial<Record<Live, ErrorCode>>;
  /** The error for permitted callers, for all or by name. */
  but?: ErrorCode | Partial<Record<Live, ErrorCode>>;
  /** Additional permitted callers. */
  also?: Partial<Record<Reach, readonly Live[]>>;
};

/** The operations that need a credential. */
type GuardedIn<G> = {
  [V in keyof G]: G[V] extends { auth: readonly []; name: string }
    ? never
    : G[V] extends { name: infer N extends string }
      ? N
      : never;
}[keyof G];
export type Guarded = { [G in keyof typeof api]: GuardedIn<(typeof api)[G]> }[keyof typeof api] &
  Operation;

export type Cell = {
  name: string;
  caller: CallerName;
  reach: Reach;
  expected: Outcome;
  route: Route;
  case: Case;
  headers: Record<string, string>;
};

/** How a request is sent: plain, with a precondition on a nonexistent version, or with an Idempotency-Key. */
type Manner = {
  name?: string;
  headers: Record<string, string>;
  /** The error for permitted callers. */
  instead?: ErrorCode;
  reaches?: readonly Reach[];
};

function mannersOf(route: Route): Manner[] {
  const ifMatch = { 'if-match': '"no-version-of-it"' };
  const key = { 'idempotency-key': 'one-key-of-everybody' };
  if (route.sameOrigin) return [{ headers: { 'sec-fetch-site': 'same-origin' } }];
  return [
    { headers: {} },
    // Callers without permission must not learn the version, nor whether there is one.
    ...(route.ifMatch
      ? [{ name: 'if unchanged', headers: ifMatch, instead: 'precondition_failed' as const }]
      : []),
    ...(takesIdempotencyKey(route)
      ? [{ name: 'once', headers: key, reaches: ['own'] as const }]
      : []),
  ];
}

/** The request of a case. */
export function requestOf(route: Route, { request }: Case, at: Ids, self: string): Sample {
  const { params, query, body } = sampleOf(route);
  const own = request?.(at, self) ?? {};
  const byName = { ...at, user_id: at.fellow } as Record<string, string>;
  const filled = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, byName[name] ?? value]),
  );
  return {
    params: { ...filled, ...own.params },
    query: own.query ?? query,
    body: own.body ?? body,
  };
}

/** Every cell of the cases of some operations. */
export function cellsOf(cases: Partial<Record<Operation, readonly Case[]>>): Cell[] {
  return routes.flatMap((route) =>
    (cases[route.name] ?? []).flatMap((each) => {
      const reached = reachesOf(route, each);
      const rule = each.rule === 'project' && reached.length === 1 ? 'any project' : each.rule;
      return mannersOf(route).flatMap(
        ({ name: manner, headers, instead, reaches: some = reached }) => {
          const name = [route.name, each.what, manner].filter(Boolean).join(', ');
          return callerNames.flatMap((caller) =>
            some
              .filter(
                (reach) =>
                  !isAtHome(caller, reach) &&
                  !(isKey(caller) && isOfSelf(route, each)) &&
                  (isTaken(route, caller) || (reach === 'own' && manner === undefined)),
              )
              .map((reach) => {
                const ruled: Ruled = { ...each, rule };
                const expected = expectedOf(route, ruled, caller, reach, instead);
                return { ...{ name, caller, reach, route, case: each, headers }, expected };
              }),
          );
        },
      );
    }),
  );
}

/** The targets that result in different requests. */
function reachesOf(route: Route, each: Case): Reach[] {
  const seen = new Set<string>();
  return reaches.filter((reach) => {
    const request = JSON.stringify(requestOf(route, each, symbols[reach], 'self'));
    const isNew = !seen.has(request);
    seen.add(request);
    return isNew;
  });
}

/**
 * Callers of the foreign project are strangers only to ours; in their own project they have the roles of our callers
 * here.
 */
const isAtHome = (caller: CallerName, reach: Reach): boolean =>
  reach === 'foreign' && ['other project', 'foreigner', 'foreign key'].includes(caller);

const isKey = (caller: CallerName): boolean => callers[caller].by === 'workspace key';

/** Whether a route accepts the caller's kind of credential. It rejects other kinds before any other check. */
function isTaken(route: Route, caller: CallerName): boolean {
  const { by } = callers[caller];
  if (by === 'nobody') return false;
  return by === 'workspace key' ? takesKey(route, 'workspace') : route.auth.includes(by);
}

/** Whether a case is about the calling user; a key of a workspace is not one. */
const isOfSelf = (route: Route, each: Case): boolean =>
  takesKey(route, 'workspace') &&
  JSON.stringify(requestOf(route, each, own, 'self')) !==
    JSON.stringify(requestOf(route, each, own, 'another'));

/** Requests without ids concern the caller's own project. */
type Ruled = Omit<Case, 'rule'> & { rule: Case['rule'] | 'any project' };

function expectedOf(
  route: Route,
  each: Ruled,
  name: CallerName,
  reach: Reach,
  instead?: ErrorCode,
): Outcome {
  const { by } = callers[name];
  if (!isTaken(route, name)) return 'unauthenticated';
  if (by === 'refresh' && reach !== 'own') return 'unauthenticated';
  if (by === 'refresh') return typeof each.but === 'string' ? each.but : 'allow';
  const caller = name as Live;
  const verdict = verdictOf(each, caller, reach);
  if (verdict !== 'allow' || typeof each.rule === 'function') return verdict;
  // In the own workspace, but the target belongs elsewhere or does not exist.
  if (['stray', 'crossed', 'lost'].includes(reach)) return 'not_found';
  // A deleted resource has no version.
  if (instead && reach === 'own') return each.sooner?.[caller] ?? instead;
  const { but } = each;
  return (typeof but === 'string' ? but : but?.[caller]) ?? 'allow';
}

function verdictOf({ rule, also }: Ruled, caller: Live, reach: Reach): Outcome {
  if (typeof rule === 'function') return rule(caller, reach);
  if (rule === 'self' || rule === 'any project' || also?.[reach]?.includes(caller)) return 'allow';
  if (reach === 'deleted') return 'not_found';
  const isOurs = reach !== 'foreign' && reach !== 'missing';
  const { standing } = callers[caller] as { standing?: Standing };
  if (rule === 'project') return caller === 'project' && isOurs ? 'allow' : 'not_found';
  if (rule === 'user')
    return isOurs && (caller === 'project' || caller === 'member') ? 'allow' : 'not_found';
  if (!isOurs || standing === undefined) return 'not_found';
  return outcomes[policy[rule][standing]];
}
const outcomes = { allow: 'allow', forbid: 'forbidden', hide: 'not_found' } as const;

const named = (of: string): Ids => ({
  ...{ workspace_id: of, uid: of, session_id: of, link_id: of, webhook_id: of, owner: of },
  ...{ key_id: of, user_key_id: of },
  ...{ fellow: of, admin: of, guest: of, asker: of, newcomer: of, email: of },
  ...{ join_token: of, invitation_token: of, access_token: of },
});
/** Symbolic ids that only show which are equal: the people of the deleted workspace are those of the other. */
const peopleOf = ({ owner, fellow, admin, guest, asker, newcomer, email }: Ids) => ({
  ...{ owner, fellow, admin, guest, asker, newcomer, email },
});
const own = named('own');
const deleted = { ...named('deleted'), ...peopleOf(own) };
const symbols: Record<Reach, Ids> = {
  own,
  foreign: named('foreign'),
  missing: named('missing'),
  deleted,
  stray: { ...named('foreign'), workspace_id: 'own' },
  crossed: { ...deleted, workspace_id: 'own' },
  lost: { ...named('missing'), workspace_id: 'own' },
};
