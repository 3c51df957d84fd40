import { afterEach, vi } from 'vitest';
import { createAuth } from '../../../client/auth.ts';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { createProviders, type ProvidersOptions } from '../../../client/providers.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { factorProject } from '../../support/factors.ts';
import { startStandIn } from '../../support/provider-stand-in.ts';
import { newBrowser, returnUrl, setSecret } from '../../support/providers.ts';
import type { World } from '../../support/world.ts';

export type Tab = ReturnType<Awaited<ReturnType<typeof providersScene>>['open']>;

/** Where the session is stored: in the tab, or in a cookie of a backend. */
export const keepings = ['page', 'cookie'] as const;

/** Applications in tabs of stubbed browsers, with the real service, its cookie handler and a fake provider. */
export async function providersScene(world: World) {
  const own = await startStandIn('oidc');
  const ours = await factorProject(world, {
    hosted_pages: true,
    sign_in_providers: { own: own.settings, github: { client_id: 'nobody' } },
    return_urls: [returnUrl],
  });
  await setSecret(world, ours, own);
  const { project_id: projectId } = ours;
  /** The bodies of the sign-in requests to the service. */
  const sent: Record<string, unknown>[] = [];
  /** The network between the sessions and the service. */
  const network: { isAway: boolean; lost: Error | undefined } = { isAway: false, lost: undefined };
  const noting: typeof fetch = async (to, init) => {
    if (network.isAway) throw new TypeError('no connection');
    if (String(to).endsWith('/sessions/oauth'))
      sent.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
    const answer = await fetch(to, init);
    // The service has answered.
    if (network.lost) throw network.lost;
    return answer;
  };
  const backend = await startBackend({ url: world.url, projectId, fetch: noting });
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const auth of opened.splice(0)) auth.close();
    vi.unstubAllGlobals();
    Object.assign(network, { isAway: false, lost: undefined });
  });

  /** Opens the application in a tab, with the state of another tab of the same browser or of its previous page. */
  function open(
    keeping: (typeof keepings)[number] = 'page',
    {
      of = newBrowser(world.url),
      at = returnUrl,
      stored = new Map<string, string>(),
      cookies = openBrowser(backend),
      isOffline = false,
      ...options
    }: {
      of?: ReturnType<typeof newBrowser>;
      at?: string;
      stored?: Map<string, string>;
      cookies?: ReturnType<typeof openBrowser>;
      /** Its backend does not answer until the test ends this. */
      isOffline?: boolean;
    } & Partial<ProvidersOptions> = {},
  ) {
    cookies.network.loses = isOffline;
    // `createCookieAuth` requests the session at once, but only in a browser.
    if (isOffline) vi.stubGlobal('document', {});
    const auth =
      keeping === 'page'
        ? createAuth({ url: world.url, projectId, fetch: noting, tabs: false })
        : createCookieAuth({ url: world.url, fetch: toEither, tabs: false });
    opened.push(auth);
    function toEither(to: string | URL | Request, init?: RequestInit): Promise<Response> {
      return String(to).startsWith('/') ? cookies.browse(to, init) : fetch(to, init);
    }
    const providers = createProviders({
      ...{ url: `${world.url}/`, projectId, returnUrl, auth },
      ...options,
    });
    const state = {
      url: new URL(at),
      /** The addresses to which its scripts have navigated. */
      left: [] as string[],
      /** The listeners of `pageshow`. */
      shown: [] as ((event: { persisted: boolean }) => void)[],
    };
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
    };
    const here = () => {
      const { href, search, pathname, hash } = state.url;
      return { href, search, pathname, hash, assign: (to: string) => state.left.push(to) };
    };
    /** Runs the work in this tab. */
    const use = async <T>(work: (own: typeof providers) => Promise<T> | T): Promise<T> => {
      // The React test environment may have defined a document already.
      if (!('document' in globalThis)) vi.stubGlobal('document', {});
      vi.stubGlobal('sessionStorage', storage);
      vi.stubGlobal('addEventListener', (_: string, listener: (typeof state.shown)[number]) =>
        state.shown.push(listener),
      );
      vi.stubGlobal('removeEventListener', (_: string, listener: (typeof state.shown)[number]) =>
        state.shown.splice(state.shown.indexOf(listener), 1),
      );
      vi.stubGlobal('location', here());
      vi.stubGlobal('history', {
        state: { scroll: 7 },
        replaceState: (kept: { scroll: number }, _: string, to: string) => {
          if (kept.scroll !== 7) throw new Error('The state of the page is lost.');
          state.url = new URL(to, state.url);
          vi.stubGlobal('location', here());
        },
      });
      return work(providers);
    };
    /** Leaves for the provider, and resolves with the address to which it redirects back. */
    async function away(leave: (own: typeof providers) => Promise<unknown>): Promise<string> {
      await use((each) => void leave(each));
      await vi.waitUntil(() => state.left.length > 0);
      return (await of.follow(state.left.splice(0)[0] ?? '')).to;
    }
    /** Opens an address in this tab: the application restarts with the session and the storage of the tab. */
    const goTo = (address: string) => {
      state.url = new URL(address);
    };
    return { auth, providers, state, storage, stored, use, away, goTo, browser: of, cookies };
  }

  return { ours, own, open, sent, network };
}

/** The error that is thrown. */
export const refused = (code: string) => ({ name: 'ProviderError', code });
