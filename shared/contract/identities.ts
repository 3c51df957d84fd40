import * as z from 'zod';
import { agreement, projectId, timestamp, uid } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { providerTimes } from '../model/provider-limits.ts';
import { askForFactor, session, user } from '../model/user-resources.ts';
import { currentPassword, device_token, providerCode, providerName } from './credentials.ts';
import { group } from './route.ts';

const token = {
  provider: providerName,
  id_token: z.string().min(1).max(limits.identityToken),
  nonce: z.string().min(1).max(256).optional().meta({
    description: 'The nonce that the client sent to the provider when it requested the token.',
  }),
};

/** What a sign-in with an account at an identity provider answers, whatever proves the account. */
export const answersToIdentity = {
  response: session,
  statuses: [201],
  otherwise: askForFactor,
  errors: [
    'not_found',
    'identity_token_invalid',
    'identity_link_required',
    'identity_conflict',
    'user_disabled',
    'sign_in_method_disabled',
    'sign_up_disabled',
  ],
} as const;

const providerToken = z
  .object({
    access_token: z.string().meta({
      description: "For the provider's API.",
      example: 'ya29.a0AfH6SMBx3J',
    }),
    token_type: z.literal('Bearer'),
    expires_at: timestamp.optional().meta({
      description: 'Absent if the provider does not return it.',
    }),
    scope: z.string().optional().meta({
      description: 'The scopes that the user has granted, if the provider returns them.',
      example: 'openid email https://www.googleapis.com/auth/calendar.readonly',
    }),
  })
  .meta({ id: 'ProviderToken' });
export type ProviderToken = z.output<typeof providerToken>;

const toRead = {
  response: providerToken,
  statuses: [200],
  time: providerTimes.token,
  errors: ['not_found', 'provider_sign_in_required'],
} as const;

/** Sign-in with an external identity provider (OpenID Connect), such as the method `google`. */
export const identities = group('identities', {
  link: {
    method: 'POST',
    path: '/users/me/identities',
    summary: 'Link an account at an identity provider to the caller, who can then sign in with it.',
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    body: z.strictObject({
      provider: token.provider,
      id_token: token.id_token.optional(),
      nonce: token.nonce,
      code: providerCode.code.optional().meta({
        description:
          'Instead of an ID token: a code as for POST /sessions/oauth, with `code_verifier`.',
      }),
      code_verifier: providerCode.code_verifier.optional(),
      current_password: currentPassword(),
    }),
    response: user,
    errors: [
      'invalid_credentials',
      'password_locked',
      'identity_token_invalid',
      'identity_conflict',
      'sign_in_method_disabled',
    ],
  },
  unlink: {
    method: 'DELETE',
    path: '/users/me/identities/{provider}',
    summary: 'Unlink the account at an identity provider from the caller.',
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    params: z.strictObject({ provider: token.provider }),
    body: z.strictObject({ current_password: currentPassword() }),
    response: user,
    errors: ['not_found', 'invalid_credentials', 'password_locked', 'last_sign_in_method'],
  },
  getToken: {
    method: 'GET',
    path: '/users/me/identities/{provider}/token',
    summary: "The caller's access token at an identity provider, for the provider's API.",
    auth: ['access'],
    notByActor: true,
    params: z.strictObject({ provider: token.provider }),
    ...toRead,
  },
  getTokenOfUser: {
    method: 'GET',
    path: '/users/{uid}/identities/{provider}/token',
    summary: "A user's access token at an identity provider, for the provider's API.",
    auth: ['project'],
    params: z.strictObject({ uid, provider: token.provider }),
    ...toRead,
  },
  signIn: {
    method: 'POST',
    path: '/sessions/identity',
    summary:
      "Start a session with an identity provider's ID token; creates the user if there is none.",
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      ...token,
      agreed_terms: agreement.optional(),
      device_token,
    }),
    ...answersToIdentity,
  },
});
