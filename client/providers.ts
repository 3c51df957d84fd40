import { leaveFor, type Page, takeFromAddress } from './address.ts';
import { type ApiError, isPassing } from './api-error.ts';
import type { PublicProject } from './generated/api.ts';
import { challengeOf, randomToken } from './pkce.ts';
import { ProviderError } from './providers/error.ts';
import type { Finished, FinishInput, LeaveOptions, ProvidersOptions } from './providers/options.ts';
import { type PendingSignIn, rememberPending, statePrefix } from './providers/pending-sign-ins.ts';
import { type OfferedProvider, titled } from './providers/title.ts';
import { send } from './send.ts';
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

/** What a provider has answered; without `begun` if this tab has not asked. */
type Answer = { begun: PendingSignIn | undefined; code: string | null; error: string | null };

/**
 * Sign-in at identity providers to which the browser is redirected. The page is left, and comes back to `returnUrl`
 * with a code, which is worth something only with the verifier that this tab keeps until then, as in PKCE.
 */
export function createProviders(options: ProvidersOptions) {
  const { projectId, returnUrl, auth, names, fetch } = options;
  const service = { url: options.url.replace(/\/+$/, ''), fetch };
  const pending = rememberPending(projectId);
  const page = globalThis as unknown as Page;
  let answer: Answer | undefined;
  let finishing: Promise<Finished> | undefined;
  let asking: Promise<OfferedProvider[]> | undefined;
  const named = (names ?? []).map(titled);
  const known = (provider: string) =>
    named.find(({ name }) => name === provider) ?? titled(provider);
  const failureOf = (code: string, provider: string) => new ProviderError(code, known(provider));

  async function leave(
    provider: string,
    { loginHint, prompt, state: own }: LeaveOptions,
    linkTo?: string,
  ): Promise<void> {
    const begun: PendingSignIn = {
      ...{ state: statePrefix + randomToken(), verifier: randomToken() },
      ...{ provider, linkTo, own, returnUrl },
    };
    const code_challenge = await challengeOf(begun.verifier);
    try {
      pending.keep(begun);
    } catch {
      // At the provider it would be too late to say so.
      throw failureOf('storage_unavailable', provider);
    }
    const query = new URLSearchParams({
      project_id: projectId,
      return_url: returnUrl,
      code_challenge,
      state: begun.state,
      ...(loginHint && { login_hint: loginHint }),
      ...(prompt && { prompt }),
    });
    return leaveFor(`${service.url}/oauth/${encodeURIComponent(provider)}/start?${query}`);
  }

  /** The answer of a provider, which it takes out of the address of this page. */
  function look(): Answer | undefined {
    if (!isPage()) return undefined;
    const given = new URLSearchParams(page.location.search);
    const [state, code, error] = [given.get('state'), given.get('code'), given.get('error')];
    if (!state?.startsWith(statePrefix) || (code === null && error === null)) return answer;
    const begun = pending.find(state);
    // Another one of this application has asked, and takes it on its own page.
    if (begun?.returnUrl !== undefined && begun.returnUrl !== returnUrl) return answer;
    takeFromAddress(['state', 'code', 'error']);
    if (begun) pending.drop(begun);
    answer = { begun, code, error };
    return answer;
  }

  async function redeem(
    { begun, code, error }: Answer,
    { agreed_terms, current_password }: FinishInput,
  ): Promise<Finished> {
    // Somebody else's code would sign in as somebody else, or link their account (CSRF).
    if (!begun) throw new ProviderError('state_mismatch');
    const { provider, verifier: code_verifier, linkTo, own: state } = begun;
    if (code === null || error !== null) throw failureOf(error ?? 'provider_failed', provider);
    const ended = { provider, state };
    if (linkTo === undefined) {
      const entered = await auth.signIn.provider({ code, code_verifier, agreed_terms });
      return { from: 'signIn', ...ended, ...entered };
    }
    const uid = await whoIsIn();
    if (uid !== linkTo) throw failureOf(uid === undefined ? 'signed_out' : 'other_user', provider);
    const { link } = auth.api.identities;
    const { body: user } = await link({ provider, code, code_verifier, current_password });
    return { from: 'link', ...ended, user };
  }

  function returnedFrom(): Finished['from'] | undefined {
    const found = look();
    if (!found) return undefined;
    return found.begun?.linkTo === undefined ? 'signIn' : 'link';
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
  function isOpen(begun: PendingSignIn | undefined, refusal: unknown): boolean {
    const { name, code } = refusal as { name: string } & Partial<Omit<ApiError, 'name'>>;
    if (!begun || name === 'ProviderError') return false;
    if (begun.linkTo !== undefined) return code !== 'identity_token_invalid';
    return name === 'TypeError' || isPassing(refusal as ApiError);
  }

  return {
    /** The providers for which to show a button, in the order of their names. */
    offered(): Promise<OfferedProvider[]> {
      asking ??= names ? Promise.resolve(named) : askForThem();
      return asking;
    },
    /**
     * Leaves the page for a provider, by which somebody signs in. Resolves only if the page is shown again as it was
     * left, as after a step back in the history, or is still there after 10 seconds.
     * @throws ProviderError `storage_unavailable`, and the page is not left
     */
    signIn: (provider: string, given: LeaveOptions = {}): Promise<void> => leave(provider, given),
    /**
     * The same, to link the account there to who is signed in. The session must outlast the redirect: in memory alone
     * it does not, unless another tab has it.
     * @throws ProviderError `storage_unavailable`; `signed_out` if nobody is
     * @throws ApiError, or what `fetch` throws, where a backend has the session and cannot be asked
     */
    async link(provider: string, given: LeaveOptions = {}): Promise<void> {
      const uid = await whoIsIn();
      if (uid === undefined) throw failureOf('signed_out', provider);
      return leave(provider, given, uid);
    },
    /**
     * The method that had left the page, if a provider has just led back to it, and `finish` has not ended that yet;
     * takes its answer out of the address. One that this tab has not asked for counts as that of `signIn`. A sign-out
     * drops that of `signIn`.
     */
    returnedFrom,
    /** The provider that has just led back, if this tab had left for it, and `finish` has not ended that yet. */
    returnedBy(): OfferedProvider | undefined {
      const { begun } = look() ?? {};
      return begun && known(begun.provider);
    },
    /**
     * Ends what `signIn` or `link` has begun, on the page of `returnUrl`. Undefined if the page was opened by itself.
     * More calls at once get the same answer. Call it again after a refused link, as for want of the password, and after
     * a sign-in that had no answer, or 429, 502, 503 or 504. Any other end, a sign-out and `forget` drop the answer of a
     * sign-in.
     * @throws ProviderError if the service says why not, or this tab has not asked
     * @throws ApiError `mfa_required`: then `auth.signIn.mfa` goes on; `identity_link_required`: there is an account with
     *   the e-mail, whose user signs in as before and then calls `link`; `reauthentication_required` of a link: ask with
     *   `useReauthentication()`, then call `finish` again, within the 5 minutes of the code
     */
    finish(input: FinishInput = {}): Promise<Finished | undefined> {
      const found = look();
      if (!found) return Promise.resolve(undefined);
      finishing ??= redeem(found, input).then(
        (finished) => {
          end();
          return finished;
        },
        (refusal: unknown) => {
          if (isOpen(found.begun, refusal)) finishing = undefined;
          else end();
          throw refusal;
        },
      );
      return finishing;
    },
    /** Drops what `finish` would end: the person has chosen another way. */
    forget(): void {
      look();
      end();
    },
  };

  function end(): void {
    answer = undefined;
    finishing = undefined;
  }

  async function askForThem(): Promise<OfferedProvider[]> {
    try {
      const how = 'GET /projects/{project_id} public';
      const { body } = await send(how, { project_id: projectId }, {}, service);
      return (body as PublicProject).methods.sign_in_providers.map(({ name }) => titled(name));
    } catch (error) {
      asking = undefined;
      throw error;
    }
  }
}
