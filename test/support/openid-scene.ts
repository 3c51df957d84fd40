import { newProjectSecret } from '../../shared/access/project-secret.ts';
import type { OAuthClient } from '../../shared/access/projects.ts';
import { keys } from '../../shared/db/keys.ts';
import { sha256 } from '../../shared/model/ids.ts';
import { CookieJar } from './cookie-jar.ts';
import { fromOwnPage } from './hosted-pages.ts';
import { goodPassword, signInProject } from './sign-in.ts';
import type { World } from './world.ts';

export const callback = 'https://app.example.com/callback';
export const loggedOut = 'https://app.example.com/bye';

/** The fields of a form or of a query. */
export type Fields = Record<string, string>;

/** The result of opening a URL: the final URL, and the hosted pages shown on the way. */
export type Visit = { url: URL; pages: string[]; status?: number };
export type UserAgent = ReturnType<OpenidScene['userAgent']>;
export type OpenidScene = Awaited<ReturnType<typeof openidScene>>;

/**
 * A project for OpenID clients: hosted pages, password sign-in, a public client `web`, and two confidential ones,
 * `backend` and `other`, with the same secret.
 */
export async function openidScene(
  world: World,
  {
    redirect_uris = [callback],
    ...settings
  }: { redirect_uris?: string[]; token_algorithm?: string } = {},
) {
  const people = await signInProject(world, settings);
  const { project_id } = people;
  const secret = newProjectSecret();
  const created_at = new Date().toISOString();
  const client = (name: string, secrets: OAuthClient['secrets'] = []): OAuthClient => ({
    client_id: `${project_id}.${name}`,
    name,
    redirect_uris,
    post_logout_redirect_uris: [loggedOut],
    secrets,
    created_at,
  });
  const secrets = [{ secret_id: '00000000', sha256: sha256(secret), created_at }];
  const [web, backend, other] = [
    client('web'),
    client('backend', secrets),
    client('other', secrets),
  ];
  await world.table.update(keys.project(project_id), {
    hosted_pages: true,
    oauth_clients: [backend, other, web],
  });
  const ada = await people.signUp('ada@example.com', goodPassword, { display_name: 'Ada' });

  /**
   * A browser: it keeps the cookies of the service and follows redirects until one leaves the service or a response is
   * no redirect. At the sign-in page its user signs in by password and continues; without a user (null) it stays there.
   */
  function userAgent(email: string | null = ada.email) {
    const cookies = new CookieJar();

    async function ask(url: URL, { headers, ...init }: RequestInit = {}): Promise<Response> {
      const sent = { ...(headers as Fields), ...cookies.header };
      const response = await fetch(url, { ...init, headers: sent, redirect: 'manual' });
      cookies.keep(response.headers.getSetCookie());
      return response;
    }

    /** Signs in as the sign-in page does; returns the URL that the page opens next. */
    async function signIn(page: URL): Promise<URL> {
      const { refresh_token } = await people.signIn(email ?? '');
      const headers = { ...fromOwnPage, authorization: `Bearer ${refresh_token}` };
      const started = await ask(new URL(`/pages/${project_id}/session`, world.url), {
        method: 'POST',
        headers,
      });
      if (!started.ok) throw new Error(`${started.status} ${await started.text()}`);
      const query = new URLSearchParams(page.search);
      query.delete('prompt');
      return new URL(`/authorize?${query.toString()}`, world.url);
    }

    /** Opens a URL, or posts a form to it. */
    async function open(address: string | URL, form?: Fields): Promise<Visit> {
      const pages: string[] = [];
      let url = new URL(address);
      let init: RequestInit = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
      for (let hops = 0; hops < 10; hops += 1) {
        const response = await ask(url, init);
        init = {};
        const location = response.headers.get('location');
        await response.arrayBuffer();
        if (location === null) return { url, pages, status: response.status };
        url = new URL(location, url);
        if (url.origin !== world.url) return { url, pages };
        const [, page] = new RegExp(`^/pages/${project_id}/([a-z-]+)$`).exec(url.pathname) ?? [];
        if (page === undefined) continue;
        pages.push(page);
        if (page !== 'sign-in' || email === null) return { url, pages };
        url = await signIn(url);
      }
      throw new Error(`Too many redirects: ${pages.join(' ')}`);
    }

    /** Ends the session, as the sign-out page does after its user has confirmed. */
    async function endSession(): Promise<void> {
      const session = new URL(`/pages/${project_id}/session`, world.url);
      const ended = await ask(session, { method: 'DELETE', headers: fromOwnPage });
      if (!ended.ok) throw new Error(`${ended.status} ${await ended.text()}`);
    }

    return { open, endSession };
  }

  return { ...people, issuer: world.url, secret, web, backend, other, ada, userAgent };
}
