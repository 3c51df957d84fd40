import { ApiError, notFound } from '../model/errors.ts';

/** What a caller is to a workspace. `project` is its project's back end. */
export const standings = ['project', 'owner', 'admin', 'member', 'invited', 'none'] as const;
export type Standing = (typeof standings)[number];

type Verdict = 'allow' | 'forbid' | 'hide';

const everyMember = row('allow', 'allow', 'allow', 'allow', 'hide', 'hide');
const managers = row('allow', 'allow', 'allow', 'forbid', 'hide', 'hide');
const owners = row('allow', 'allow', 'forbid', 'forbid', 'hide', 'hide');

/** Who may do what: the one permission table. `forbid` answers 403, `hide` the 404 of a missing workspace. */
export const policy = {
  'workspace:read': everyMember,
  'workspace:update': managers,
  'workspace:set-domains': managers,
  'workspace:delete': owners,
  // One that is deleted is gone, for whoever else was in it too.
  'workspace:restore': row('allow', 'allow', 'hide', 'hide', 'hide', 'hide'),
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

/** Returns when `standing` may do `action`; else throws `forbidden`, or `not_found` to whoever may not know. */
export function allow(action: Action, standing: Standing): void {
  const verdict = policy[action][standing];
  if (verdict === 'forbid')
    throw new ApiError('forbidden', { reason: 'the policy forbids it to this standing' });
  // Nothing but the one word lets anybody through.
  if (verdict !== 'allow') throw notFound('the policy hides it from this standing');
}

function row(...verdicts: [Verdict, Verdict, Verdict, Verdict, Verdict, Verdict]) {
  return Object.fromEntries(standings.map((standing, i) => [standing, verdicts[i]])) as Record<
    Standing,
    Verdict
  >;
}
