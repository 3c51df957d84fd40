import { clientsOf, type OAuthClient, type Project } from '../access/projects.ts';
import type { AuthorizationParameters } from '../contract/oauth.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { isCodeChallenge } from './pkce.ts';
import { isRegistered, withParameters } from './redirect-uri.ts';
import { scopesOf } from './scopes.ts';

/**
 * What an authorization request may ask (RFC 6749, section 4.1.1, with OpenID Connect Core 1.0, section 3.1.2.1), on
 * plain data. The order of the checks is the guarantee: nobody is sent anywhere before it is certain that the client
 * wants to be sent there.
 *
 * 1. The frame has refused duplicate parameters, because two readers could each see another one, and text that
 *    is not UTF-8, which could not go back as it came. `client_id` and `redirect_uri` are there, and the client has
 *    registered that URI. Otherwise the developer reads a problem document, and there is no redirect: an open redirector
 *    lends our name to a phishing page, and sends it codes (RFC 9700, section 4.11).
 * 2. From here on errors go to the client, with its `state`, and with `iss` against mix-up (RFC 9207): `request`,
 *    `request_uri` and `registration` are refused by name (Core, section 6); `response_type` is `code`, so no token is
 *    ever in an address; `response_mode` is `query`, if any.
 * 3. PKCE with S256 for every client (RFC 9700, section 2.1.1): a stolen or injected code is worth nothing without the
 *    verifier. `plain`, or no method, is a downgrade: anyone who reads the request could redeem the code.
 * 4. No parameter is longer than it may be, and `scope`, `prompt` and `max_age` have their forms. A hint that is too
 *    long is one that cannot be read.
 */
export type AuthorizationRequest = {
  client: OAuthClient;
  redirect_uri: string;
  state: string | undefined;
  /** What is granted of what was asked. */
  scope: string;
  nonce: string | undefined;
  code_challenge: string;
  prompt: readonly Prompt[];
  max_age: number | undefined;
  id_token_hint: string | undefined;
};

/** The errors that go to the redirect URI (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
export type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/**
 * `consent` and `select_account` have no page: every client is the project's own, and a sign-in chooses the account.
 */
export const prompts = ['none', 'login', 'create', 'select_account', 'consent'] as const;
type Prompt = (typeof prompts)[number];

/** Maximum length of an encoded `state` in characters: an error with it must fit into a `Location`. */
const maxEncoded = limits.location / 2;

/** Maximum lengths in characters, of what its form does not bound. */
const longest = [
  ['scope', limits.oauthScope],
  ['nonce', limits.oauthParameter],
  ['prompt', limits.oauthParameter],
  ['login_hint', limits.oauthParameter],
  ['ui_locales', limits.oauthParameter],
] as const;

/** The redirect that returns an error to the client. */
export const errorRedirect = (
  { redirect_uri, state }: Pick<AuthorizationRequest, 'redirect_uri' | 'state'>,
  issuer: string,
  error: AuthorizationError,
  error_description: string,
): string => withParameters(redirect_uri, { error, error_description, state, iss: issuer });

/**
 * Checks the parameters of a request, in the order above. Throws `invalid_request` where nobody may be redirected.
 *
 * @returns the request, or the address that tells the client what is wrong with it
 */
export function readAuthorizationRequest(
  parameters: AuthorizationParameters,
  project: Project | undefined,
  issuer: string,
): AuthorizationRequest | { refused: string } {
  const { client, redirect_uri } = requireTarget(project, parameters);
  const { response_type, code_challenge, nonce, max_age } = parameters;
  const state = isReturnable(parameters.state) ? parameters.state : undefined;
  const refuse = (error: AuthorizationError, description: string) => ({
    refused: errorRedirect({ redirect_uri, state }, issuer, error, description),
  });

  if (parameters.state !== state) return refuse('invalid_request', 'state is too long');
  const unsupported = notSupported.find((name) => parameters[name] !== undefined);
  if (unsupported !== undefined)
    return refuse(`${unsupported}_not_supported`, `${unsupported} is not supported`);

  if (response_type === undefined) return refuse('invalid_request', 'response_type is missing');
  if (response_type !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code');
  if ((parameters.response_mode ?? 'query') !== 'query')
    return refuse('invalid_request', 'response_mode must be query');

  if (code_challenge === undefined)
    return refuse('invalid_request', 'code_challenge is missing: every client uses PKCE');
  if (parameters.code_challenge_method !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256');
  if (!isCodeChallenge(code_challenge))
    return refuse('invalid_request', 'code_challenge must be a SHA-256 digest in base64url');

  const [long] = longest.find(([name, max]) => (parameters[name] ?? '').length > max) ?? [];
  if (long !== undefined) return refuse('invalid_request', `${long} is too long`);
  const scope = scopesOf(parameters.scope ?? '');
  if (scope === undefined) return refuse('invalid_scope', 'scope is not a list of scopes');
  const prompt = readPrompt(parameters.prompt);
  if (prompt === undefined)
    return refuse('invalid_request', `prompt must be of ${prompts.join(', ')}; none stands alone`);
  if (max_age !== undefined && !/^\d{1,9}$/.test(max_age))
    return refuse('invalid_request', 'max_age must be a number of seconds');
  return {
    client,
    redirect_uri,
    state,
    scope,
    nonce,
    code_challenge,
    prompt,
    max_age: max_age === undefined ? undefined : Number(max_age),
    id_token_hint: parameters.id_token_hint,
  };
}

const notSupported = ['request', 'request_uri', 'registration'] as const;

/** The client, and the redirect URI that it has registered. Throws `invalid_request`, for the developer to read. */
function requireTarget(
  project: Project | undefined,
  { client_id, redirect_uri }: AuthorizationParameters,
): { client: OAuthClient; redirect_uri: string } {
  if (client_id === undefined) throw notForClient('client_id', 'is missing', 'Is required');
  const client = findClient(project, client_id);
  if (!client)
    throw notForClient(
      'client_id',
      'names no client of a project with hosted pages',
      'Must be that of a client of a project with hosted pages',
    );
  if (redirect_uri === undefined) throw notForClient('redirect_uri', 'is missing', 'Is required');
  if (!isRegistered(redirect_uri, client.redirect_uris))
    throw notForClient(
      'redirect_uri',
      'is not, character for character, one that the client has registered',
      'Must be one that the client has registered',
    );
  return { client, redirect_uri };
}

/** Whether a project has the client of a request, and the client its redirect URI. */
export const hasTarget = (
  project: Project | undefined,
  { client_id = '', redirect_uri = '' }: AuthorizationParameters,
): boolean => isRegistered(redirect_uri, findClient(project, client_id)?.redirect_uris ?? []);

const notForClient = (name: 'client_id' | 'redirect_uri', problem: string, rule: string) =>
  new ApiError('invalid_request', {
    detail: `${name} ${problem}`,
    errors: [{ pointer: `/query/${name}`, detail: rule }],
  });

export const findClient = (project: Project | undefined, client_id: string) =>
  clientsOf(project).find((each) => each.client_id === client_id);

/** The project of a client, which its id names. */
export const projectIdOf = (client_id: string): string => client_id.split('.', 1)[0] ?? '';

const isReturnable = (state = ''): boolean =>
  state.isWellFormed() && encodeURIComponent(state).length <= maxEncoded;

function readPrompt(text: string | undefined): readonly Prompt[] | undefined {
  const requested = (text ?? '').split(' ').filter((each) => each !== '');
  const supported = prompts.filter((each) => requested.includes(each));
  if (requested.some((each) => !(prompts as readonly string[]).includes(each))) return undefined;
  return supported.includes('none') && supported.length > 1 ? undefined : supported;
}
