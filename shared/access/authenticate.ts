import type { Scheme } from '../contract/route.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import { projectId } from '../model/fields.ts';
import { lifetimes } from '../model/limits.ts';
import { verifyAccessToken } from './access-token.ts';
import { readAuthorization, readBasic } from './authorization-header.ts';
import type { Caller, ProjectCaller } from './caller.ts';
import { recordSecretUse } from './last-use.ts';
import { findSecret, isProjectSecret } from './project-secret.ts';
import { allowsImpersonation, getProject, getProjectWith, type ProjectSecret } from './projects.ts';
import { getPublicKey } from './public-keys.ts';

/** Maximum length of an Authorization header in characters; longer ones are rejected unread. */
const maxLength = 4_200;

/**
 * Authenticates the caller from the Authorization header, with one of the route's schemes. A user's session is verified
 * later, together with the handler's first read. Throws `unauthenticated` or `token_expired`.
 *
 * @param address of the client, which a secret may be limited to
 */
export async function authenticate(
  schemes: readonly Scheme[],
  authorization: string | undefined,
  now: Date,
  address = '',
): Promise<Caller> {
  const header = readAuthorization(authorization, maxLength);
  if (!header)
    throw new ApiError('unauthenticated', { reason: 'no credential of an accepted scheme' });
  const { scheme, credential } = header;
  switch (scheme) {
    case 'basic':
      if (schemes.includes('project')) return authenticateProject(credential, now, address);
      break;
    case 'bearer':
      if (schemes.includes('access')) return authenticatePerson(credential, now);
      if (schemes.includes('refresh')) return { kind: 'refresh', token: credential };
      break;
  }
  throw new ApiError('unauthenticated', { reason: 'not a scheme of this endpoint' });
}

async function authenticateProject(
  credential: string,
  now: Date,
  address: string,
): Promise<ProjectCaller> {
  const basic = readBasic(credential);
  // Text that cannot be a project secret is rejected without a read.
  if (!basic || !projectId.safeParse(basic.id).success || !isProjectSecret(basic.secret))
    throw new ApiError('unauthenticated', { reason: 'no project secret' });
  const { id: project_id, secret } = basic;
  // So that the log names the project whose backend is refused, or that cannot be read.
  currentRequest().subject = { project_id };
  let reason = 'no such project, or not a secret of it';
  for (const maxAge of [lifetimes.projectCache, lifetimes.projectReread]) {
    const project = await getProject(project_id, maxAge);
    const projectSecret = findSecret(project, secret, now);
    if (!project || !projectSecret) continue;
    // The same steps and the same response as for a wrong secret: a thief elsewhere must not learn that it is right.
    if (!(await worksFrom(projectSecret, address))) {
      reason = 'the secret does not work from this address';
      continue;
    }
    const { secret_id, scopes } = projectSecret;
    recordSecretUse(project_id, secret_id);
    return { kind: 'project', project_id, project, secret_id, scopes };
  }
  throw new ApiError('unauthenticated', { reason });
}

/** Whether a secret works from an address. Loaded as a separate chunk: most secrets work from everywhere. */
const worksFrom = async ({ source_cidrs }: ProjectSecret, address: string): Promise<boolean> =>
  source_cidrs === undefined || (await import('./source-cidrs.ts')).isInside(address, source_cidrs);

/** The challenge to backends (RFC 7617). */
export const basicChallenge = 'Basic realm="project", charset="UTF-8"';

async function authenticatePerson(token: string, now: Date): Promise<Caller> {
  const claims = await verifyAccessToken(token, env.baseUrl(), now, getPublicKey);
  const { sub, aud, sid, act, exp } = claims;
  const project = await getProjectWith(aud);
  if (!project) throw new ApiError('unauthenticated', { reason: 'the project is gone' });
  if (act && !allowsImpersonation(project, exp))
    throw new ApiError('unauthenticated', { detail: 'The project no longer allows impersonation' });
  return {
    kind: 'person',
    project_id: aud,
    project,
    uid: sub,
    session_id: sid,
    impersonator: act?.sub,
    claimed: claims,
  };
}

/**
 * The `WWW-Authenticate` challenges of a 401 (RFC 9110 section 11.6.1): every scheme of the route. A public route,
 * whose credentials are in the body, names the scheme of the tokens that it returns. Of the OAuth clients only one that
 * used Basic is asked for Basic (RFC 6749 section 5.2), because at that challenge a browser asks for a password.
 */
export function challenges(
  schemes: readonly Scheme[],
  failure: ApiError,
  authorization: string | undefined,
): string {
  const used = authorization?.toLowerCase() ?? '';
  if (failure.code === 'invalid_client' && /^basic(?: |$)/.test(used))
    return 'Basic realm="client", charset="UTF-8"';
  // RFC 6750 section 3.1: no error code if no token was sent. A valid token stays valid if a password or the token of an
  // identity provider was wrong, or if a public route did not check the token.
  const ofBody = ['invalid_credentials', 'identity_token_invalid'].includes(failure.code);
  const aboutToken = schemes.length > 0 && !ofBody && used.startsWith('bearer ');
  const error = aboutToken ? `, error="invalid_token", error_description="${failure.detail}"` : '';
  const byPerson = schemes.length === 0 || schemes.some((scheme) => scheme !== 'project');
  return [
    ...(schemes.includes('project') ? [basicChallenge] : []),
    ...(byPerson ? [`Bearer realm="user"${error}`] : []),
  ].join(', ');
}
