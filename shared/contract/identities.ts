import * as z from 'zod';
import { agreement, projectId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { askForFactor, session, user } from '../model/user-resources.ts';
import { device_token, password, providerCode, providerName } from './credentials.ts';
import { group } from './route.ts';

const token = {
  provider: providerName,
  id_token: z.string().min(1).max(limits.identityToken),
  nonce: z.string().min(1).max(256).optional().meta({
    description: 'The nonce that the client sent to the provider when it requested the token.',
  }),
};

const currentPassword = password
  .optional()
  .meta({ description: 'Required if the caller has a password.' });

/** Sign-in with an external identity provider (OpenID Connect), such as the method `google`. */
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
        description: 'Instead of an ID token: as for POST /sessions/oauth, with `code_verifier`.',
      }),
      code_verifier: providerCode.code_verifier.optional(),
      current_password: currentPassword,
    }),
    response: user,
    statuses: [200],
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
    body: z.strictObject({ current_password: currentPassword }),
    response: user,
    statuses: [200],
    errors: ['not_found', 'invalid_credentials', 'password_locked', 'last_sign_in_method'],
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
