import { findLiveSession, sessionEnded } from '#shared/access/live-session.ts';
import { getSigningKeys, signerFor } from '#shared/access/signing-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { change, update } from '#shared/db/change.ts';
import { keys } from '#shared/db/keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authenticationOf } from '#shared/identity/sessions/authentication.ts';
import { secondsLeft, tokenInWorkspace } from '#shared/identity/sessions/session-response.ts';
import { unrevoked } from '#shared/identity/sessions/sessions.ts';
import { tokenClaims } from '#shared/identity/sessions/token-claims.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';
import { workspaceClaims } from '#shared/workspaces/active-workspace.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(sessions.selectWorkspace, async ({ body, caller, now }) => {
  const { project_id, uid, session_id, project, claimed } = caller;
  const workspace_id = body.workspace_id ?? undefined;
  const [user, session, active, signingKeys] = await Promise.all([
    requireUser(project_id, uid),
    findLiveSession(caller, now),
    // `authorize` refuses members with one factor.
    workspaceClaims({ project_id, uid, workspace_id }, false),
    getSigningKeys(),
    workspace_id === undefined ? undefined : authorize(caller, 'workspace:read', workspace_id),
  ]);
  if (active.workspace_id !== workspace_id) throw notFound('no member of it');
  const claims = await tokenClaims(project, user, active);
  // They may have reauthenticated since the token of the request.
  const current = { ...caller, claimed: { ...claimed, ...(session && authenticationOf(session)) } };
  const choice =
    workspace_id === undefined ? { remove: ['workspace_id'] } : { set: { workspace_id } };
  return change(
    { session: update(keys.session(uid, session_id), choice, unrevoked) },
    undefined,
    sessionEnded,
  ).as(() => ({
    access_token: tokenInWorkspace(current, user, claims, signerFor(project, signingKeys), now),
    expires_in: secondsLeft(caller, now),
    ...active,
  }));
});
