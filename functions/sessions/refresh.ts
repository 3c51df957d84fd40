import { claimedProject, verifyAccessToken } from '#shared/access/access-token.ts';
import { clientsOf, getProject, type Project } from '#shared/access/projects.ts';
import { getPublicKey } from '#shared/access/public-keys.ts';
import { readRefreshToken } from '#shared/access/refresh-token.ts';
import { getSigningKeys, signerFor } from '#shared/access/signing-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { currentRequest } from '#shared/db/request-context.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import {
  authenticationOf,
  isSameAuthentication,
} from '#shared/identity/sessions/authentication.ts';
import { byTokenAlone } from '#shared/identity/sessions/renewable.ts';
import { rotateSession } from '#shared/identity/sessions/rotate-session.ts';
import { accessTokenOf, issueTokens } from '#shared/identity/sessions/session-response.ts';
import { claimsOfProject } from '#shared/identity/sessions/token-claims.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { withWallet } from '#shared/identity/wallet/user-wallet.ts';
import { env } from '#shared/model/env.ts';
import { ApiError } from '#shared/model/errors.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { claimsOfSession, workspaceClaims } from '#shared/workspaces/active-workspace.ts';

export const handler = endpoint(sessions.refresh, async ({ body, caller, now }) => {
  const claimed = claimedProject(body.accessToken);
  // So that the log names a project where neither token is valid.
  if (claimed !== undefined) currentRequest().subject = { project_id: claimed };
  const signingKeys = await getSigningKeys();
  const refresh = readRefreshToken(caller.token, signingKeys.refreshSecret);
  // Beside the keys, which a new instance reads too. A request without a refresh token has failed already.
  if (claimed !== undefined) getProject(claimed).catch(() => {});
  const access = await verifyAccessToken(
    body.accessToken,
    env.baseUrl(),
    now,
    getPublicKey,
    'accept',
  );
  if (access.sub !== refresh.uid || access.sid !== refresh.session_id)
    throw new ApiError('unauthenticated', {
      detail: 'The two tokens belong to different sessions',
    });
  const project_id = access.aud;
  currentRequest().subject = { uid: refresh.uid, session_id: refresh.session_id, project_id };
  // Read and signed while the rotation is under way, and given to nobody if that is refused.
  const { workspace_id, client_id, auth_time, amr, acr } = access;
  const reading = Promise.all([
    getUser(project_id, refresh.uid),
    workspaceClaims({ project_id, uid: refresh.uid, workspace_id }, acr === 'aal1'),
  ]);
  reading.catch(() => {});
  const project = await getProject(project_id);
  const renewed = {
    ...refresh,
    project_id,
    client_id,
    counter: refresh.counter + 1,
    rotated_at: now.toISOString(),
    authentication: { auth_time, amr, acr },
  };
  const signing = reading.then(async ([user, active]) => {
    if (!user) return undefined;
    const signer = signerFor(project ?? {}, signingKeys);
    const custom = await claimsOfProject(project, user);
    const token = accessTokenOf(renewed, user, { ...custom, ...active }, signer);
    return { user, signer, custom, token };
  });
  signing.catch(() => {});
  const rotate = (of: Project | undefined) =>
    rotateSession({ ...refresh, renewable: byTokenAlone(clientsOf(of)) }, project_id, now);
  return rotate(project)
    .ifRefused(async (failure) => {
      if (failure.code !== 'unauthenticated') return failure;
      // A client that was just created may be missing in the cache.
      const latest = await getProject(project_id, lifetimes.projectReread);
      return latest === project ? failure : rotate(latest);
    })
    .as(async (session) => {
      const signed = await signing;
      if (!signed) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
      const { user, signer, custom, token } = signed;
      // A refresh token that is presented again gets what it got the first time. After the access token was signed, the
      // workspace may have been chosen, and the person may have reauthenticated.
      const isSigned =
        session.rotated_at === renewed.rotated_at &&
        session.workspace_id === workspace_id &&
        (session.client_id ?? project_id) === (client_id ?? project_id) &&
        isSameAuthentication(renewed.authentication, authenticationOf(session));
      const access_token = isSigned
        ? token
        : accessTokenOf(session, user, { ...custom, ...(await claimsOfSession(session)) }, signer);
      return issueTokens(
        { session, user: await withWallet(user), created: false },
        access_token,
        signingKeys.refreshSecret,
      );
    });
});
