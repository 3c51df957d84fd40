import type { AuthenticationClaims } from '../../access/access-token.ts';
import type { SessionItem } from '../../access/live-session.ts';
import { signedInAt } from '../../access/recent-sign-in.ts';

type References = ReadonlyMap<string | undefined, readonly string[]>;

const passkey = ['pop', 'user', 'mfa'];
/** What somebody has shown, by sign-in method, in the words of RFC 8176. A provider's word has none there. */
const methodReferences: References = new Map([
  ['idpw', ['pwd']],
  ['email_code', ['otp']],
  ['email_link', ['otp']],
  ['passkey', passkey],
]);
/** The same by second factor. Apart, because up to 0.27.0 an operator could give a provider the name of one. */
const factorReferences: References = new Map([
  ['totp', ['otp', 'mfa']],
  ['recovery_code', ['otp', 'mfa']],
  ['passkey', passkey],
]);

type Authenticated = Pick<
  SessionItem,
  'method' | 'second_factor' | 'created_at' | 'authenticated_at' | 'actor'
>;

/**
 * Whether the person of a session has shown one factor alone. Not where a backend has vouched for them: it asks for
 * what it wants to.
 */
export const isSingleFactor = (session: Authenticated): boolean =>
  authenticationOf(session).acr === 'aal1';

/**
 * Returns when and how the user signed in. `acr` is `aal2` after two factors, of which a mailed code or a provider's
 * assertion counts as one, else `aal1`. A session that a backend started has only `auth_time`, until the user shows a
 * second factor. A session in which somebody acts as the user has none of them.
 */
export function authenticationOf(session: Authenticated): AuthenticationClaims {
  const { method, second_factor, actor } = session;
  if (actor) return {};
  const auth_time = signedInAt(session);
  if (method === 'project' && second_factor === undefined) return { auth_time };
  const amr = [
    ...new Set([
      ...(methodReferences.get(method) ?? []),
      ...(factorReferences.get(second_factor) ?? []),
    ]),
  ];
  return {
    auth_time,
    ...(amr.length > 0 && { amr }),
    acr: amr.includes('mfa') ? 'aal2' : 'aal1',
  };
}

/** Whether two tokens say the same of how the person signed in. */
export const isSameAuthentication = (
  one: AuthenticationClaims,
  other: AuthenticationClaims,
): boolean =>
  one.auth_time === other.auth_time &&
  one.acr === other.acr &&
  JSON.stringify(one.amr) === JSON.stringify(other.amr);
