import { requireLiveSession } from '#shared/access/live-session.ts';
import { requireRecentSignIn } from '#shared/access/recent-sign-in.ts';
import { factors } from '#shared/contract/factors.ts';
import { requireMfa, startTotp } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';

export const handler = endpoint(factors.startTotp, async ({ body, caller, now }) => {
  requireMfa(caller.project);
  const { current_password } = body;
  const [user, session, key] = await Promise.all([
    reauthenticate(caller, current_password, now),
    requireLiveSession(caller, now),
    getFactorKey(),
  ]);
  // Who has no password has nothing else to prove.
  if (current_password === undefined) requireRecentSignIn(session, now);
  return startTotp(caller, user, key, now);
});
