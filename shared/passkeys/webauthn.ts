import type { RelyingParty } from '../access/relying-party.ts';
import type { Assertion, Attestation } from '../contract/passkeys.ts';
import { ApiError } from '../model/errors.ts';
import type { PasskeyItem } from './passkeys.ts';

/**
 * Verification by @simplewebauthn/server (WebAuthn level 3, sections 7.1 and 7.2): challenge, origin, relying party,
 * type, presence and verification of the user, signature. It is read at the first use, because it takes as long to
 * start as everything else.
 */
const library = () => import('@simplewebauthn/server');
const libraryHelpers = () => import('@simplewebauthn/server/helpers');

/** COSE algorithms that are offered and accepted: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257];

/**
 * The credential of an attestation, as a passkey stores it. Its statement is not verified, because none is asked for.
 * Throws `passkey_invalid`.
 */
export async function credentialIn(
  attestation: Attestation,
  challenge: string,
  { id, origins }: RelyingParty,
): Promise<
  Pick<PasskeyItem, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'backed_up'>
> {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await withoutStatement(attestation.response)
    .then((response) =>
      verifyRegistrationResponse({
        response: { ...attestation, response, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origins,
        expectedRPID: id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }),
    )
    .catch(rethrowAs('passkey_invalid'));
  if (!verified) throw new ApiError('passkey_invalid', { reason: 'the attestation is wrong' });
  const { credential, credentialBackedUp } = registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: attestation.response.transports ?? [],
    backed_up: credentialBackedUp,
  };
}

/** What an assertion of a passkey says of it. Throws `invalid_credentials`. */
export async function verifyAssertion(
  assertion: Assertion,
  challenge: string,
  { id, origins }: RelyingParty,
  { credential_id, public_key }: PasskeyItem,
): Promise<Pick<PasskeyItem, 'counter' | 'backed_up'>> {
  const { verifyAuthenticationResponse } = await library();
  const { userHandle: _, ...response } = assertion.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...assertion, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
    // Not the stored counter: the library would refuse one that went back, which `usePasskey` flags instead.
    credential: {
      id: credential_id,
      publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')),
      counter: 0,
    },
  }).catch(rethrowAs('invalid_credentials'));
  if (!verified)
    throw new ApiError('invalid_credentials', { reason: 'the signature of a passkey is wrong' });
  const { newCounter, credentialBackedUp } = authenticationInfo;
  return { counter: newCounter, backed_up: credentialBackedUp };
}

/** The library throws plain errors for whatever does not fit, and for bytes that are no CBOR. */
const rethrowAs =
  (code: 'passkey_invalid' | 'invalid_credentials') =>
  (cause: unknown): never => {
    const reason = /response origin/.test(String(cause))
      ? 'the page that asked for the passkey is not one of the origins'
      : 'the passkey could not be verified';
    throw new ApiError(code, { reason, cause });
  };

/**
 * The response of an authenticator as if it attested nothing. Certificates in a statement name the addresses of
 * revocation lists, which the library would fetch: anybody can make some, with addresses of our network.
 */
async function withoutStatement({ transports, ...response }: Attestation['response']) {
  const { isoBase64URL, isoCBOR } = await libraryHelpers();
  const object = isoCBOR.decodeFirst<Map<string, Uint8Array>>(
    isoBase64URL.toBuffer(response.attestationObject),
  );
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', object.get('authData') ?? new Uint8Array()],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none));
  return { ...response, attestationObject, ...(transports && { transports }) };
}
