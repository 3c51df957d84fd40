import { ApiError, isStale } from '../api-error.ts';
import type { Result } from '../call.ts';
import { bearer, type SessionClient } from '../client.ts';
import type { Tokens } from './jar.ts';
import { errorOf, refusal } from './problem.ts';
import { claimsOf, endSession, type CookieTokens, isFresh, renew } from './tokens.ts';
import type { Known } from '../device.ts';
import type { enrolmentRoutes } from '../generated/enrolment-routes.ts';
import type { Api, EnrolledSession, Session } from '../generated/api.ts';

/** The operations of users, and those of links and of an app that a sign-in requires. */
export type SignInClient = SessionClient &
  Pick<Api, 'links'> & {
    factors: Pick<Api['factors'], keyof typeof enrolmentRoutes.factors>;
  };

/** What a route works with. */
export type RouteRequest = {
  input: Record<string, unknown>;
  client: SignInClient;
  tokens: Tokens | undefined;
  /** Sets what the cookie is to hold; undefined: nothing, it ends. */
  keep: (tokens: Tokens | undefined) => void;
  /** What a sign-in on this device sends along. */
  device: Known;
  /** Sets what the next one sends along. */
  keepDevice: (token: string | undefined) => void;
};
export type Route = (asked: RouteRequest) => Promise<{ status: number; body?: object }>;

/** What each path does. */
export function routesOf(project_id: string): ReadonlyMap<string, Route> {
  // The page's own `project_id` counts for nothing. The service judges all other fields.
  const ours = <T>({ input }: RouteRequest) => ({ ...input, project_id }) as T;
  const here = <T>(asked: RouteRequest) => ({ ...ours<object>(asked), ...asked.device }) as T;

  const start =
    (call: (asked: RouteRequest) => Promise<Result<Session | EnrolledSession>>): Route =>
    async (asked) => {
      let started: Result<Session | EnrolledSession>;
      try {
        started = await call(asked);
      } catch (error) {
        // The first factor was right: the page gets the token for the second one.
        if (!(error instanceof ApiError && error.code === 'mfa_required')) throw error;
        const { mfa_required, mfa_token, methods } = error.problem;
        return { status: 200, body: { mfa_required, mfa_token, methods } };
      }
      const { status, body } = started;
      const { access_token, refresh_token, uid, user, user_created } = body;
      const tokens = { access_token, refresh_token };
      asked.keep(tokens);
      asked.keepDevice(body.device_token);
      // Nobody could end the session before, once its cookie is gone. If that fails, it ends by itself.
      if (asked.tokens) await endSession(asked.client, asked.tokens, false).catch(() => {});
      const { expires_in } = claimsOf(tokens);
      const shown = 'recovery_codes' in body && { recovery_codes: body.recovery_codes };
      return { status, body: { access_token, expires_in, uid, user, user_created, ...shown } };
    };
  const mail =
    (call: (asked: RouteRequest) => Promise<Result<object>>): Route =>
    async (asked) =>
      call(asked);

  return new Map([
    ['/sign-in/password', start((asked) => asked.client.passwords.signIn(here(asked)))],
    ['/sign-in/code', start((asked) => asked.client.codes.verify(here(asked)))],
    ['/sign-in/passkey', start((asked) => asked.client.passkeys.signIn(here(asked)))],
    ['/sign-in/identity', start((asked) => asked.client.identities.signIn(here(asked)))],
    ['/sign-in/provider', start((asked) => asked.client.providers.signIn(here(asked)))],
    ['/sign-in/link', start((asked) => asked.client.links.signIn(here(asked)))],
    ['/sign-in/mfa', start((asked) => asked.client.factors.signIn(here(asked)))],
    ['/sign-in/enrol', start((asked) => asked.client.factors.confirmEnrolment(here(asked)))],
    ['/password', start((asked) => asked.client.passwords.set(here(asked)))],
    ['/sign-in/code/start', mail((asked) => asked.client.codes.start(ours(asked)))],
    ['/sign-in/link/start', mail((asked) => asked.client.links.start(ours(asked)))],
    ['/sign-in/link/code', mail((asked) => asked.client.links.showCode(ours(asked)))],
    ['/sign-in/passkey/start', mail((asked) => asked.client.passkeys.startSignIn(ours(asked)))],
    ['/sign-in/enrol/start', mail((asked) => asked.client.factors.startEnrolment(ours(asked)))],
    ['/sign-up', mail((asked) => asked.client.passwords.signUp(ours(asked)))],
    ['/forgotten', mail((asked) => asked.client.passwords.forgot(ours(asked)))],
    ['/token', tokenOf],
    ['/sign-out', signOut],
  ]);
}

/**
 * Gives the page an access token that is good for 30 seconds or more, and with `user: true` the user. `refused` is one
 * that the service has refused: it is not given again.
 */
const tokenOf: Route = async ({ input, client, tokens, keep }) => {
  try {
    if (!tokens) throw refusal(401, 'unauthenticated', 'Nobody is signed in.');
    let held: CookieTokens = tokens;
    if (!isFresh(held) || input['refused'] === held.access_token)
      held = await renew(client, held, keep);
    if (input['user'] === true && !held.user) held = await withUser(client, held, keep);
    const { access_token, user } = held;
    return { status: 200, body: { access_token, ...claimsOf(held), ...(user && { user }) } };
  } catch (error) {
    // The session has ended. After any other error it may go on.
    if (error instanceof ApiError && error.status === 401) keep(undefined);
    throw error;
  }
};

async function withUser(
  client: SessionClient,
  held: CookieTokens,
  keep: RouteRequest['keep'],
): Promise<CookieTokens> {
  try {
    const { body } = await client.users.getMe({}, { authorization: bearer(held.access_token) });
    return { ...held, user: body };
  } catch (error) {
    if (!isStale(error)) throw error;
    return renew(client, held, keep);
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
  } catch (thrown) {
    const { status, code, problem, retryAfter } = errorOf(thrown);
    const detail = 'This browser is signed out, but sessions may still be live at the service.';
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` });
    throw new ApiError(status, headers, { code, ...problem, detail, signed_out: true });
  }
};
