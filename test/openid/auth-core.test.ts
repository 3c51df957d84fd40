import { expect, test } from 'vitest';
import { CookieJar } from '../support/cookie-jar.ts';
import { openidScene, type UserAgent } from '../support/openid-scene.ts';
import { startWorld } from '../support/world.ts';

/** Imported without its types, which are for web pages: their globals would apply to every file of this project. */
const { Auth } = (await import(import.meta.resolve('@auth/core'))) as {
  Auth(request: Request, config: object): Promise<Response>;
};

const app = 'https://app.example.com';
const world = await startWorld();
const redirect_uris = [`${app}/auth/callback/service`];
const scene = await openidScene(world, { redirect_uris });
const { issuer, backend, secret, ada } = scene;

/** The provider, configured as a custom one of next-auth. */
const config = (provider: object = {}) => ({
  basePath: '/auth',
  secret: 'only-for-tests-0123456789abcdef0123456789abcdef',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    {
      ...{ id: 'service', name: 'Service', type: 'oidc', issuer },
      ...{ clientId: backend.client_id, clientSecret: secret },
      checks: ['pkce', 'state', 'nonce'],
      ...provider,
    },
  ],
});

/** The application, and its cookies in the browser. */
function openApp(settings = config()) {
  const cookies = new CookieJar();

  async function ask(address: string, form?: Record<string, string>): Promise<Response> {
    const init = form && { method: 'POST', body: new URLSearchParams(form) };
    const request = new Request(new URL(address, app), { ...init, headers: cookies.header });
    const response = await Auth(request, settings);
    cookies.keep(response.headers.getSetCookie());
    return response;
  }

  /** Presses its button, passes through the service and returns. Resolves with the application's final redirect. */
  async function signIn(agent: UserAgent, forge: (landed: URL) => void = () => {}) {
    const { csrfToken } = (await (await ask('/auth/csrf')).json()) as { csrfToken: string };
    const pressed = await ask('/auth/signin/service', { csrfToken, callbackUrl: `${app}/home` });
    const sent = new URL(pressed.headers.get('location') ?? '');
    const { url } = await agent.open(sent);
    forge(url);
    const back = await ask(url.href);
    return { sent, location: back.headers.get('location') };
  }

  const session = async () => (await ask('/auth/session')).json();
  return { signIn, session };
}

test.each(['client_secret_basic', 'client_secret_post'])(
  'signs in with PKCE, state and nonce, and gets the user: %s',
  async (token_endpoint_auth_method) => {
    const { signIn, session } = openApp(config({ client: { token_endpoint_auth_method } }));
    expect(await session()).toBeNull();
    const { sent, location } = await signIn(scene.userAgent());
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: backend.client_id, code_challenge_method: 'S256' },
      ...{ state: expect.any(String), nonce: expect.any(String) },
    });
    expect(location).toBe(`${app}/home`);
    expect(await session()).toMatchObject({ user: { name: 'Ada', email: ada.email } });
  },
);

test('a project that signs with ES256 needs no further configuration', async () => {
  const other = await openidScene(world, { redirect_uris, token_algorithm: 'ES256' });
  const client = { clientId: other.backend.client_id, clientSecret: other.secret };
  const { signIn, session } = openApp(config(client));
  await signIn(other.userAgent());
  expect(await session()).toMatchObject({ user: { email: other.ada.email } });
});

test.each([
  ['state', (landed: URL) => landed.searchParams.set('state', 'x')],
  ['iss', (landed: URL) => landed.searchParams.set('iss', 'https://attacker.example.com')],
  ['code', (landed: URL) => landed.searchParams.set('code', 'x'.repeat(43))],
])('a response with a forged %s signs no user in', async (_, forge) => {
  const { signIn, session } = openApp();
  const { location } = await signIn(scene.userAgent(), forge);
  expect(location).toMatch(/\/auth\/(?:error|signin)\?/);
  expect(await session()).toBeNull();
});

test('a code of another browser signs no user in', async () => {
  const [victim, attacker] = [openApp(), openApp()];
  let stolen = '';
  await attacker.signIn(scene.userAgent(), (landed) => {
    stolen = landed.searchParams.get('code') ?? '';
    landed.searchParams.set('state', 'x');
  });
  await victim.signIn(scene.userAgent(), (landed) => landed.searchParams.set('code', stolen));
  expect(await victim.session()).toBeNull();
});
