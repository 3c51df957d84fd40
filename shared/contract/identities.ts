import * as z from 'zod';
import { limits } from '../limits.ts';
import { agreement, projectId, session } from '../model.ts';
import { group, throttles } from './route.ts';

/** Sign-in by an external identity provider (OpenID Connect), such as the method `google`. */
export const identities = group('identities', {
  signIn: {
    method: 'POST',
    path: '/sessions/identity',
    summary:
      "Start a session with an identity provider's ID token; makes the user where there is none.",
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      provider: z
        .string()
        .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'Must be the name of a provider such as google')
        .meta({ example: 'google' }),
      id_token: z.string().min(1).max(limits.identityToken),
      nonce: z.string().min(1).max(256).optional().meta({
        description: 'What the client gave the provider when it asked for the token.',
      }),
      agreed_terms: agreement.optional(),
    }),
    response: session,
    statuses: [201],
    errors: [
      'not_found',
      'identity_token_invalid',
      'identity_link_required',
      'identity_conflict',
      'user_disabled',
      'sign_in_method_disabled',
      'sign_up_disabled',
    ],
    throttle: throttles.public,
  },
});
