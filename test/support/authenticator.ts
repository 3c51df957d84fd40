import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The options that a browser receives, as far as an authenticator needs them. */
type Creation = { rp: { id: string }; user: { id: string }; challenge: string };
type Request = { rpId: string; challenge: string };

/** What an authenticator attests: its new key, for the client data of this digest. */
export type Attested = { publicKey: KeyObject; clientDataHash: Buffer };

/** The values that a test may forge. */
type Forged = {
  /** Default: none. */
  attest?: (attested: Attested) => { fmt: string; attStmt: Map<string, unknown> };
  origin?: string;
  rpId?: string;
  type?: string;
  /** Bits of the authenticator data (WebAuthn section 6.1): 1 user present, 4 user verified, 64 credential. */
  flags?: number;
  userHandle?: string | undefined;
  signature?: Buffer;
};

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const noAttestation = () => ({ fmt: 'none', attStmt: new Map<string, unknown>() });

/**
 * An authenticator in software, with one credential (ES256, no attestation) and a counter, in a browser at an origin.
 * It verifies its user.
 */
export function newAuthenticator(origin: string, { counts = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  function authenticatorData(rpId: string, flags: number, more: Uint8Array = Buffer.of()) {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count, more]);
  }
  const cosePublicKey = () =>
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
  const common = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return {
    /** Sets the signature counter. */
    rewind(to: number) {
      counter = to;
    },
    /** `navigator.credentials.create`, as JSON. */
    create(options: Creation, forged: Forged = {}) {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cosePublicKey()]);
      const { flags = 1 + 4 + 64, rpId = options.rp.id } = forged;
      const authData = authenticatorData(rpId, flags, credential);
      const { type = 'webauthn.create', origin: from = origin, attest = noAttestation } = forged;
      const client = clientData(type, options.challenge, from);
      const { fmt, attStmt } = attest({ publicKey, clientDataHash: sha256(client) });
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        ...common,
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      };
    },
    /** `navigator.credentials.get`, as JSON. */
    get({ rpId, challenge }: Request, forged: Forged = {}) {
      const data = authenticatorData(forged.rpId ?? rpId, forged.flags ?? 1 + 4);
      const { type = 'webauthn.get', origin: from = origin } = forged;
      const client = clientData(type, challenge, from);
      const signed = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...common,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(forged.signature ?? signed),
          userHandle: 'userHandle' in forged ? forged.userHandle : userHandle,
        },
      };
    },
  };
}
export type Authenticator = ReturnType<typeof newAuthenticator>;
