import * as z from 'zod';
import { uid } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { group, type RouteSpec } from './route.ts';

/** A parameter of a request of an OAuth client. Its form is checked where the error can be told to the client. */
const parameter = (description: string, example?: string, max: number = limits.oauthParameter) =>
  z
    .string()
    .max(max)
    .optional()
    .meta({ description, ...(example !== undefined && { example }) });

/**
 * The same where the client can be sent the error, also that it is too long (RFC 6749, section 4.1.2.1): here it may
 * have more characters than any that means something.
 */
const late = (description: string, example?: string, max: number = limits.longOauthParameter) =>
  parameter(description, example, max);

/** Unknown parameters are ignored (RFC 6749, section 3.1), as in every schema of this file. */
const authorizationParameters = z.object({
  client_id: parameter('The client, `<project_id>.<name>`.', 'demo.web'),
  redirect_uri: parameter(
    'The URI that receives the response. It must equal a registered URI of the client, character for character; only the port of a loopback address may differ.',
    'https://app.example.com/callback',
  ),
  response_type: late('`code`.', 'code'),
  response_mode: late('`query`, which is the default.'),
  state: late(
    'Returned as it is; at most 4,096 characters once it is percent-encoded.',
    'af0ifjsldkj',
    limits.location,
  ),
  code_challenge: late(
    'The SHA-256 digest of the code verifier, in base64url (PKCE, RFC 7636).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
  ),
  code_challenge_method: late('`S256`.', 'S256'),
  scope: late(
    'Any of `openid`, `email` and `profile`; other scopes are ignored. Without `openid` there is no ID token.',
    'openid email profile',
  ),
  nonce: late('Returned in the ID token.', 'n-0S6_WzA2Mj'),
  prompt: late(
    '`none`: no page is shown. `login` and `select_account`: the user signs in again. `create`: the user signs up. `consent` changes nothing, because every client belongs to its project.',
  ),
  max_age: late('Maximum seconds since the last sign-in; after that the user signs in again.'),
  login_hint: late('The e-mail that the page suggests.'),
  ui_locales: late('The languages of the page, the preferred one first.'),
  id_token_hint: late(
    'An ID token of the user who is expected to be signed in.',
    undefined,
    limits.location,
  ),
  request: late('Not supported.', undefined, limits.location),
  request_uri: late('Not supported.'),
  registration: late('Not supported.'),
});
export type AuthorizationParameters = z.output<typeof authorizationParameters>;

const logoutParameters = z.object({
  id_token_hint: parameter(
    'An ID token of the session to end; it may have expired.',
    undefined,
    limits.signedToken,
  ),
  client_id: parameter(
    'The client, if there is no `id_token_hint`. Without both, the user is asked on the page of the project, if the browser is signed in to one project, and is not redirected to a client. One of them is required at the host of the service if the pages of the project have their own domain, because the browser is signed in there.',
    'demo.web',
  ),
  post_logout_redirect_uri: parameter(
    'The URI to which the browser is redirected afterwards. It must equal a registered URI of the client, character for character.',
  ),
  state: parameter('Returned as it is.', undefined, limits.longOauthParameter),
  ui_locales: parameter('The languages of the page, the preferred one first.'),
});
export type LogoutParameters = z.output<typeof logoutParameters>;

const tokenParameters = z.object({
  grant_type: z.string().max(limits.oauthParameter).meta({
    description: '`authorization_code` or `refresh_token`.',
    example: 'authorization_code',
  }),
  code: parameter('The code from the redirect; for `authorization_code`.'),
  redirect_uri: parameter('As in the authorization request; for `authorization_code`.'),
  code_verifier: parameter(
    'The verifier whose digest is `code_challenge`; for `authorization_code`.',
  ),
  refresh_token: parameter(
    'The newest refresh token of the session; for `refresh_token`.',
    undefined,
    limits.longOauthParameter,
  ),
  scope: parameter(
    'At most the granted scopes; scopes other than `openid`, `email` and `profile` are ignored. For `refresh_token`.',
    undefined,
    limits.oauthScope,
  ),
  client_id: parameter('The client, unless it authenticates with Basic.', 'demo.web'),
  client_secret: parameter('A secret of the client, if it has any and does not use Basic.'),
  client_assertion: parameter('Not supported.', undefined, limits.longOauthParameter),
  client_assertion_type: parameter('Not supported.'),
});

const tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds for which the access token is valid.' }),
    refresh_token: z.string(),
    id_token: z.string().optional().meta({ description: 'Present if `openid` was granted.' }),
    scope: z
      .string()
      .optional()
      .meta({ description: 'The granted scopes; absent if there are none.' }),
  })
  .meta({ id: 'OAuthTokens' });

const userInfo = z
  .object({
    sub: uid,
    name: z.string().optional(),
    given_name: z.string().optional(),
    family_name: z.string().optional(),
    preferred_username: z.string().optional(),
    picture: z.string().optional(),
    profile: z.string().optional(),
    email: z.string().optional(),
    email_verified: z.boolean().optional(),
  })
  .meta({ id: 'UserInfo' });

/** OAuth has rules of its own for requests that are repeated, and none of its libraries sends an Idempotency-Key. */
const ofOAuth = { client: false, noIdempotencyKey: true } as const satisfies Partial<RouteSpec>;

/** The browser follows the Location header; the body is text for a person if it does not. */
const redirect = {
  ...ofOAuth,
  auth: [],
  response: z.string(),
  produces: 'text/plain',
  statuses: [302],
  errors: [],
  problems: 'page',
} as const satisfies Partial<RouteSpec>;

export const oauth = group('oauth', {
  authorize: {
    ...redirect,
    method: 'GET',
    path: '/authorize',
    summary: 'Sign a user in for a client of the project (OpenID Connect Core 1.0, section 3.1.2).',
    query: authorizationParameters,
  },
  authorizeByForm: {
    ...redirect,
    statuses: [303],
    method: 'POST',
    path: '/authorize',
    summary: 'The same operation with the parameters in a form.',
    body: authorizationParameters,
    accepts: 'form',
  },
  token: {
    ...ofOAuth,
    method: 'POST',
    path: '/token',
    summary: 'Redeem a code or a refresh token for tokens (RFC 6749, section 3.2).',
    auth: [],
    body: tokenParameters,
    accepts: 'form',
    problems: 'oauth',
    response: tokens,
    errors: ['invalid_client', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type'],
  },
  userinfo: {
    client: false,
    method: 'GET',
    path: '/userinfo',
    summary:
      'The claims about the user that the client was granted (OpenID Connect Core 1.0, section 5.3).',
    auth: ['access'],
    response: userInfo,
  },
  userinfoByPost: {
    client: false,
    readOnly: true,
    method: 'POST',
    path: '/userinfo',
    summary: 'The same operation with POST.',
    auth: ['access'],
    response: userInfo,
  },
  logout: {
    ...redirect,
    method: 'GET',
    path: '/logout',
    summary: 'Sign a user out on behalf of a client (OpenID Connect RP-Initiated Logout 1.0).',
    query: logoutParameters,
  },
  logoutByForm: {
    ...redirect,
    statuses: [303],
    method: 'POST',
    path: '/logout',
    summary: 'The same operation with the parameters in a form.',
    body: logoutParameters,
    accepts: 'form',
  },
});
