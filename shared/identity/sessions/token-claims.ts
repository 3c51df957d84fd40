import type { WorkspaceClaims } from '../../access/access-token.ts';
import type { Project } from '../../access/projects.ts';
import { type SigningKeys, signerFor } from '../../access/signing-keys.ts';
import { fieldsOf } from '../../metadata/stored.ts';
import { limits } from '../../model/limits.ts';
import { claimOf, isReservedClaim } from '../../model/token-claims.ts';
import { getUserMetadata } from '../users/user-metadata.ts';
import type { UserItem } from '../users/users.ts';
import {
  accessTokenOf,
  type CustomClaims,
  issueTokens,
  type TokenClaims,
} from './session-response.ts';

type Setting = Pick<Project, 'token_claims'> | undefined;

/** What an access token says beside its user and session. A claim of the service replaces one of the project. */
export async function tokenClaims(
  project: Setting,
  user: UserItem,
  active: WorkspaceClaims | Promise<WorkspaceClaims>,
): Promise<TokenClaims> {
  const [custom, workspace] = await Promise.all([claimsOfProject(project, user), active]);
  return { ...custom, ...workspace };
}

/**
 * The claims that a project puts into the access tokens of a user: in the order of its setting, what is set and still
 * fits into the limit. Reads the metadata only if the project wants some of it and the user has any.
 */
export async function claimsOfProject(project: Setting, user: UserItem): Promise<CustomClaims> {
  const paths = project?.token_claims ?? [];
  if (paths.length === 0) return {};
  const usesMetadata = user.has_metadata && paths.some((path) => path.startsWith('app_metadata.'));
  const { app_metadata } = fieldsOf(usesMetadata ? await getUserMetadata(user.uid) : undefined);
  const source = { external_id: user.external_id, app_metadata };
  const claims: CustomClaims = {};
  for (const path of paths) {
    const name = claimOf(path);
    const value = valueAt(source, path.split('.'));
    // A name that became reserved after the project had chosen it must not forge what the service says itself.
    if (value === undefined || isReservedClaim(name)) continue;
    const more = { ...claims, [name]: value };
    if (Buffer.byteLength(JSON.stringify(more)) <= limits.tokenClaimBytes) claims[name] = value;
  }
  return claims;
}

function valueAt(source: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (within, name) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, name)
        ? (within as Record<string, unknown>)[name]
        : undefined,
    source,
  );
}

/** The response of a sign-in to a project, whose claims the access token has. */
export async function issueTokensFor(
  project: Project,
  signedIn: Parameters<typeof issueTokens>[0],
  signingKeys: SigningKeys,
  active: WorkspaceClaims | Promise<WorkspaceClaims> = {},
) {
  const { session, user } = signedIn;
  const claims = await tokenClaims(project, user, active);
  const access_token = accessTokenOf(session, user, claims, signerFor(project, signingKeys));
  return issueTokens(signedIn, access_token, signingKeys.refreshSecret);
}
