import { type AccessClaims, customClaims, verifyAccessToken } from '#shared/access/access-token.ts';
import { findLiveSession } from '#shared/access/live-session.ts';
import { allowsImpersonation } from '#shared/access/projects.ts';
import { getPublicKey } from '#shared/access/public-keys.ts';
import { sessions } from '#shared/contract/sessions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { env } from '#shared/model/env.ts';
import { ApiError } from '#shared/model/errors.ts';
import { workspaceClaims } from '#shared/workspaces/active-workspace.ts';
import { isSessionSingleFactor } from '#shared/workspaces/second-factor.ts';

export const handler = endpoint(sessions.introspect, async ({ body, caller, now }) => {
  const claims = await read(body.token, now);
  // A token of another project must not be revealed to this caller.
  if (claims?.aud !== caller.project_id) return { active: false as const };
  const { sub, sid, aud, iss, iat, exp, jti, auth_time, amr, acr, act, workspace_id } = claims;
  if (act && !allowsImpersonation(caller.project, exp)) return { active: false as const };
  const of = { uid: sub, session_id: sid, project_id: aud };
  const [session, active] = await Promise.all([
    findLiveSession(of, now),
    // A second read that nobody awaits would end the process where it fails.
    workspace_id === undefined
      ? {}
      : workspaceClaims({ ...of, workspace_id }, isSessionSingleFactor(of)),
  ]);
  if (!session) return { active: false as const };
  return {
    // First: no claim of a project replaces one of the service.
    ...customClaims(body.token),
    active: true as const,
    token_type: 'Bearer' as const,
    client_id: claims.client_id ?? aud,
    ...{ sub, sid, aud, iss, iat, exp, jti, auth_time, amr, acr },
    ...(act && { act }),
    ...active,
  };
});

/** The claims of an access token; undefined if it is not valid now. */
async function read(token: string, now: Date): Promise<AccessClaims | undefined> {
  try {
    return await verifyAccessToken(token, env.baseUrl(), now, getPublicKey);
  } catch (error) {
    const invalid =
      error instanceof ApiError && /^(?:unauthenticated|token_expired)$/.test(error.code);
    if (invalid) return undefined;
    throw error;
  }
}
