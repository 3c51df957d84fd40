import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type Auth, createAuth } from '../../../client/auth.ts';
import { createRedirect } from '../../../client/redirect.ts';
import { callback, oauthScene } from '../../support/oauth.ts';
import type { World } from '../../support/world.ts';

/** An application in a tab of a stubbed browser; Ada is signed in on the service's pages. */
export async function redirectScene(world: World) {
  const scene = await oauthScene(world);
  const { project_id, web, authorize } = scene;
  const ada = await scene.visitor({ email: 'ada@redirect.example.com' });

  /** The browser's state of the tab: its address, where scripts have navigated, and its storage. */
  const tab = { url: new URL(callback), left: [] as URL[], stored: new Map<string, string>() };
  /** The paths of the requests, and a hook for the response of `/token`. */
  const network = {
    asked: [] as string[],
    meddle: (tokens: { id_token: string }): object => tokens,
  };
  const opened: Auth[] = [];

  beforeEach(() => {
    Object.assign(tab, { url: new URL(callback), left: [], stored: new Map() });
    Object.assign(network, { asked: [], meddle: (tokens: object) => tokens });
    vi.stubGlobal('document', {});
    vi.stubGlobal('location', {
      get href() {
        return tab.url.href;
      },
      get search() {
        return tab.url.search;
      },
      get pathname() {
        return tab.url.pathname;
      },
      get hash() {
        return tab.url.hash;
      },
      assign: (to: string) => tab.left.push(new URL(to)),
    });
    vi.stubGlobal('history', {
      state: { scroll: 7 },
      replaceState: (state: unknown, _: string, to: string) => {
        expect(state).toEqual({ scroll: 7 });
        tab.url = new URL(to, tab.url);
      },
    });
    const storage = {
      getItem: (name: string) => tab.stored.get(name) ?? null,
      setItem: (name: string, value: string) => tab.stored.set(name, value),
      removeItem: (name: string) => tab.stored.delete(name),
    };
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('localStorage', storage);
  });
  afterEach(() => {
    for (const auth of opened.splice(0)) auth.close();
    vi.unstubAllGlobals();
  });

  /** Starts the application on the current page. */
  function start({ url = world.url } = {}) {
    const send: typeof fetch = async (to, init) => {
      const { pathname } = new URL(String(to));
      network.asked.push(pathname);
      const response = await fetch(to, init);
      if (pathname !== '/token' || !response.ok) return response;
      const tokens = (await response.json()) as { id_token: string };
      return Response.json(network.meddle(tokens), { status: response.status });
    };
    const auth = createAuth({ url: world.url, projectId: project_id, fetch: send, tabs: false });
    opened.push(auth);
    const { client_id: clientId } = web;
    return {
      auth,
      ...createRedirect({ url, clientId, redirectUri: callback, auth, fetch: send }),
    };
  }

  /** Leaves for the service as the application requests, in a browser with a session, and returns. */
  async function roundTrip(
    { signIn }: ReturnType<typeof start>,
    options: Parameters<typeof signIn>[0] = {},
    cookie = ada.cookie,
  ): Promise<URL> {
    void signIn(options);
    await expect.poll(() => tab.left.length).toBe(1);
    const [to] = tab.left.splice(0);
    const answer = await authorize(Object.fromEntries(to?.searchParams ?? []), cookie);
    return new URL(answer.headers.get('location') ?? '');
  }
  const redemptions = () => network.asked.filter((path) => path === '/token').length;

  return { ...scene, ada, tab, network, start, roundTrip, redemptions };
}

/** The error that `finish` throws. */
export const refused = (code: string) => expect.objectContaining({ name: 'RedirectError', code });
