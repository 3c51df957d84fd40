import { type BrowserPage, leaveFor, takeFromAddress } from './address.ts';
import type { Auth } from './auth.ts';
import {
  type AuthorizationOptions,
  authorizationUrl,
  type Binding,
  logoutUrl,
  type OAuthTokens,
  RedirectError,
  redeemAnswer,
} from './authorization-code.ts';
import type { Fetch } from './call.ts';
import { bearer, createUserClient } from './client.ts';
import type { SignedIn } from './listeners.ts';
import { randomToken } from './pkce.ts';
import { statePrefix } from './providers/pending-sign-ins.ts';
import { isPage } from './storage.ts';

export type RedirectOptions = {
  /** The base URL of the service. */
  url: string;
  /** As `npm run project:create-client` has named it, such as `demo.web`. */
  clientId: string;
  /** A page of yours that calls `finish`; registered for the client, character for character. */
  redirectUri: string;
  /** Gets the session. */
  auth: Auth;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};

export type SignInOptions = AuthorizationOptions & {
  /**
   * A value that `finish` returns, such as the address that the user came from. It does not leave the browser. Its path
   * alone will not do: from a link to `https://app.example//evil.example` it would lead to another host.
   */
  state?: string | undefined;
};

export { RedirectError } from './authorization-code.ts';
export type Redirect = ReturnType<typeof createRedirect>;

/** Who has signed in, and the `state` of `signIn`. */
export type Finished = SignedIn & { state: string | undefined };

/** What the browser remembers of a sign-in while its page is away. */
type Pending = Binding & { own?: string | undefined; at: number };

/** A sign-up goes on in the tab of the mail's link, and that may take a while. Milliseconds. */
const pendingLife = 3_600_000;
/** Tabs that may be away at once; of more, the oldest begins again. */
const maxPending = 5;

/**
 * Signs in by the hosted pages of the service: the page is left, and comes back to `redirectUri` with a code that only
 * this browser can redeem (OAuth 2.1: authorization code with PKCE).
 */
export function createRedirect({ url, clientId, redirectUri, auth, fetch }: RedirectOptions) {
  const issuer = url.replace(/\/+$/, '');
  const client = { issuer, clientId, redirectUri };
  const [pendingName, idTokenName] = [`sign-in ${clientId}`, `id-token ${clientId}`];
  const page = globalThis as unknown as BrowserPage;
  let finishing: Promise<Finished | undefined> | undefined;

  /**
   * Leaves the page for the service's. Resolves only if the page is shown again as it was left, as after a step back in
   * the history, or is still there after 10 seconds.
   * @throws RedirectError `storage_unavailable` where the browser keeps nothing for this page, so that nobody could come
   *   back. The page is not left.
   */
  async function signIn(options: SignInOptions = {}): Promise<void> {
    const pending: Pending = {
      state: randomToken(),
      verifier: randomToken(),
      nonce: randomToken(),
      own: options.state,
      at: Date.now(),
    };
    const address = await authorizationUrl(client, pending, options);
    if (!keepPending([pending, ...readPending()].slice(0, maxPending)))
      throw new RedirectError('storage_unavailable');
    return leaveFor(address);
  }

  /**
   * Redeems what the service has put into the address of this page, and removes it there. Resolves with who has signed
   * in and the `state` of `signIn`; undefined if the page was opened by itself, or by an answer to `createProviders`.
   * More calls get the same.
   * @throws RedirectError with the error of the service, or `state_mismatch` if this browser has not made the request
   *   within the last hour, such as when a mail's link was opened elsewhere: begin again
   * @throws ApiError if the code is no longer valid: begin again; the user enters no password for this
   */
  function finish(): Promise<Finished | undefined> {
    finishing ??= redeem();
    return finishing;
  }

  async function redeem(): Promise<Finished | undefined> {
    if (!isPage()) return undefined;
    const answer = new URLSearchParams(page.location.search);
    if (!answer.has('code') && !answer.has('error')) return undefined;
    const state = answer.get('state');
    // `createProviders` may lead back to the same page, and ends that.
    if (state?.startsWith(statePrefix)) return undefined;
    takeFromAddress(['code', 'error', 'error_description', 'state', 'iss']);
    const pending = takePending(state);
    if (!pending) throw new RedirectError('state_mismatch');
    const tokens = await redeemAnswer(client, pending, answer, fetch ?? globalThis.fetch);
    const { uid, user } = await auth.signIn.take(startedBy(tokens));
    // If the new ID token cannot be stored, the one of the previous user must not be used as a hint.
    takeIdToken();
    attempt(() => sessionStorage.setItem(idTokenName, tokens.id_token));
    return { uid, user, state: pending.own };
  }

  /** Every sign-in that this browser has begun and not finished, the newest first. */
  const readPending = (): Pending[] =>
    attempt(() => {
      const all = JSON.parse(localStorage.getItem(pendingName) ?? '[]') as Pending[];
      return all.filter(({ at }) => Date.now() - at < pendingLife);
    }) ?? [];

  /** True where the browser keeps them. */
  const keepPending = (all: Pending[]): boolean | undefined =>
    attempt(() => {
      if (all.length === 0) localStorage.removeItem(pendingName);
      else localStorage.setItem(pendingName, JSON.stringify(all));
      return true;
    });

  /** The sign-in that an answer belongs to. It answers once; if it cannot be removed, its code is used up anyway. */
  function takePending(state: string | null): Pending | undefined {
    const all = readPending();
    keepPending(all.filter((each) => each.state !== state));
    return all.find((each) => each.state === state);
  }

  /** A hint for the sign-out, without which the service asks first. */
  const takeIdToken = (): string | null | undefined =>
    attempt(() => {
      const idToken = sessionStorage.getItem(idTokenName);
      sessionStorage.removeItem(idTokenName);
      return idToken;
    });

  /** The answer that a sign-in of the service itself would have given. */
  async function startedBy({ access_token, refresh_token }: OAuthTokens) {
    const { users } = createUserClient(issuer, { fetch });
    const answer = await users.getMe({}, { authorization: bearer(access_token) });
    const { body: user } = answer;
    const { uid } = user;
    return { ...answer, body: { access_token, refresh_token, uid, user, user_created: false } };
  }

  /**
   * Ends the session here, then that of the service's pages, and comes back to `returnTo`, which must be registered as
   * a post-logout redirect URI. Resolves as `signIn` does.
   */
  async function signOut({ returnTo }: { returnTo?: string | undefined } = {}): Promise<void> {
    // The page that is asked next ends the session too.
    await auth.signOut().catch(() => {});
    return leaveFor(logoutUrl(client, takeIdToken() ?? undefined, returnTo));
  }

  return { signIn, finish, signOut };
}

/** Undefined where it throws, as the storage does where the browser blocks it or it is full. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
