import { type BrowserPage, leaveFor, takeFromAddress } from './address.ts';
import { type ApiError, isPassing } from './api-error.ts';
import type { PublicProject } from './generated/api.ts';
import { challengeOf, randomToken } from './pkce.ts';
import { ProviderError } from './providers/error.ts';
import type { Finished, FinishInput, LeaveOptions, ProvidersOptions } from './providers/options.ts';
import { type PendingSignIn, rememberPending, statePrefix } from './providers/pending-sign-ins.ts';
import { type OfferedProvider, titled } from './providers/title.ts';
import { newKey, send } from './send.ts';
import { isPage } from './storage.ts';

export { ProviderError } from './providers/error.ts';
export type {
  Finished,
  FinishInput,
  LeaveOptions,
  ProvidersOptions,
} from './providers/options.ts';
export type { OfferedProvider } from './providers/title.ts';

export type Providers = ReturnType<typeof createProviders>;

/** What a provider has answered; without `pending` if this tab has not asked. */
type Answer = {
  pending: PendingSignIn | undefined;
  code: string | null;
  error: string | null;
  /** A call of `finish` after a lost response gets what the service gave to the one before. */
  call: { idempotencyKey: string };
};

/**
 * Sign-in at identity providers to which the browser is redirected. The page is left, and comes back to `returnUrl`
 * with a code, which is worth something only with the verifier that this tab keeps until then, as in PKCE.
 */
export function createProviders(options: ProvidersOptions) {
  const { projectId, returnUrl, auth, names, fetch } = options;
  const service = { url: options.url.replace(/\/+$/, ''), fetch };
  const pendingSignIns = rememberPending(projectId);
  const page = globalThis as unknown as BrowserPage;
  let lastAnswer: Answer | undefined;
  let pendingResult: Promise<Finished> | undefined;
  let pendingOffer: Promise<OfferedProvider[]> | undefined;
  const namedProviders = (names ?? []).map(titled);
  const providerOf = (provider: string) =>
    namedProviders.find(({ name }) => name === provider) ?? titled(provider);
  const failureOf = (code: string, provider: string) =>
    new ProviderError(code, providerOf(provider));

  async function leave(
    provider: string,
    { loginHint, prompt, state: own }: LeaveOptions,
    linkTo?: string,
  ): Promise<void> {
    const pending: PendingSignIn = {
      state: statePrefix + randomToken(),
      verifier: randomToken(),
      provider,
      linkTo,
      own,
      returnUrl,
    };
    const code_challenge = await challengeOf(pending.verifier);
    try {
      pendingSignIns.keep(pending);
    } catch {
      // At the provider it would be too late to say so.
      throw failureOf('storage_unavailable', provider);
    }
    const query = new URLSearchParams({
      project_id: projectId,
      return_url: returnUrl,
      code_challenge,
      state: pending.state,
      ...(loginHint && { login_hint: loginHint }),
      ...(prompt && { prompt }),
    });
    return leaveFor(`${service.url}/oauth/${encodeURIComponent(provider)}/start?${query}`);
  }

  /** The answer of a provider, which it takes out of the address of this page. */
  function takeAnswer(): Answer | undefined {
    if (!isPage()) return undefined;
    const parameters = new URLSearchParams(page.location.search);
    const [state, code, error] = [
      parameters.get('state'),
      parameters.get('code'),
      parameters.get('error'),
    ];
    if (!state?.startsWith(statePrefix) || (code === null && error === null)) return lastAnswer;
    const pending = pendingSignIns.find(state);
    // Another one of this application has asked, and takes it on its own page.
    if (pending?.returnUrl !== undefined && pending.returnUrl !== returnUrl) return lastAnswer;
    takeFromAddress(['state', 'code', 'error']);
    if (pending) pendingSignIns.drop(pending);
    lastAnswer = { pending, code, error, call: { idempotencyKey: newKey() } };
    return lastAnswer;
  }

  async function redeem(
    { pending, code, error, call }: Answer,
    { agreed_terms, current_password }: FinishInput,
  ): Promise<Finished> {
    // Somebody else's code would sign in as somebody else, or link their account (CSRF).
    if (!pending) throw new ProviderError('state_mismatch');
    const { provider, verifier: code_verifier, linkTo, own: state } = pending;
    if (code === null || error !== null) throw failureOf(error ?? 'provider_failed', provider);
    const outcome = { provider, state };
    if (linkTo === undefined) {
      const result = await auth.signIn.provider({ code, code_verifier, agreed_terms }, call);
      return { from: 'signIn', ...outcome, ...result };
    }
    const uid = await whoIsIn();
    if (uid !== linkTo) throw failureOf(uid === undefined ? 'signed_out' : 'other_user', provider);
    const { link } = auth.api.identities;
    const { body: user } = await link({ provider, code, code_verifier, current_password }, call);
    return { from: 'link', ...outcome, user };
  }

  function returnedFrom(): Finished['from'] | undefined {
    const answer = takeAnswer();
    if (!answer) return undefined;
    return answer.pending?.linkTo === undefined ? 'signIn' : 'link';
  }

  /** @throws what `fetch` throws: where a backend has the session and could not be asked, nobody is not signed out */
  async function whoIsIn(): Promise<string | undefined> {
    await auth.ready;
    if (!auth.session) await auth.getAccessToken();
    return auth.session?.uid;
  }

  auth.onChange((_, reason) => {
    // An answer that nobody took, as because another tab had signed in, would sign in who has just signed out.
    if (reason === 'signed_out' && returnedFrom() === 'signIn') end();
  });

  /**
   * Whether the code may still be used. Of a link: unless it was refused itself, as for want of the password. Of a
   * sign-in: if the failure passes; after any other, another person may be the next to sign in here.
   */
  function isOpen(pending: PendingSignIn | undefined, refusal: unknown): boolean {
    const { name, code } = refusal as { name: string } & Partial<Omit<ApiError, 'name'>>;
    if (!pending || name === 'ProviderError') return false;
    if (pending.linkTo !== undefined) return code !== 'identity_token_invalid';
    return /^T(ype|imeout)Error$/.test(name) || isPassing(refusal as ApiError);
  }

  return {
    /** The providers for which to show a button, in the order of their names. */
    offered(): Promise<OfferedProvider[]> {
      pendingOffer ??= names ? Promise.resolve(namedProviders) : askForThem();
      return pendingOffer;
    },
    /**
     * Leaves the page for a provider, by which somebody signs in. Resolves only if the page is shown again as it was
     * left, as after a step back in the history, or is still there after 10 seconds.
     * @throws ProviderError `storage_unavailable`, and the page is not left
     */
    signIn: (provider: string, leaveOptions: LeaveOptions = {}): Promise<void> =>
      leave(provider, leaveOptions),
    /**
     * The same, to link the account there to the signed-in user. The session must outlast the redirect: in memory alone
     * it does not, unless another tab has it.
     * @throws ProviderError `storage_unavailable`; `signed_out` if nobody is signed in
     * @throws ApiError, or the error of `fetch`, if a backend has the session and cannot be reached
     */
    async link(provider: string, leaveOptions: LeaveOptions = {}): Promise<void> {
      const uid = await whoIsIn();
      if (uid === undefined) throw failureOf('signed_out', provider);
      return leave(provider, leaveOptions, uid);
    },
    /**
     * The method that had left the page, if a provider has just led back to it, and `finish` has not ended that yet;
     * takes its answer out of the address. One that this tab has not asked for counts as that of `signIn`. A sign-out
     * drops that of `signIn`.
     */
    returnedFrom,
    /** The provider that has just led back, if this tab had left for it, and `finish` has not ended that yet. */
    returnedBy(): OfferedProvider | undefined {
      const { pending } = takeAnswer() ?? {};
      return pending && providerOf(pending.provider);
    },
    /**
     * Ends what `signIn` or `link` has begun, on the page of `returnUrl`. Undefined if the page was opened by itself.
     * More calls at once get the same answer. Call it again after a refused link, as for want of the password, and
     * after a sign-in that had no answer, or 429, 502, 503 or 504: it gets the lost response. Any other end, a
     * sign-out and `forget` drop the answer of a sign-in.
     * @throws ProviderError if the service says why not, or this tab has not asked
     * @throws ApiError `mfa_required`: then `auth.signIn.mfa` goes on; `identity_link_required`: there is an account with
     *   the e-mail, whose user signs in as before and then calls `link`; `reauthentication_required` of a link: ask with
     *   `useReauthentication()`, then call `finish` again, within the 5 minutes of the code
     */
    finish(input: FinishInput = {}): Promise<Finished | undefined> {
      const answer = takeAnswer();
      if (!answer) return Promise.resolve(undefined);
      pendingResult ??= redeem(answer, input).then(
        (finished) => {
          end();
          return finished;
        },
        (refusal: unknown) => {
          if (isOpen(answer.pending, refusal)) pendingResult = undefined;
          else end();
          throw refusal;
        },
      );
      return pendingResult;
    },
    /** Drops what `finish` would end: the person has chosen another way. */
    forget(): void {
      takeAnswer();
      end();
    },
  };

  function end(): void {
    lastAnswer = undefined;
    pendingResult = undefined;
  }

  async function askForThem(): Promise<OfferedProvider[]> {
    try {
      const operation = 'GET /projects/{project_id} public';
      const { body } = await send(operation, { project_id: projectId }, {}, service);
      return (body as PublicProject).methods.sign_in_providers.map(({ name }) => titled(name));
    } catch (error) {
      pendingOffer = undefined;
      throw error;
    }
  }
}
