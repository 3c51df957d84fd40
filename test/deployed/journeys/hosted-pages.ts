import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { callback, farewell, makeClients, type OAuthClients } from '../operator.ts';
import type { World } from '../world.ts';
import { type Browser, newBrowser } from './browser.ts';

const email = 'alan@example.com';
const password = 'a machine that halts, or does not';

const searchOf = (given: Record<string, string>) => new URLSearchParams(given).toString();

type Tokens = { access_token: string; refresh_token: string; id_token: string };

/** The hosted pages, and applications that sign users in through them. */
export async function hostedPages(world: World, baseUrl: string): Promise<void> {
  const { checks, project } = world;
  const clients = await makeClients(checks, project);
  const browser = newBrowser(world.url);
  await pagesAreServed(world, browser);
  await checks.check('a user signs up for the pages', async () => {
    const { project_id } = project;
    await world.anyone.passwords.signUp({ project_id, email });
    const token = await world.mailbox.nextToken(email);
    await world.anyone.passwords.set({ project_id, token, password });
  });
  await browserSession(world, browser, baseUrl);
  const tokens = await checks.check('a public client signs the user in by a code', () =>
    authorized(browser, baseUrl, { client_id: clients.web.client_id }),
  );
  await userInfo(world, browser, tokens);
  await confidential(world, browser, { clients, baseUrl });
  await signingOut(world, browser, { tokens, baseUrl });
}

async function pagesAreServed({ checks, url, project }: World, { send }: Browser): Promise<void> {
  const { project_id } = project;
  await checks.check('a page and its files are served', async () => {
    const { text } = await send('GET', `/projects/${project_id}`);
    const { name: called, sign_up, methods } = JSON.parse(text);
    deepEqual([called, sign_up, methods.password], ['Acme', true, true]);
    const shell = await send('GET', `/pages/${project_id}/sign-in`);
    match(shell.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const files = [...shell.text.matchAll(/(?:src|href)="\.\.(\/assets\/[^"]+)"/g)];
    ok(files.length >= 2, shell.text);
    for (const [, name = ''] of files) {
      const file = `/pages${name}`;
      const { status, text: plain, headers } = await send('GET', file);
      deepEqual(
        [status, headers.get('cache-control')],
        [200, 'public, max-age=31536000, immutable'],
      );
      deepEqual(await packed(url + file), plain);
    }
    equal((await send('GET', `/pages/${project_id}/nowhere`)).status, 400);
  });
  await checks.check('libraries find the provider', async () => {
    for (const each of ['oauth-authorization-server', 'openid-configuration']) {
      const { status, text } = await send('GET', `/.well-known/${each}`);
      equal(status, 200);
      match(JSON.parse(text).authorization_endpoint, /\/authorize$/);
    }
  });
}

/** The text of a file requested in brotli, for which fewer bytes than its size arrive. */
async function packed(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<Parameters<typeof buffer>[0]>();
  request(url, { headers: { 'accept-encoding': 'br' } })
    .on('error', reject)
    .on('response', (incoming) => {
      if (incoming.headers['content-encoding'] === 'br') resolve(incoming);
      else reject(new Error(`${url} is not compressed.`));
    })
    .end();
  const bytes = await buffer(await promise);
  const text = brotliDecompressSync(bytes).toString('utf8');
  ok(bytes.length < Buffer.byteLength(text));
  return text;
}

/** Signs in like the page: with the ordinary endpoint, whose refresh token is then stored in the cookie. */
async function keepSession({ anyone, project }: World, { send }: Browser) {
  const { project_id } = project;
  const { body } = await anyone.passwords.signIn({ project_id, email, password });
  const authorization = `Bearer ${body.refresh_token}`;
  const kept = await send('POST', `/pages/${project_id}/session`, { authorization });
  equal(kept.status, 200, kept.text);
  return kept;
}

async function browserSession(world: World, browser: Browser, baseUrl: string): Promise<void> {
  const { checks, project } = world;
  const { project_id } = project;
  const asked = newRequest({ client_id: `${project_id}.web` });
  await checks.check('a user without a session is redirected to the sign-in page', async () => {
    const { status, to, given } = await browser.send('GET', `/authorize?${asked.search}`);
    deepEqual([status, to], [302, `${baseUrl}/pages/${project_id}/sign-in`]);
    equal(given['client_id'], asked.given.client_id);
    equal((await browser.send('GET', new URL(to).pathname)).status, 200);
  });
  await checks.check('a page keeps its session in a cookie, and renews it', async () => {
    const kept = await keepSession(world, browser);
    const [line = ''] = kept.headers.getSetCookie();
    // The emulator's address is http, for which a browser accepts neither the prefix nor `Secure`.
    const isSecure = baseUrl.startsWith('https:');
    match(line, new RegExp(`^${isSecure ? '__Host-' : ''}session-${project_id}=`));
    equal(/; Secure(?:;|$)/.test(line), isSecure);
    match(line, /; Path=\/; .*HttpOnly; SameSite=Lax/);
    const before = [...browser.jar.values()];
    const { status, text } = await browser.send('POST', `/pages/${project_id}/session/token`);
    equal(status, 200, text);
    equal(JSON.parse(text).user.email, email);
    equal(JSON.parse(text).refresh_token, undefined);
    equal(browser.jar.size, 1);
    ok(!before.includes([...browser.jar.values()][0] ?? ''), 'another token in the cookie');
  });
}

/** A valid authorization request of a client, and the verifier of its challenge. */
function newRequest({ client_id }: { client_id: string }) {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const given = {
    ...{ client_id, redirect_uri: callback, response_type: 'code', state: 'st ate&1' },
    ...{
      code_challenge,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      nonce: 'n1',
    },
  };
  return { given, search: searchOf(given), code_verifier };
}

/** The tokens that a client gets for the browser's user. */
async function authorized(
  { send }: Browser,
  baseUrl: string,
  {
    client_id,
    authorization,
    byForm,
  }: { client_id: string; authorization?: string; byForm?: true },
): Promise<Tokens> {
  const { given, search, code_verifier } = newRequest({ client_id });
  let path = `/authorize?${search}`;
  if (byForm) {
    const led = await send('POST', '/authorize', { form: given });
    deepEqual([led.status, led.to, led.given], [303, `${baseUrl}/authorize`, given]);
    path = `/authorize?${searchOf(led.given)}`;
  }
  const answer = await send('GET', path);
  const { code = '', state, iss } = answer.given;
  deepEqual([answer.to, state, iss], [callback, given.state, baseUrl]);
  const form = {
    ...{ grant_type: 'authorization_code', code, code_verifier, redirect_uri: callback },
    ...(authorization === undefined && { client_id }),
  };
  const { status, text } = await send('POST', '/token', {
    form,
    ...(authorization !== undefined && { authorization }),
  });
  equal(status, 200, text);
  const tokens = JSON.parse(text) as Tokens;
  const [, claims = ''] = tokens.id_token.split('.');
  const {
    iss: issuer,
    aud,
    nonce,
    email: claimed,
  } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  deepEqual([issuer, aud, nonce, claimed], [baseUrl, client_id, given.nonce, email]);
  return tokens;
}

async function userInfo({ checks, project }: World, { send }: Browser, tokens: Tokens) {
  await checks.check('the public client reads the user info, and renews its session', async () => {
    const refresh = async (refresh_token: string) =>
      send('POST', '/token', {
        form: {
          grant_type: 'refresh_token',
          refresh_token,
          client_id: `${project.project_id}.web`,
        },
      });
    const { status, text } = await refresh(tokens.refresh_token);
    equal(status, 200, text);
    Object.assign(tokens, JSON.parse(text));
    const authorization = `Bearer ${tokens.access_token}`;
    for (const method of ['GET', 'POST']) {
      const claims = await send(method, '/userinfo', { authorization });
      equal(claims.status, 200, claims.text);
      equal(JSON.parse(claims.text).email, email);
    }
  });
}

async function confidential(
  { checks }: World,
  browser: Browser,
  { clients: { server }, baseUrl }: { clients: OAuthClients; baseUrl: string },
) {
  const { client_id, secret } = server;
  const authorization = `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`;
  await checks.check(
    'a confidential client signs the user in by a form, and only with its secret',
    async () => {
      const asked = { client_id, byForm: true } as const;
      const { refresh_token } = await authorized(browser, baseUrl, { ...asked, authorization });
      const form = { grant_type: 'refresh_token', refresh_token };
      const refused = await browser.send('POST', '/token', { form: { ...form, client_id } });
      deepEqual([refused.status, JSON.parse(refused.text).error], [401, 'invalid_client']);
      const by = { ...form, client_id, client_secret: secret };
      equal((await browser.send('POST', '/token', { form: by })).status, 200);
    },
  );
}

async function signingOut(
  world: World,
  browser: Browser,
  { tokens, baseUrl }: { tokens: Tokens; baseUrl: string },
) {
  const { checks, project } = world;
  const { send, jar } = browser;
  const session = `/pages/${project.project_id}/session`;
  await checks.check('a client signs the user out of the client and of the pages', async () => {
    const form = { id_token_hint: tokens.id_token, post_logout_redirect_uri: farewell, state: 's' };
    const led = await send('POST', '/logout', { form });
    deepEqual([led.status, led.to], [303, `${baseUrl}/logout`]);
    const out = await send('GET', `/logout?${searchOf(led.given)}`);
    equal(out.status, 302, out.text);
    deepEqual([out.to, out.given, jar.size], [farewell, { state: 's' }, 0]);
    const authorization = `Bearer ${tokens.access_token}`;
    equal((await send('GET', '/userinfo', { authorization })).status, 401);
    equal((await send('POST', `${session}/token`)).status, 401);
  });
  await checks.check('the account page signs the user out', async () => {
    await keepSession(world, browser);
    const [kept] = jar;
    equal((await send('DELETE', session)).status, 200);
    equal(jar.size, 0);
    jar.set(...(kept ?? ['', '']));
    equal((await send('POST', `${session}/token`)).status, 401);
  });
}
