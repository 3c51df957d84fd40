import { afterEach } from 'vitest';
import { type Auth, type AuthOptions, createAuth } from '../../../client/auth.ts';
import type { SignedIn } from '../../../client/listeners.ts';
import { signInProject } from '../../support/sign-in.ts';
import type { World } from '../../support/world.ts';

/** Intercepts a request; by default it is sent. */
type Hook = (send: () => Promise<Response>, path: string) => Promise<Response>;

export type Tab = ReturnType<Awaited<ReturnType<typeof authScene>>['tab']>;

/** The path of the refresh. */
export const refreshPath = '/sessions/token/refresh';

/** Browser tabs that use a project of the real service. They are closed after each test. */
export async function authScene(world: World, settings: object = {}) {
  const ours = await signInProject(world, settings);
  const { project_id } = ours;
  const opened: { close(): void }[] = [];
  let people = 0;
  afterEach(() => {
    for (const auth of opened.splice(0)) auth.close();
  });

  /** Opens a tab. It records its requests and the calls of its listener. */
  function tab(options: Partial<AuthOptions> = {}) {
    const calls: { path: string; key: string | null }[] = [];
    const heard: [string | undefined, string?][] = [];
    const network: { hook?: Hook | undefined } = {};
    const auth = createAuth({
      url: world.url,
      projectId: project_id,
      fetch: async (input, init) => {
        const path = new URL(input).pathname;
        calls.push({ path, key: new Headers(init?.headers).get('idempotency-key') });
        const send = () => fetch(input, init);
        return network.hook ? network.hook(send, path) : send();
      },
      ...options,
    });
    opened.push(auth);
    auth.onChange((session: SignedIn | null, reason) => {
      heard.push(reason === undefined ? [session?.user.email] : [session?.user.email, reason]);
    });
    const refreshes = () => calls.filter(({ path }) => path === refreshPath);
    return { auth, calls, heard, network, refreshes };
  }

  /** Signs in a new user with a mailed code. */
  async function signIn({ auth }: { auth: Auth }, email?: string): Promise<string> {
    people += 1;
    const who = email ?? `browser${people}@example.com`;
    await auth.signIn.code(await ours.code(who));
    return who;
  }

  return { ours, tab, signIn };
}

/** A storage that tabs share, like `localStorage`. */
export function shelf() {
  let text: string | null = null;
  return {
    get: () => text,
    set: (value: string) => {
      text = value;
    },
    delete: () => {
      text = null;
    },
  };
}

/** Delays the response to the next refreshes of a tab until `arrive`; `sent` waits until the service has answered one. */
export function delayRefresh({ network }: Pick<Tab, 'network'>) {
  const { opened, open: arrive } = gate();
  const { opened: sent, open: send } = gate();
  network.hook = async (forward, path) => {
    const response = await forward();
    if (path !== refreshPath) return response;
    send();
    await opened;
    return response;
  };
  return { sent, arrive };
}

/** A promise to wait for, and its `resolve`. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
