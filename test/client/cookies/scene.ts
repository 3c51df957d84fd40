import { afterEach, vi } from 'vitest';
import { type CookieAuth, createCookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import type { World } from '../../support/world.ts';

/** The response of a proxy until the user has signed in to it. */
const loginPage = () => new Response('<h1>Sign in to the network</h1>', { status: 401 });

type Browser = ReturnType<typeof openBrowser>;

/** The page half of the client, against a backend with the other half and the real service. */
export async function cookieScene(world: World) {
  // The client treats this process as a page.
  vi.stubGlobal('document', {});

  const at = await signInProject(world);
  /** Paths whose requests are processed but whose responses are lost, or never come. */
  const service = { down: false, loses: '', hangs: '', behindProxy: false };
  const url = await startBackend({
    url: world.url,
    projectId: at.project_id,
    async fetch(...call) {
      if (service.down) throw new TypeError('fetch failed');
      if (service.behindProxy) return loginPage();
      const [target, init] = call;
      if (service.hangs && String(target).endsWith(service.hangs))
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        );
      const response = await fetch(...call);
      if (service.loses && String(target).endsWith(service.loses)) throw new TypeError('lost');
      return response;
    },
  });
  /** Access tokens that the service refuses from now on. */
  const refused = new Set<string | undefined>();
  const people = { count: 0 };
  const opened: CookieAuth[] = [];
  afterEach(() => {
    for (const auth of opened.splice(0)) auth.close();
  });

  /** A page of a browser; `asked` are the addresses that it requests. */
  function open(browser: Browser = openBrowser(url), tabs = false, path = '/auth') {
    const asked: string[] = [];
    const line = {
      cut: false,
      /** The response is lost after the backend has done its work. */
      lost: false,
      /** The same, but the cookies of the response have come. */
      torn: false,
      proxy: false,
      page: false,
      login: false,
      failing: '',
      failures: Infinity,
      arrival: Promise.resolve(),
    };
    const auth = createCookieAuth({
      path,
      url: world.url,
      tabs,
      async fetch(target, init) {
        const address = String(target);
        asked.push(address);
        const fails = address.includes(line.failing) && line.failures-- > 0;
        if (fails && line.cut) throw new TypeError('fetch failed');
        if (fails && line.proxy) return new Response('<h1>Bad Gateway</h1>', { status: 502 });
        if (line.login) return loginPage();
        if (line.page) return new Response('<!doctype html><title>Shop</title>');
        if (address.startsWith('/auth')) {
          browser.network.loses = fails && line.lost;
          const response = await browser.browse(target, init);
          await line.arrival;
          if (fails && line.torn) throw new TypeError('the connection broke');
          return response;
        }
        const [, token] = new Headers(init?.headers).get('authorization')?.split(' ') ?? [];
        const headers = refused.has(token)
          ? { authorization: 'Bearer no.longer.good' }
          : init?.headers;
        return fetch(target, { ...init, ...(headers && { headers }) });
      },
    });
    opened.push(auth);
    const heard: unknown[] = [];
    auth.onChange((session, reason) => heard.push(session?.user.email ?? reason));
    return { auth, asked, heard, browser, line };
  }

  async function person() {
    const email = `page${(people.count += 1)}@example.com`;
    await at.signUp(email);
    return { email, password: goodPassword };
  }
  const live = async (token: string) =>
    (await world.call('GET', '/users/me', `Bearer ${token}`)).status === 200;
  function later(seconds: number): void {
    pass(seconds * 1_000);
  }
  return { world, at, service, url, refused, opened, open, person, live, later };
}
