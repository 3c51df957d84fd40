import type { CallOptions, Fetch } from './call.ts';
import { ApiError, basic, type Client, createClient } from './client.ts';
import type { Introspection } from './generated/api.ts';
import { unlessAborted } from './pause.ts';
import {
  type AuthenticateOptions,
  type Authentication,
  authenticateRequest,
  type RequestLike,
} from './server/authenticate.ts';
import { type Batch, type FollowOptions, follow } from './server/follow.ts';
import { createKeySet } from './server/key-set.ts';
import { withSecretOf } from './server/secret.ts';
import { type Claims, createVerifier } from './server/verify.ts';

export type { Call, CallOptions, Result } from './call.ts';
export { ApiError, type Client } from './client.ts';
export type * from './generated/api.ts';
export type { HeaderSource } from './header-values.ts';
// The package's entry for backends.
export type {
  AuthenticateOptions,
  Authentication,
  Refusal,
  RequestLike,
} from './server/authenticate.ts';
export type { Batch, CursorStore, FeedEvent, FollowOptions } from './server/follow.ts';
export { IntrospectionError } from './server/introspection-error.ts';
export { KeySetError } from './server/key-set.ts';
export { forAuthorizer, forExpress, forFastify, forHono, forLambda } from './server/middleware.ts';
export { type Claims, TokenError } from './server/verify.ts';
export {
  type Delivery,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from './server/webhooks.ts';

export type BackendOptions = {
  /** The service's base URL, which is the issuer of its tokens. */
  url: string;
  projectId: string;
  /**
   * A secret of the project, or what reads it from a secret store: when it is first needed, and when the service
   * refuses it, every ten seconds at most. It may do everything in the project: keep it out of browsers, apps and logs.
   * To verify tokens offline needs none.
   */
  secret?: string | (() => Promise<string>) | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};

export type Backend = {
  /** Every operation of the service, with the project's credential. */
  api: Client;
  /**
   * Verifies an access token offline. It does not see that a session has ended: up to 10 minutes pass, or
   * an hour where somebody acts as the user (`act`): `introspect` sees it at once.
   * @throws TokenError if the token is not valid for this project, or no longer
   * @throws KeySetError if the service's keys could not be read: 503, not 401
   */
  verify(token: string): Promise<Claims>;
  /**
   * Asks the service whether a token is valid and its session live at this moment; do not keep the answer.
   * @throws ApiError, after five seconds without an answer one with the status 503
   */
  introspect(token: string): Promise<Introspection>;
  /**
   * Authenticates a request by its Bearer token: `const { claims, status, headers } = await backend.authenticateRequest(request)`.
   * Without `claims`, answer `status` with `headers`.
   * @throws KeySetError if the service's keys could not be read
   * @throws IntrospectionError, an `ApiError`, if the service could not be asked, with `exact`: its `status` is 503, or
   *   500 where this backend is at fault, as with a wrong secret; never a 401 that is not about the token
   */
  authenticateRequest(request: RequestLike, options?: AuthenticateOptions): Promise<Authentication>;
  /**
   * Whether a user may do all of this in a workspace at this moment; do not keep the answer. For several at once:
   * `api.permissions.check`.
   * @throws ApiError, after five seconds without an answer one with the status 503
   */
  can(
    user_id: string,
    workspace_id: string,
    ...permissions: [string, ...string[]]
  ): Promise<boolean>;
  events: {
    /**
     * Follows the feed of events, for ever or until the signal aborts:
     * `for await (const { events } of backend.events.follow({ cursor }))`. Each event comes at least once, in order:
     * the position is saved when the next batch is asked for. Waits out 429, 503 and lost connections.
     * @throws ApiError for other answers: `invalid_request` for a position ahead of the feed, such as one of another
     *   deployment; and what the cursor store throws
     */
    follow(options: FollowOptions): AsyncGenerator<Batch, void, undefined>;
  };
};

/** Milliseconds, of all tries: somebody waits for the answer to a request of their own. */
const deadline = 5_000;

/** The body of an answer that comes in time. */
async function inTime<Body>(ask: (call: CallOptions) => Promise<{ body: Body }>): Promise<Body> {
  const signal = AbortSignal.timeout(deadline);
  try {
    return (await unlessAborted(ask({ signal }), signal)).body;
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw Object.assign(new ApiError(503, new Headers(), undefined), { cause: error });
  }
}

/**
 * Makes what a project's backend needs. Make it once per process, outside of the request handler: it keeps the keys.
 *
 * @throws TypeError if the URL is none
 */
export function createBackend(options: BackendOptions): Backend {
  const { url, projectId, secret } = options;
  const issuer = url.replace(/\/+$/, '');
  const keySet = new URL(`${issuer}/.well-known/jwks.json`);
  // Looked up with each call, and called as a function: in browsers and workers `fetch` is bound to nothing else.
  const send: Fetch = (input, init) => (options.fetch ?? fetch)(input, init);
  const api = createClient(
    issuer,
    typeof secret === 'function'
      ? withSecretOf(async () => basic(projectId, await secret()), send)
      : { authorization: secret && basic(projectId, secret), fetch: send },
  );
  const verify = createVerifier(issuer, projectId, createKeySet(keySet.href, send));
  const introspect = (token: string) => inTime((call) => api.sessions.introspect({ token }, call));
  return {
    api,
    verify,
    introspect,
    async can(user_id, workspace_id, ...permissions) {
      const checks = [{ user_id, workspace_id, permissions }];
      const { results } = await inTime((call) => api.permissions.check({ checks }, call));
      const [result] = results;
      return result?.allowed === true;
    },
    authenticateRequest: (request, requestOptions) =>
      authenticateRequest({ verify, introspect }, request, requestOptions),
    events: { follow: (followOptions) => follow(api, followOptions) },
  };
}
