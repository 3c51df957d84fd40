import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { sha256 } from '#shared/model/ids.ts';
import { atHost } from '../../support/at-host.ts';
import { startStandIn } from '../../support/provider-stand-in.ts';
import {
  goThrough,
  newBrowser,
  personAt,
  providerProject,
  redeem,
  returnUrl,
  setSecret,
  upToCallback,
} from '../../support/providers.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const [google, github, own, other] = await Promise.all([
  startStandIn('google'),
  startStandIn('github'),
  startStandIn('oidc'),
  startStandIn('google'),
]);
const all = [google, github, own, other];
afterEach(() => {
  for (const each of all) each.behave();
});
const ours = await providerProject(world, [google, github, own]);
const { project_id } = ours;
google.is(personAt('google'));
github.is(personAt('github'));
own.is(personAt('oidc'));

const codes = async () =>
  (await world.table.all()).filter(({ pk }) => String(pk).startsWith('PROVIDER_CODE#')).length;
const back = (path: string, cookie?: string) =>
  world.call({ method: 'GET', path, ...(cookie && { headers: { cookie } }) });
const parameters = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

/** Expects no redirect, no stored code, and only the message that the sign-in was not started in this browser. */
async function expectNotBegun(answer: ReturnType<typeof back>, before: number): Promise<void> {
  const { status, headers, body } = await answer;
  expect([status, body.code, headers.get('location')]).toEqual([400, 'invalid_request', null]);
  expect(body.detail).toMatch(/^This sign-in was not begun in this browser/);
  expect(await codes()).toBe(before);
}

test('302 to the return URL with a code, of which the table has only the digest', async () => {
  const { path, cookie, given, code_verifier, browser, to } = await upToCallback(
    world,
    ours,
    'google',
    {
      query: { state: 'of the page' },
    },
  );
  const { status, location = '', set, headers } = await browser.visit(to);
  expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([
    ...[302, 'no-store', 'no-referrer'],
  ]);
  const url = new URL(location);
  const { code = '', ...others } = Object.fromEntries(url.searchParams);
  expect(`${url.origin}${url.pathname}`).toBe('https://app.example.com/signed-in');
  expect(others).toEqual({ from: 'provider', state: 'of the page' });
  // The cookie is deleted, without which nobody can use the sign-in.
  expect(set).toEqual([expect.stringMatching(/^provider-[\w-]{16}=; Path=\/; Max-Age=0; /)]);
  await expectNotBegun(back(path), await codes());
  const item = await world.table.get(keys.providerCode(code));
  expect(item).toMatchObject({
    project_id,
    provider: 'google',
    code_challenge: sha256(code_verifier),
  });
  expect(Number(item?.['expires_at']) - Date.now() / 1_000).toBeLessThanOrEqual(301);
  for (const secret of [code, code_verifier, google.secret, cookie])
    expect(JSON.stringify(item)).not.toContain(secret);
  const transaction = await world.table.get(keys.providerSignIn(given['state'] ?? ''));
  expect(transaction).toMatchObject({ project_id, answered_at: expect.any(String) });
  for (const secret of [code, code_verifier, cookie.split('=')[1] ?? ''])
    expect(JSON.stringify(transaction)).not.toContain(secret);
});

describe('one response of the provider', () => {
  const tokenCalls = () => google.calls.filter(({ path }) => path === '/token').length;

  test('is used once by concurrent requests; a later retry gets the same code until that is redeemed', async () => {
    const { path, cookie, code_verifier } = await upToCallback(world, ours, 'google');
    const [before, calls] = [await codes(), tokenCalls()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => back(path, cookie)));
    const given = answers.map(parameters);
    const [code = ''] = new Set(given.flatMap((each) => each['code'] ?? []));
    // A request during the exchange with the provider gets no code, and must start again.
    for (const each of given)
      expect(each['code'] ?? each['error']).toBe(each['code'] ? code : 'temporarily_unavailable');
    for (const again of [path, path.replace(/code=[^&]+/, 'code=x')])
      expect(parameters(await back(again, cookie))).toEqual({ from: 'provider', code });
    expect([(await codes()) - before, tokenCalls() - calls]).toEqual([1, 1]);
    expect((await redeem(ours, { code, code_verifier })).status).toBe(201);
    expect(parameters(await back(path, cookie))).toMatchObject({
      error: 'temporarily_unavailable',
    });
  });

  test('gets no code by a retry if the first use failed', async () => {
    const { path, cookie } = await upToCallback(world, ours, 'google');
    google.behave({ token: 500 });
    expect(parameters(await back(path, cookie))).toMatchObject({ error: 'provider_failed' });
    google.behave();
    expect(parameters(await back(path, cookie))).toEqual({
      ...{ from: 'provider', error: 'temporarily_unavailable' },
    });
  });
});

describe('400, and the sign-in can still continue in the browser that started it', () => {
  test('without its cookie, or with that of another browser or sign-in, so that nobody is signed in as another', async () => {
    const { path, given, cookie } = await upToCallback(world, ours, 'google');
    const another = await upToCallback(world, ours, 'google');
    const before = await codes();
    const state = given['state'] ?? '';
    const name = cookie.split('=')[0] ?? '';
    const foreign = another.cookie.split('=')[1] ?? '';
    const twice = `${cookie}; ${name}=${foreign}`;
    for (const wrong of [undefined, another.cookie, `${name}=${foreign}`, `${name}=`, twice])
      await expectNotBegun(back(path, wrong), before);
    expect(await world.table.get(keys.providerSignIn(state))).toBeDefined();
    expect((await back(path, cookie)).status).toBe(302);
  });

  test('at the callback of another provider (mix-up attack)', async () => {
    const { path, cookie } = await upToCallback(world, ours, 'google');
    const before = await codes();
    const calls = own.calls.length;
    await expectNotBegun(back(path.replace('/google/', '/own/'), cookie), before);
    expect(own.calls.length).toBe(calls);
    expect((await back(path, cookie)).status).toBe(302);
  });

  test('with an unknown or missing state, and after ten minutes', async () => {
    const { path, given, cookie } = await upToCallback(world, ours, 'google');
    const before = await codes();
    const { state = '' } = given;
    await expectNotBegun(back(path.replace(state, 'x'.repeat(43)), cookie), before);
    await expectNotBegun(back('/oauth/google/callback?code=a', cookie), before);
    await expectNotBegun(back('/oauth/google/callback', cookie), before);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    await expectNotBegun(back(path, cookie), before);
  });
});

test('201 with email_verified of userinfo if the ID token lacks it, as with Okta', async () => {
  const person = personAt('oidc');
  own.is(person);
  own.behave({ claims: { email: person.email } });
  const { body } = await redeem(ours, await goThrough(world, ours, 'own'));
  expect([body.user_created, body.user.email]).toEqual([true, person.email]);
});

test('302 with a code even if the provider sends null for optional fields', async () => {
  const tokens = { refresh_token: null, id_token: null, expires_in: null, scope: null };
  github.behave({ tokens });
  const { given } = await goThrough(world, ours, 'github');
  expect(given).toEqual({ from: 'provider', code: expect.any(String) });
});

describe('302 with an error, and without a code', () => {
  test.each([
    ['access_denied', 'access_denied'],
    ['user_cancelled_authorize', 'access_denied'],
    ['consent_required', 'access_denied'],
    ['temporarily_unavailable', 'temporarily_unavailable'],
    ['server_error', 'provider_failed'],
    ['<script>alert(1)</script>', 'provider_failed'],
    ['invalid_request&code=forged', 'provider_failed'],
    ['x'.repeat(600), 'provider_failed'],
  ])('if the provider returns the error %s', async (error, shown) => {
    google.behave({
      answer: (url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', error);
        url.searchParams.set('error_description', 'What somebody else says');
        return url;
      },
    });
    const before = await codes();
    const { given, to } = await goThrough(world, ours, 'google', { query: { state: 's' } });
    expect(given).toEqual({ from: 'provider', error: shown, state: 's' });
    expect(to).not.toMatch(/script|forged|somebody/);
    expect(await codes()).toBe(before);
  });

  const stranger = { iss: 'https://accounts.google.com' };
  test.each([
    ['another issuer', { claims: stranger }],
    ['another audience', { claims: { aud: 'another-client' } }],
    [
      'an additional audience',
      { claims: { aud: ['client-of-google', 'another'], azp: 'another' } },
    ],
    ['another nonce', { claims: { nonce: 'x' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an expired token', { claims: { exp: 1 } }],
    ['a token with a wrong signature', { forged: true }],
    ['no ID token', { noIdToken: true }],
    ['no token', { token: 500 }],
    ['another issuer in the query', { answer: withParameter('iss', 'https://evil.example') }],
    ['an invalid code', { answer: withParameter('code', 'x') }],
    ['a code of 4,000 characters', { answer: withParameter('code', 'x'.repeat(4_000)) }],
  ])('if the provider returns %s', async (_, wrong) => {
    google.behave(wrong);
    const before = await codes();
    const { given } = await goThrough(world, ours, 'google');
    expect(given).toEqual({ from: 'provider', error: 'provider_failed' });
    expect(await codes()).toBe(before);
  });

  test.each([
    ['its API refuses', { api: 403 }],
    ['its token endpoint fails', { token: 503 }],
    ['its response names another issuer', { answer: withParameter('iss', 'https://evil.example') }],
  ])('of a provider with an API, if %s', async (_, wrong) => {
    github.behave(wrong);
    const { given } = await goThrough(world, ours, 'github');
    expect(given).toEqual({ from: 'provider', error: 'provider_failed' });
  });

  test('if e-mail and email_verified are not in the same document', async () => {
    const person = personAt('oidc');
    const { email } = person;
    for (const [claims, userinfo] of [
      [{ email_verified: true }, { email_verified: false }],
      [{ email, email_verified: false }, {}],
      [{ email }, { email: undefined, email_verified: true }],
    ]) {
      own.is({ ...person, ...userinfo });
      own.behave({ claims: claims as Record<string, unknown> });
      const passed = await goThrough(world, ours, 'own');
      expect((await redeem(ours, passed)).body.code).toBe('identity_token_invalid');
    }
  });

  test('if the client secret is wrong or missing; a new one is used within a minute', async () => {
    const project = await providerProject(world, [own]);
    const name = `${project.project_id}/own`;
    vi.useFakeTimers({ toFake: ['Date'] });
    const later = () => vi.setSystemTime(Date.now() + 60_000);
    await setSecret(world, project, own, { secret: 'wrong' });
    const go = async () => (await goThrough(world, project, 'own')).given['error'];
    expect(await go()).toBe('provider_failed');
    await world.providerSecrets.set(name, undefined);
    later();
    expect(await go()).toBe('temporarily_unavailable');
    await setSecret(world, project, own);
    expect(await go()).toBeUndefined();
  });

  test('if the project has turned the provider off since', async () => {
    const project = await providerProject(world, [google]);
    const { path, cookie } = await upToCallback(world, project, 'google');
    const off = { action: 'update', project_id: project.project_id, sign_in_providers: null };
    await world.operate(off);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(parameters(await back(path, cookie))).toEqual({
      ...{ from: 'provider', error: 'sign_in_method_disabled' },
    });
  });
});

test('400 without a redirect if the project has removed the return URL since', async () => {
  const project = await providerProject(world, [google]);
  const { path, cookie } = await upToCallback(world, project, 'google');
  const return_urls = ['https://app.example.com/other'];
  await world.operate({ action: 'update', project_id: project.project_id, return_urls });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  await expectNotBegun(back(path, cookie), await codes());
});

test('the redirect URI has the host of the service, whatever host is called', async () => {
  const { path, cookie } = await upToCallback(world, ours, 'google');
  const { status } = await atHost(world.url, 'evil.example.com', path, { headers: { cookie } });
  expect(status).toBe(302);
  const { body } = google.calls.at(-1) ?? { body: '' };
  expect(new URLSearchParams(body).get('redirect_uri')).toBe(`${world.url}/oauth/google/callback`);
});

test('sends the client secret in the form, or with Basic if the metadata require it', async () => {
  await goThrough(world, ours, 'google');
  const form = new URLSearchParams(google.calls.at(-1)?.body);
  expect([form.get('client_secret'), google.calls.at(-1)?.authorization]).toEqual([
    ...[google.secret, undefined],
  ]);
  await goThrough(world, ours, 'own');
  const calls = own.calls.filter(({ path }) => path === '/token');
  expect(calls.at(-1)?.authorization).toMatch(/^Basic /);
  expect(calls.at(-1)?.body).not.toContain('client_secret');
});

test('two concurrent sign-ins of one browser both succeed', async () => {
  const browser = newBrowser(world.url);
  const [first, second] = [
    await upToCallback(world, ours, 'google', { browser }),
    await upToCallback(world, ours, 'github', { browser }),
  ];
  for (const { to, code_verifier } of [second, first]) {
    const { location = '' } = await browser.visit(to);
    const code = new URL(location).searchParams.get('code') ?? '';
    expect(location.startsWith(returnUrl)).toBe(true);
    expect((await redeem(ours, { code, code_verifier })).status).toBe(201);
  }
});

function withParameter(name: string, value: string) {
  return (url: URL) => {
    url.searchParams.set(name, value);
    return url;
  };
}
