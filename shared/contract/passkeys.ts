import * as z from 'zod';
import { filledLine, paged, projectId, timestamp } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { session } from '../model/user-resources.ts';
import { currentPassword, device_token } from './credentials.ts';
import { group } from './route.ts';

const base64url = (maximum: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url')
    .max(maximum)
    .meta({ example: 'AQIDBAUGBwg' });

const passkeyId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the id of a passkey')
  .meta({
    description: 'Id of a passkey: the digest of its credential id.',
    maxLength: 43,
    example: '6Zk3b0Zb0l0cTq3b2pH7mC1m5yqf2o8cVw1xQz9u7aE',
  });

const passkeyName = filledLine(limits.name).min(1).meta({
  description: 'The name that the user has given the passkey.',
  example: 'Phone',
});

export const passkey = z
  .object({
    passkey_id: passkeyId,
    name: passkeyName,
    created_at: timestamp,
    last_used_at: timestamp
      .optional()
      .meta({ description: 'Absent if it was never used to sign in.' }),
    backed_up: z.boolean().meta({
      description:
        'Whether the provider of the passkey keeps a copy, for example for other devices.',
    }),
    transports: z.array(z.string()),
    counter_decreased: z.boolean().optional().meta({
      description:
        'Present, and true, if its counter has ever decreased: the passkey may have been copied, and the user should replace it.',
    }),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof passkey>;

const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** The JSON forms of WebAuthn level 3; browsers read them with `PublicKeyCredential.parse…OptionsFromJSON`. */
const creationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(credentialDescriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' });

const requestOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequestOptions' });

const common = {
  id: base64url(limits.credentialId),
  rawId: base64url(limits.credentialId),
  type: z.literal('public-key'),
};
const clientDataJSON = base64url(limits.credentialPart);

// Browsers add fields to these as WebAuthn grows: what the service does not know it ignores.
const attestation = z
  .looseObject({
    ...common,
    response: z.looseObject({
      clientDataJSON,
      attestationObject: base64url(limits.credentialPart),
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  })
  .meta({
    description: 'What `credential.toJSON()` returns after `navigator.credentials.create`.',
  });
export type Attestation = z.output<typeof attestation>;

export const assertion = z
  .looseObject({
    ...common,
    response: z.looseObject({
      clientDataJSON,
      authenticatorData: base64url(limits.credentialPart),
      signature: base64url(limits.credentialPart),
      userHandle: base64url(limits.credentialId).nullish(),
    }),
  })
  .meta({ description: 'What `credential.toJSON()` returns after `navigator.credentials.get`.' });
export type Assertion = z.output<typeof assertion>;

const one = z.strictObject({ passkey_id: passkeyId });

/** Passkeys (WebAuthn): sign-in without a password, by a key that never leaves its device or its provider. */
export const passkeys = group('passkeys', {
  startRegistration: {
    method: 'POST',
    path: '/users/me/passkeys/options',
    summary: 'The options with which a browser creates a passkey of the caller.',
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    body: z.strictObject({ current_password: currentPassword() }),
    response: z.object({ publicKey: creationOptions }),
    statuses: [201],
    errors: [
      'invalid_credentials',
      'reauthentication_required',
      'password_locked',
      'sign_in_method_disabled',
      'passkey_limit_reached',
    ],
  },
  register: {
    method: 'POST',
    path: '/users/me/passkeys',
    summary: 'Add a passkey with which the caller can then sign in.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject({ credential: attestation, name: passkeyName.optional() }),
    response: passkey,
    statuses: [201],
    errors: [
      'passkey_invalid',
      'passkey_exists',
      'passkey_limit_reached',
      'sign_in_method_disabled',
    ],
  },
  list: {
    method: 'GET',
    path: '/users/me/passkeys',
    summary: "The caller's passkeys, oldest first.",
    auth: ['access'],
    response: paged(passkey),
  },
  rename: {
    method: 'PUT',
    path: '/users/me/passkeys/{passkey_id}',
    summary: 'Rename a passkey of the caller.',
    auth: ['access'],
    notByActor: true,
    params: one,
    body: z.strictObject({ name: passkeyName }),
    response: passkey,
    errors: ['not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/users/me/passkeys/{passkey_id}',
    summary: 'Delete a passkey of the caller, who can no longer sign in with it.',
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    params: one,
    body: z.strictObject({ current_password: currentPassword() }),
    response: passkey,
    errors: ['not_found', 'invalid_credentials', 'password_locked', 'last_sign_in_method'],
  },
  startSignIn: {
    method: 'POST',
    path: '/sessions/passkey/options',
    summary: 'The options with which a browser signs a user in with a passkey.',
    auth: [],
    body: z.strictObject({ project_id: projectId }),
    response: z.object({ publicKey: requestOptions }),
    statuses: [201],
    errors: ['not_found', 'sign_in_method_disabled'],
  },
  signIn: {
    method: 'POST',
    path: '/sessions/passkey',
    summary: 'Start a session with a passkey.',
    auth: [],
    body: z.strictObject({ project_id: projectId, credential: assertion, device_token }),
    response: session,
    statuses: [201],
    errors: ['not_found', 'invalid_credentials', 'user_disabled', 'sign_in_method_disabled'],
  },
});
