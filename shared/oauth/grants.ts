import type * as z from 'zod';
import type { WorkspaceClaims } from '../access/access-token.ts';
import type { SessionItem } from '../access/live-session.ts';
import { tryReadRefreshToken, whyNoneOfOurs } from '../access/refresh-token.ts';
import { getSigningKeys, type SigningKeys, signerFor } from '../access/signing-keys.ts';
import type { oauth } from '../contract/oauth.ts';
import { getItem } from '../db/batch-loader.ts';
import type { Change } from '../db/change.ts';
import { keys } from '../db/keys.ts';
import { ofClient, type Renewable, withoutSecret } from '../identity/sessions/renewable.ts';
import { rotateSession } from '../identity/sessions/rotate-session.ts';
import { secondsOfToken } from '../identity/sessions/session-response.ts';
import { issueTokensFor } from '../identity/sessions/token-claims.ts';
import { getUser, type UserItem } from '../identity/users/users.ts';
import { ApiError, invalidField } from '../model/errors.ts';
import { claimsOfSession } from '../workspaces/active-workspace.ts';
import { countUnproven, type KnownClient } from './client-authentication.ts';
import { redeemCode, requireCode } from './codes.ts';
import { signIdToken } from './id-token.ts';
import { has, isNarrower } from './scopes.ts';

type Parameters = z.output<typeof oauth.token.body>;
type Tokens = z.input<typeof oauth.token.response>;

/** The grant types of the token endpoint, by their names (RFC 6749, sections 4.1.3 and 6). */
export const grantTypes = {
  authorization_code: byCode,
  refresh_token: byRefreshToken,
} as const;

async function byCode(
  { code, redirect_uri, code_verifier }: Parameters,
  knownClient: KnownClient,
  now: Date,
): Promise<Change<Tokens>> {
  if (code === undefined) throw required('code');
  if (redirect_uri === undefined) throw required('redirect_uri');
  if (code_verifier === undefined) throw required('code_verifier');
  await countUnproven(knownClient);
  // Before the code is used: keys that cannot be read must not cost it.
  const [signingKeys, { item, of }] = await Promise.all([
    getSigningKeys(),
    requireCode({ code, redirect_uri, code_verifier }, knownClient, now),
  ]);
  const [user, redemption] = await Promise.all([
    getUser(item.project_id, item.uid),
    redeemCode(item, of, now),
  ]);
  if (!user) throw gone();
  const { nonce } = item;
  return redemption.as((session) =>
    tokensOf({ session, user, knownClient: of, nonce, signingKeys, now }),
  );
}

async function byRefreshToken(
  { refresh_token, scope }: Parameters,
  knownClient: KnownClient,
  now: Date,
): Promise<Change<Tokens>> {
  if (refresh_token === undefined) throw required('refresh_token');
  const signingKeys = await getSigningKeys();
  const claims = tryReadRefreshToken(refresh_token, signingKeys.refreshSecret);
  if (!claims) {
    await countUnproven(knownClient);
    throw refused(whyNoneOfOurs(refresh_token));
  }
  const { project_id } = knownClient.project;
  const { client_id, created_at: client_created_at } = knownClient.client;
  const reading = getUser(project_id, claims.uid);
  // Used only once the rotation is done.
  reading.catch(() => {});
  if (scope !== undefined) {
    // Before the rotation, which a refusal must not have made.
    const session = await getItem<SessionItem>(keys.session(claims.uid, claims.session_id));
    if (session?.client_id === client_id && !isNarrower(scope, session.scope ?? ''))
      throw new ApiError('invalid_scope', { detail: 'More than was granted' });
  }
  const rotate = (of: KnownClient) =>
    rotateSession({ ...claims, renewable: sessionsOf(of) }, project_id, now);
  return rotate(knownClient)
    .ifRefused(async (failure) => {
      if (failure.code !== 'unauthenticated') return failure;
      // This instance may know a client of its id that was deleted.
      const latest = await knownClient.latest();
      return !latest || latest.client.created_at === client_created_at ? failure : rotate(latest);
    })
    .ifRefused((failure) =>
      failure.code === 'too_many_requests' ? failure : refused(failure.reason),
    )
    .as(async (session) => {
      const user = await reading;
      if (!user) throw gone();
      const active = claimsOfSession(session);
      return tokensOf({ session, user, knownClient, active, signingKeys, now });
    });
}

/**
 * The sessions of a client. One that was started with a secret is renewed with a secret only, also if the client has
 * none any more: its refresh token alone is worth nothing.
 */
function sessionsOf({ client, confidential }: KnownClient): Renewable {
  const own = ofClient(client);
  return confidential ? own : withoutSecret(own);
}

async function tokensOf(from: {
  session: SessionItem;
  user: UserItem;
  knownClient: KnownClient;
  nonce?: string | undefined;
  active?: Promise<WorkspaceClaims>;
  signingKeys: SigningKeys;
  now: Date;
}): Promise<Tokens> {
  const { session, user, knownClient, nonce, active, signingKeys, now } = from;
  const signer = signerFor(knownClient.project, signingKeys);
  const { access_token, refresh_token } = await issueTokensFor(
    knownClient.project,
    { session, user, created: false },
    signingKeys,
    active,
  );
  const { client_id } = knownClient.client;
  const { scope = '' } = session;
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: secondsOfToken(session, now),
    refresh_token,
    ...(has(scope, 'openid') && {
      id_token: signIdToken({ session, user, client_id, nonce, access_token }, signer),
    }),
    ...(scope !== '' && { scope }),
  };
}

const required = (name: string) => invalidField(`/body/${name}`, 'Is required for this grant type');
const refused = (reason: string) => new ApiError('invalid_grant', { reason });
const gone = () => refused('the user is gone');
