import type { Entered, PageAuth } from './auth.ts';
import { decodeBase64url, encodeBase64url } from './base64.ts';
import type { Passkey, PasskeyCreationOptions, PasskeyRequestOptions } from './generated/api.ts';

export type { Entered } from './auth.ts';

/**
 * Passkeys in a browser (WebAuthn). `navigator.credentials` takes and gives bytes; the service speaks base64url, as the
 * JSON forms of WebAuthn level 3 do, which not every browser has yet.
 */

/** The parts of a browser that are used: its types are not those of Node, where this file is checked too. */
type Credential = { id: string };
type Attested = Credential & {
  response: {
    clientDataJSON: ArrayBuffer;
    attestationObject: ArrayBuffer;
    getTransports?(): string[];
  };
};
type Asserted = Credential & {
  response: {
    clientDataJSON: ArrayBuffer;
    authenticatorData: ArrayBuffer;
    signature: ArrayBuffer;
    userHandle: ArrayBuffer | null;
  };
};
type Browser = {
  navigator: {
    credentials: {
      create(options: object): Promise<Attested>;
      get(options: object): Promise<Asserted>;
    };
  };
  PublicKeyCredential?: { isConditionalMediationAvailable?(): Promise<boolean> };
};
const browser = globalThis as unknown as Browser;

/** Whether this browser, on this page, can make and use passkeys. A page that came by http from afar cannot. */
export const supportsPasskeys = (): boolean => browser.PublicKeyCredential !== undefined;

/** Whether this browser can offer passkeys in the autofill of a field with `autocomplete="username webauthn"`. */
export async function supportsAutofill(): Promise<boolean> {
  return (await browser.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

/**
 * Signs in with a passkey that the user picks, without an e-mail.
 * @param options.autofill waits until the user picks one in the autofill of a field, instead of asking at once
 * @param options.signal ends the waiting: a page that asks by a button first ends what waits in the autofill
 * @throws DOMException `NotAllowedError` if the user picks none; `ApiError` if the service refuses it
 */
export async function signInWithPasskey(
  auth: Pick<PageAuth, 'signIn'>,
  { autofill = false, signal }: { autofill?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Entered> {
  const { publicKey } = await auth.signIn.startPasskey();
  const credential = await getPasskey(publicKey, { autofill, signal });
  return auth.signIn.passkey({ credential });
}

/**
 * Makes a passkey for the signed-in user.
 * @param options.currentPassword is required of a user with a password
 * @throws ApiError `reauthentication_required` if the user has not signed in within ten minutes, and has no password,
 * is asked for a second factor, or the project has `recent_sign_in`
 * @throws DOMException `InvalidStateError` if the device has one already, `NotAllowedError` if the user makes none
 */
export async function addPasskey(
  { api }: Pick<PageAuth, 'api'>,
  {
    name,
    currentPassword,
  }: { name?: string | undefined; currentPassword?: string | undefined } = {},
): Promise<Passkey> {
  const { body } = await api.passkeys.startRegistration({ current_password: currentPassword });
  const credential = await createPasskey(body.publicKey);
  return (await api.passkeys.register({ credential, name })).body;
}

/** `navigator.credentials.create`, as JSON. */
export async function createPasskey(options: PasskeyCreationOptions) {
  const { challenge, user, excludeCredentials, ...rest } = options;
  const credential = await browser.navigator.credentials.create({
    publicKey: {
      ...rest,
      challenge: bytes(challenge),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: excludeCredentials.map(({ id, ...each }) => ({ ...each, id: bytes(id) })),
    },
  });
  const { response } = credential;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

/** `navigator.credentials.get`, as JSON. */
export async function getPasskey(
  { challenge, ...options }: PasskeyRequestOptions,
  { autofill, signal }: { autofill?: boolean; signal?: AbortSignal | undefined } = {},
) {
  const credential = await browser.navigator.credentials.get({
    publicKey: { ...options, challenge: bytes(challenge) },
    ...(autofill && { mediation: 'conditional' as const }),
    ...(signal && { signal }),
  });
  const { response } = credential;
  return {
    ...identityOf(credential),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      ...(response.userHandle && { userHandle: text(response.userHandle) }),
    },
  };
}

const identityOf = ({ id }: Credential) => ({ id, rawId: id, type: 'public-key' as const });
const text = (buffer: ArrayBuffer): string => encodeBase64url(new Uint8Array(buffer));
function bytes(encoded: string): Uint8Array<ArrayBuffer> {
  const decoded = decodeBase64url(encoded);
  if (!decoded) throw new TypeError('Not base64url');
  return decoded;
}
