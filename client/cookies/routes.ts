import { ApiError, isEnd, isStale } from '../api-error.ts';
import type { CallOptions, Result } from '../call.ts';
import { bearer } from '../client.ts';
import type { KnownDevice } from '../device.ts';
import type { EnrolledSession, Session } from '../generated/api.ts';
import type { HandlerClient } from './handler-client.ts';
import type { Tokens } from './jar.ts';
import { errorOf, refusal } from './problem.ts';
import { type CookieTokens, claimsOf, endSession, isFresh, renew } from './tokens.ts';

/** What a route works with. */
export type RouteRequest = {
  input: Record<string, unknown>;
  /** With the key of the page, by which a sign-in whose answer it did not get is the same one. */
  call: CallOptions;
  client: HandlerClient;
  tokens: Tokens | undefined;
  /** Sets the tokens in the cookie; undefined deletes it. */
  keep: (tokens: Tokens | undefined) => void;
  /** What a sign-in on this device sends along. */
  device: KnownDevice;
  /** Sets what the next one sends along. */
  keepDevice: (token: string | undefined) => void;
};
export type Route = (request: RouteRequest) => Promise<{ status: number; body?: object }>;

type Operation<Body> = (input: never, call: CallOptions) => Promise<Result<Body>>;

/** What each path does. */
export function routesOf(project_id: string): ReadonlyMap<string, Route> {
  // The page's own `project_id` counts for nothing. The service judges all other fields.
  const withProject = <T>({ input }: RouteRequest) => ({ ...input, project_id }) as T;
  const withDevice = <T>(request: RouteRequest) =>
    ({ ...withProject<object>(request), ...request.device }) as T;

  const asks =
    (operationOf: (client: HandlerClient) => Operation<object>): Route =>
    (request) =>
      operationOf(request.client)(withProject(request), request.call);
  const starts =
    (operationOf: (client: HandlerClient) => Operation<Session | EnrolledSession>): Route =>
    async (request) => {
      const send = operationOf(request.client);
      let result: Result<Session | EnrolledSession>;
      try {
        result = await send(withDevice(request), request.call).catch((error: unknown) => {
          if (!(error instanceof ApiError && error.code === 'idempotency_key_reused')) throw error;
          // The first sign-in of this browser is sent again, and the cookie of the device has come with the lost answer.
          return send(withProject(request), request.call);
        });
      } catch (error) {
        // The first factor was right: the page gets the token for the second one.
        if (!(error instanceof ApiError && error.code === 'mfa_required')) throw error;
        const { mfa_required, mfa_token, methods } = error.problem;
        return { status: 200, body: { mfa_required, mfa_token, methods } };
      }
      const { status, body } = result;
      const { access_token, refresh_token, uid, user, user_created } = body;
      let tokens: Tokens = { access_token, refresh_token };
      const { tokens: before } = request;
      // A sign-in whose answer did not reach the page, and that is sent again: its cookie came, and may be newer.
      if (before && claimsOf(before).sid === claimsOf(tokens).sid) tokens = before;
      else request.keep(tokens);
      request.keepDevice(body.device_token);
      // Nobody could end the session before, once its cookie is gone. If that fails, it ends by itself.
      if (before && before !== tokens)
        await endSession(request.client, before, false).catch(() => {});
      const { expires_in } = claimsOf(tokens);
      const recoveryCodes = 'recovery_codes' in body && { recovery_codes: body.recovery_codes };
      return {
        status,
        body: {
          access_token: tokens.access_token,
          ...{ expires_in, uid, user, user_created, ...recoveryCodes },
        },
      };
    };

  return new Map([
    ['/sign-in/password', starts(({ passwords }) => passwords.signIn)],
    ['/sign-in/code', starts(({ codes }) => codes.verify)],
    ['/sign-in/passkey', starts(({ passkeys }) => passkeys.signIn)],
    ['/sign-in/identity', starts(({ identities }) => identities.signIn)],
    ['/sign-in/provider', starts(({ providers }) => providers.signIn)],
    ['/sign-in/link', starts(({ links }) => links.signIn)],
    ['/sign-in/mfa', starts(({ factors }) => factors.signIn)],
    ['/sign-in/enrol', starts(({ factors }) => factors.confirmEnrolment)],
    ['/password', starts(({ passwords }) => passwords.set)],
    ['/sign-in/code/start', asks(({ codes }) => codes.start)],
    ['/sign-in/link/start', asks(({ links }) => links.start)],
    ['/sign-in/link/code', asks(({ links }) => links.showCode)],
    ['/sign-in/passkey/start', asks(({ passkeys }) => passkeys.startSignIn)],
    ['/sign-in/enrol/start', asks(({ factors }) => factors.startEnrolment)],
    ['/sign-up', asks(({ passwords }) => passwords.signUp)],
    ['/forgotten', asks(({ passwords }) => passwords.forgot)],
    ['/token', tokenOf],
    ['/sign-out', signOut],
  ]);
}

/**
 * Gives the page an access token that is good for 30 seconds or more, and with `user` the user: with `true` in any case,
 * else where the service returns them within 2 seconds. `refused` is a token that the service has refused: it is not
 * given again.
 */
const tokenOf: Route = async ({ input, client, tokens, keep }) => {
  try {
    if (!tokens) throw refusal(401, 'unauthenticated', 'Nobody is signed in.');
    let latest: CookieTokens = tokens;
    if (!isFresh(latest) || input['refused'] === latest.access_token)
      latest = await renew(client, latest, keep);
    const { user: asked } = input;
    // A page that knows its user waits for the token alone.
    const patience = asked === true ? undefined : AbortSignal.timeout(2_000);
    if (asked && !latest.user) latest = await withUser(client, latest, keep, patience);
    const { access_token, user } = latest;
    const { uid, expires_in } = claimsOf(latest);
    return { status: 200, body: { access_token, uid, expires_in, ...(user && { user }) } };
  } catch (error) {
    // The session has ended. After any other error it may go on.
    if (isEnd(error)) keep(undefined);
    throw error;
  }
};

async function withUser(
  client: HandlerClient,
  latest: CookieTokens,
  keep: RouteRequest['keep'],
  signal: AbortSignal | undefined,
): Promise<CookieTokens> {
  try {
    const authorization = bearer(latest.access_token);
    const { body: user } = await client.users.getMe({}, { authorization, signal });
    return { ...latest, user };
  } catch (error) {
    if (isStale(error)) return renew(client, latest, keep);
    if (signal) return latest;
    throw error;
  }
}

/**
 * Ends the cookie in any case, and the session at the service, or says that it could not. `signed_out` tells that from
 * the errors of a proxy, with which no cookie ends.
 */
const signOut: Route = async ({ input, client, tokens, keep }) => {
  keep(undefined);
  const everywhere = input['everywhere'] === true;
  try {
    if (tokens) await endSession(client, tokens, everywhere);
    else if (everywhere) throw refusal(401, 'unauthenticated', 'Nobody is signed in.');
    return { status: 204 };
  } catch (error) {
    const { status, code, problem, retryAfter } = errorOf(error);
    const detail = 'This browser is signed out, but sessions may still be live at the service.';
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` });
    throw new ApiError(status, headers, { code, ...problem, detail, signed_out: true });
  }
};
