import { ApiError, notFound } from './errors.ts';

/** What a caller is to a workspace. `project` is the backend of its project. */
export const standings = ['project', 'owner', 'admin', 'member', 'invited', 'none'] as const;
export type Standing = (typeof standings)[number];

type Verdict = 'allow' | 'forbid' | 'hide';

const everyMember = row('allow', 'allow', 'allow', 'allow', 'hide', 'hide');
const managers = row('allow', 'allow', 'allow', 'forbid', 'hide', 'hide');
const owners = row('allow', 'allow', 'forbid', 'forbid', 'hide', 'hide');

/** The permission table: who may do what. `forbid` returns 403, `hide` the 404 of a missing workspace. */
export const policy = {
  'workspace:read': everyMember,
  'workspace:update': managers,
  'workspace:read-metadata': managers,
  'workspace:set-domains': managers,
  'workspace:delete': owners,
  // A deleted workspace must look missing to everybody but its owner and the backend.
  'workspace:restore': row('allow', 'allow', 'hide', 'hide', 'hide', 'hide'),
  'api-key:manage': managers,
  'role:list': everyMember,
  'role:manage': managers,
  'domain:list': managers,
  'domain:prove': managers,
  'event:list': managers,
  'ownership:offer': owners,
  'ownership:accept': row('hide', 'hide', 'allow', 'forbid', 'hide', 'hide'),
  'ownership:end': row('allow', 'allow', 'allow', 'forbid', 'hide', 'hide'),
  'member:list-accepted': everyMember,
  'member:list-pending': managers,
  'member:read': everyMember,
  'member:add': managers,
  'member:change-role': managers,
  'member:suspend': managers,
  'member:remove': managers,
  'member:leave': row('hide', 'allow', 'allow', 'allow', 'hide', 'hide'),
  'invitation:create': managers,
  'invitation:list': managers,
  'invitation:resend': managers,
  'invitation:revoke': managers,
  'invitation:decline': row('allow', 'hide', 'hide', 'hide', 'allow', 'hide'),
  'join-link:create': managers,
  'join-link:list': managers,
  'join-link:revoke': managers,
  'join-request:list': managers,
  'join-request:approve': managers,
  'join-request:refuse': managers,
} as const satisfies Record<string, Record<Standing, Verdict>>;

export type Action = keyof typeof policy;

/** Whether a permission is one of the table. */
export const isAction = (permission: string): permission is Action =>
  Object.hasOwn(policy, permission);

/**
 * Whether a project may give an action to a role of its own: what admins may do, but for the ownership, which is
 * between the owner and an admin.
 */
export const isGrantable = (action: Action): boolean =>
  policy[action].admin === 'allow' && !action.startsWith('ownership:');

/** Whether the answer for a member depends on what else their role holds. */
export const dependsOnRole = (action: Action): boolean =>
  policy[action].member === 'forbid' && isGrantable(action);

/**
 * Returns if `standing` may do `action`. Throws `forbidden`, or `not_found` if the caller must not learn that the
 * workspace exists.
 *
 * @param permissions what the role of a member holds beyond what every member may do
 */
export function allow(action: Action, standing: Standing, permissions?: ReadonlySet<string>): void {
  const verdict = policy[action][standing];
  if (verdict === 'forbid' && permissions?.has(action) && dependsOnRole(action)) return;
  if (verdict === 'forbid')
    throw new ApiError('forbidden', { reason: 'the policy forbids it to this standing' });
  // Fails closed: only the exact verdict `allow` passes.
  if (verdict !== 'allow') throw notFound('the policy hides it from this standing');
}

function row(...verdicts: [Verdict, Verdict, Verdict, Verdict, Verdict, Verdict]) {
  return Object.fromEntries(standings.map((standing, i) => [standing, verdicts[i]])) as Record<
    Standing,
    Verdict
  >;
}
