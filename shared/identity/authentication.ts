import type { AuthenticationClaims } from '../access/access-token.ts';
import type { SessionItem } from '../access/live-session.ts';

/** What somebody has shown, by sign-in method, in the words of RFC 8176. A provider's word has none there. */
const shown: ReadonlyMap<string, readonly string[]> = new Map([
  ['idpw', ['pwd']],
  ['email_code', ['otp']],
  ['passkey', ['pop', 'user', 'mfa']],
]);

type Authenticated = Pick<
  SessionItem,
  'method' | 'second_factor' | 'created_at' | 'authenticated_at' | 'actor'
>;

/**
 * Whether the person of a session has shown one factor alone. Not where a backend has vouched for them: it asks for what it
 * wants to.
 */
export const isSingleFactor = (session: Authenticated): boolean =>
  authenticationOf(session).acr === 'aal1';

/** When the person of a session signed in, in epoch seconds. */
export const signedInAt = ({
  created_at,
  authenticated_at = created_at,
}: Pick<Authenticated, 'created_at' | 'authenticated_at'>): number =>
  Math.floor(Date.parse(authenticated_at) / 1_000);

/**
 * When and how the person of a session signed in. `acr` is `aal2` where two things were shown, of which a mailed code or a
 * provider's word is one, and else `aal1`. Where a backend has vouched for the person, only the time is known; where
 * somebody acts as them, nothing.
 */
export function authenticationOf(session: Authenticated): AuthenticationClaims {
  const { method, second_factor, actor } = session;
  if (actor) return {};
  const auth_time = signedInAt(session);
  if (method === 'project') return { auth_time };
  const amr = [
    ...new Set([...(shown.get(method) ?? []), ...(second_factor ? ['otp', 'mfa'] : [])]),
  ];
  return {
    auth_time,
    ...(amr.length > 0 && { amr }),
    acr: amr.includes('mfa') ? 'aal2' : 'aal1',
  };
}
