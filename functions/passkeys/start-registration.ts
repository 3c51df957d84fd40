import { requireLiveSession } from '#shared/access/live-session.ts';
import { requireRecentSignIn } from '#shared/access/recent-sign-in.ts';
import { passkeys } from '#shared/contract/passkeys.ts';
import { change } from '#shared/db/change.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { isAskedForFactor } from '#shared/identity/sign-in/first-factor.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { newPasskeyChallenge } from '#shared/passkeys/challenges.ts';
import { creationOptions, requirePasskeys } from '#shared/passkeys/options.ts';
import { listPasskeys } from '#shared/passkeys/passkeys.ts';
import { requirePasskeyRoom } from '#shared/passkeys/register.ts';

export const handler = endpoint(passkeys.startRegistration, async ({ body, caller, now }) => {
  const { project, project_id, uid, session_id } = caller;
  requirePasskeys(project);
  const { current_password } = body;
  const [user, session, existing] = await Promise.all([
    reauthenticate(caller, current_password, now),
    requireLiveSession(caller, now),
    listPasskeys(uid),
  ]);
  requirePasskeyRoom(user);
  // A passkey signs in without the second factor, and is two where a workspace requires them. Who has no password has
  // nothing else to prove.
  if (isAskedForFactor(project, user) || current_password === undefined)
    requireRecentSignIn(session, now);
  const made = newPasskeyChallenge({ purpose: 'register', project_id, uid, session_id }, now);
  const publicKey = creationOptions(project, user, existing, made.challenge);
  return change(made.writes, { publicKey });
});
