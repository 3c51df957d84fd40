import type { BrowserPage } from './address.ts';
import type { Entered } from './auth.ts';
import type { Fetch, Result } from './call.ts';
import { type SolveCaptcha, withCaptcha } from './captcha/with-captcha.ts';
import type { KnownDevice } from './device.ts';
import type { Session } from './generated/api.ts';
import { forgetLink, keep, keptIn, linkEntry } from './history-entry.ts';
import { challengeOf, randomToken } from './pkce.ts';
import { send } from './send.ts';
import { isPage } from './storage.ts';

export type LinksOptions<Taken> = {
  /** The base URL of the service. */
  url: string;
  projectId: string;
  /** Gets the session: an `Auth`, a `CookieAuth`, or whatever takes the answer of a sign-in. */
  auth: { signIn: ByAnswer<Taken> | { link: Calls<Taken> } };
  /** Has a captcha solved where the project asks for one: see the option of `createAuth`. */
  captcha?: SolveCaptcha | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};

/** A session that takes the answer of a sign-in, and what this device sends along. */
type ByAnswer<Taken> = {
  take(response: Promise<Result<Session>>): Promise<Taken>;
  device?(): KnownDevice;
};

/** The three calls; a session in a cookie has its own. */
type Calls<Taken> = {
  start(input: { email: string; challenge: string }): Promise<Mailed>;
  showCode(input: OpenedLink): Promise<{ code: string }>;
  signIn(input: { link_id: string; verifier: string }): Promise<Taken>;
};

type Mailed = { link_id: string; expires_in: number };

/** What the fragment of a mailed link has. */
export type OpenedLink = { link_id: string; token: string };

/** Who signs in by a link may be new: what to keep of them then. */
type Newcomer = { agreed_terms?: { tos?: true; sign_up?: true }; display_name?: string };

/** A link that this browser has asked for. Its verifier is worth nothing without the mail. */
type LinkRequest = { link_id: string; verifier: string; at: number };

/** Milliseconds: as long as a link is valid. */
const lifetime = 900_000;
/** Links that may be on their way at once; of more, the oldest shows its code. */
const maxRequests = 5;

/**
 * Takes the link out of the address of this page, so that neither a list of visited pages nor a screenshot has it. The
 * page's entry of the history keeps it until it is used, so that a reload has it again. Undefined if the page was
 * opened by itself.
 */
export function openedLink(): OpenedLink | undefined {
  if (!isPage()) return undefined;
  const { location } = globalThis as unknown as BrowserPage;
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [link_id, token] = [fragment.get('link_id'), fragment.get('token')];
  if (link_id === null || token === null) return keptIn<OpenedLink>(linkEntry);
  const link = { link_id, token };
  keep(linkEntry, link, location.href);
  return link;
}

/**
 * Sign-in by mailed links. A link signs in only in the browser that asked for it, which keeps a secret (a verifier, as
 * that of PKCE) until then; in any other it shows a code to type in the one that asked.
 */
export function createLinks<Taken = Entered>(options: LinksOptions<Taken>) {
  const { url, projectId, auth, captcha, fetch } = options;
  const service = { url: url.replace(/\/+$/, ''), fetch };
  const name = `sign-in links ${projectId}`;
  /** Also in memory: a page whose storage is blocked, or full, can still take the code. */
  let requests: LinkRequest[] = [];
  let isStored = true;

  const { signIn } = auth;
  const calls = 'link' in signIn ? signIn.link : callsBy(signIn);

  function callsBy({ take, device }: ByAnswer<Taken>): Calls<Taken> {
    const post = async <Body>(path: string, input: object) =>
      send(`POST ${path} public`, { project_id: projectId, ...input }, {}, service) as Promise<
        Result<Body>
      >;
    return {
      start: async (input) => (await post<Mailed>('/links', input)).body,
      showCode: async (input) => (await post<{ code: string }>('/links/code', input)).body,
      signIn: (input) => take(post<Session>('/sessions/link', { ...device?.(), ...input })),
    };
  }

  const ask = withCaptcha(captcha, 'link', calls.start);

  function read(): LinkRequest[] {
    try {
      const value = isStored && (JSON.parse(localStorage.getItem(name) ?? 'null') as unknown);
      if (Array.isArray(value)) requests = value as LinkRequest[];
    } catch {}
    return requests.filter(({ at }) => Date.now() - at < lifetime);
  }

  function store(newest: LinkRequest[]): void {
    requests = newest.slice(0, maxRequests);
    try {
      localStorage.setItem(name, JSON.stringify(requests));
      isStored = true;
    } catch {
      isStored = false;
    }
  }

  const verifierOf = (link_id: string): string | undefined =>
    read().find((each) => each.link_id === link_id)?.verifier;

  return {
    /** Mails a link for this browser. Resolves with its id and the seconds for which it is valid. */
    async start(email: string): Promise<Mailed> {
      const verifier = randomToken();
      const link = await ask({ email, challenge: await challengeOf(verifier) });
      store([{ link_id: link.link_id, verifier, at: Date.now() }, ...read()]);
      return link;
    },
    /** Whether this browser has asked for a link, used or not, in the time for which it is valid. */
    isOwn: (link_id: string): boolean => verifierOf(link_id) !== undefined,
    /**
     * Signs in by a link that this browser has asked for: with its token, or with the code that it shows elsewhere.
     * Call it at a click, because some scanners of mail open links and run scripts.
     * @throws ApiError `invalid_credentials` for a wrong or used one; `mfa_required`: then `auth.signIn.mfa` goes on
     */
    async signIn(proof: { link_id: string } & ({ token: string } | { code: string }) & Newcomer) {
      // After the time of the link there is none: one of the same form is refused as any wrong one.
      const verifier = verifierOf(proof.link_id) ?? '-'.repeat(43);
      const result = await calls.signIn({ ...proof, verifier });
      if (isPage()) forgetLink(proof.link_id);
      return result;
    },
    /**
     * The code of a link that another browser has asked for. Show it at a click, and say that nobody else may know it.
     */
    async showCode({ link_id, token }: OpenedLink): Promise<string> {
      return (await calls.showCode({ link_id, token })).code;
    },
  };
}
