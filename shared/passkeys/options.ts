import type { Project } from '../access/projects.ts';
import { relyingPartyOf } from '../access/relying-party.ts';
import type { UserItem } from '../identity/users/users.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import type { PasskeyItem } from './passkeys.ts';
import { userHandleOf } from './user-handle.ts';
import { algorithms } from './webauthn.ts';

/** What browsers are told; the JSON forms of WebAuthn level 3, sections 5.4 and 5.5. */

const timeout = lifetimes.passkeyChallenge * 1_000;

/** Throws `sign_in_method_disabled` if the project has no passkeys. */
export function requirePasskeys({ passkeys }: Project): void {
  if (!passkeys) throw new ApiError('sign_in_method_disabled');
}

/**
 * Options to make a passkey. It must be discoverable, so that nobody has to type an e-mail, and verify the user by a
 * PIN or biometrics. No attestation is asked for: it would name the device, and nothing is decided by it.
 */
export function creationOptions(
  project: Project,
  user: UserItem,
  existing: readonly PasskeyItem[],
  challenge: string,
) {
  const { uid, email, display_name = '' } = user;
  return {
    rp: { id: relyingPartyOf(project).id, name: project.name },
    user: {
      id: userHandleOf(uid),
      name: email === '' ? uid : email,
      displayName: display_name === '' ? email : display_name,
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout,
    excludeCredentials: existing.map(({ credential_id, transports }) => ({
      id: credential_id,
      type: 'public-key' as const,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
}

/** Options to sign in. They name no credential: the device offers those that it has, and nobody learns who has any. */
export const requestOptions = (project: Project, challenge: string) => ({
  rpId: relyingPartyOf(project).id,
  challenge,
  timeout,
  userVerification: 'required' as const,
});
