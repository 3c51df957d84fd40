import * as z from 'zod';
import { agreement, projectId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { providerTimes } from '../model/provider-limits.ts';
import { device_token, providerCode, providerName } from './credentials.ts';
import { answersToIdentity } from './identities.ts';
import { group, type RouteSpec } from './route.ts';

const one = z.strictObject({ provider: providerName });

/** The browser follows the Location header; the body is text for a person if it does not. */
const redirect = {
  auth: [],
  client: false,
  noIdempotencyKey: true,
  params: one,
  response: z.string(),
  produces: 'text/plain',
  statuses: [302],
  problems: 'page',
} as const satisfies Partial<RouteSpec>;

/**
 * What the provider says, as long as a URL can have it: the user must come back to the application with it. API Gateway
 * takes 10,240 bytes of headers and URL.
 */
const fromProvider = z.string().max(8_192).optional();

/** What a provider adds is ignored (RFC 6749, section 4.1.2). */
const answer = z.object({
  state: z.string().max(limits.oauthParameter).optional().meta({
    description: 'Ties the response to the browser that started the sign-in.',
  }),
  code: fromProvider.meta({ description: 'The code of the provider.' }),
  iss: fromProvider.meta({
    description: 'The issuer of the response (RFC 9207).',
  }),
  error: fromProvider.meta({
    description: 'The reason why the sign-in failed.',
  }),
});

/** Sign-in at identity providers to which the browser is redirected. */
export const providers = group('providers', {
  start: {
    ...redirect,
    method: 'GET',
    path: '/oauth/{provider}/start',
    summary:
      'Send a browser to an identity provider, from which it comes back to `return_url` with a code.',
    query: z.strictObject({
      project_id: projectId,
      return_url: z.string().max(limits.redirectUri).meta({
        description:
          'The URL to which the browser comes back, such as `https://app.example.com/signed-in`. It must equal a return URL of the project exactly.',
        example: 'com.example.app:/signed-in',
      }),
      code_challenge: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be a SHA-256 digest in base64url')
        .meta({
          description:
            'The SHA-256 digest of a verifier that stays in the browser, in base64url (RFC 7636).',
          maxLength: 43,
          example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
        }),
      code_challenge_method: z.literal('S256').optional(),
      state: z.string().max(limits.oauthParameter).optional().meta({
        description: 'Returned as it is.',
      }),
      login_hint: z.string().max(320).optional().meta({
        description: 'The e-mail that the provider suggests.',
      }),
      prompt: z.enum(['login', 'select_account', 'consent']).optional().meta({
        description:
          'The step that the provider asks for, even if the user is already signed in there.',
      }),
    }),
    navigation: true,
    time: providerTimes.start,
    errors: ['not_found'],
  },
  callback: {
    ...redirect,
    method: 'GET',
    path: '/oauth/{provider}/callback',
    summary: 'The address to which an identity provider sends the browser back.',
    query: answer,
    time: providerTimes.callback,
  },
  callbackByForm: {
    ...redirect,
    statuses: [303],
    method: 'POST',
    path: '/oauth/{provider}/callback',
    summary: 'The same operation with a form, as Apple sends it.',
    body: answer.extend({
      user: z.string().max(limits.longOauthParameter).optional().meta({
        description: 'The name of a user who signs in for the first time, as JSON.',
      }),
      id_token: z.string().max(limits.identityToken).optional().meta({
        description: 'Ignored: the service asks the provider itself.',
      }),
    }),
    accepts: 'form',
    time: providerTimes.callback,
  },
  signIn: {
    method: 'POST',
    path: '/sessions/oauth',
    summary:
      'Start a session with the code of a sign-in at an identity provider; creates the user if there is none.',
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      ...providerCode,
      agreed_terms: agreement.optional(),
      device_token,
    }),
    ...answersToIdentity,
  },
});
