import { makeDeviceToken } from '../access/device-token.ts';
import type { Project } from '../access/projects.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { reply } from '../http/reply.ts';
import { deviceOf } from '../identity/sessions/devices.ts';
import { issueTokensFor } from '../identity/sessions/token-claims.ts';
import type { SignedIn } from '../identity/sign-in/first-factor.ts';
import type { MfaRequired } from '../model/user-resources.ts';

/** The tokens of a session that the user's own device has begun, and one by which it is known the next time. */
export async function beginAtDevice(
  project: Project,
  signedIn: SignedIn,
  signingKeys: SigningKeys,
) {
  const { session, user } = signedIn;
  const knownDevice = { uid: session.uid, device: deviceOf(user, session) };
  return {
    ...(await issueTokensFor(project, signedIn, signingKeys)),
    device_token: makeDeviceToken(knownDevice, signingKeys.refreshSecret),
  };
}

/** The response of a sign-in by a first factor: the tokens of its session, or that a second factor is required. */
export const answerSignIn = async (
  project: Project,
  result: SignedIn | MfaRequired,
  signingKeys: SigningKeys,
) =>
  'mfa_required' in result
    ? reply(result, { status: 200 })
    : beginAtDevice(project, result, signingKeys);
