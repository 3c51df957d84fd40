import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { sha256 } from '#shared/model/ids.ts';
import { presetNames } from '#shared/model/provider-presets.ts';
import { atHost } from '../../support/at-host.ts';
import { expectProblem } from '../../support/expectations.ts';
import { type StandIn, startOther, startStandIn } from '../../support/provider-stand-in.ts';
import { newBrowser, providerProject, returnUrl, startOf } from '../../support/providers.ts';
import { signInProject } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const standIns = await Promise.all(presetNames.map((each) => startStandIn(each)));
const ours = await providerProject(world, standIns);
const nameOf = (preset: string) => (preset === 'oidc' ? 'own' : preset);
const get = (url: string) => world.call('GET', url.slice(world.url.length));
/** The status of a start, and where it leads. */
async function startAt(project: { project_id: string }, name: string, query: object = {}) {
  const { status, headers } = await get(startOf(world, project, name, query).url);
  return { status, headers, to: new URL(headers.get('location') ?? '') };
}
/** The metadata that a provider publishes. */
const metadataOf = async ({ origin }: StandIn) =>
  (await (await fetch(`${origin}/.well-known/openid-configuration`)).json()) as {
    authorization_endpoint: string;
  };
const begun = async () =>
  (await world.table.all()).filter(({ pk }) => String(pk).startsWith('PROVIDER_STATE#'));

test.each(standIns)(
  '302 to $preset, with the parameters of its documentation',
  async ({ preset, issuer, origin, client_id }) => {
    const name = nameOf(preset);
    const more = { state: 'ours', login_hint: 'ada@example.com', prompt: 'select_account' };
    const { url } = startOf(world, ours, name, more);
    const { status, headers } = await get(url);
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      302,
      'no-store',
      'no-referrer',
    ]);
    const to = new URL(headers.get('location') ?? '');
    expect(to.origin).toBe(origin);
    const { state = '', nonce, code_challenge, ...asked } = Object.fromEntries(to.searchParams);
    expect(asked).toEqual({
      ...{ response_type: 'code', client_id, login_hint: more.login_hint, prompt: more.prompt },
      redirect_uri: `${world.url}/oauth/${name}/callback`,
      scope:
        {
          github: 'read:user user:email',
          discord: 'identify email',
          facebook: 'email public_profile',
          apple: 'openid email name',
        }[preset as string] ?? 'openid email profile',
      ...(preset === 'apple' && { response_mode: 'form_post' }),
      ...(preset !== 'linkedin' && { code_challenge_method: 'S256' }),
    });
    const item = await world.table.get(keys.providerSignIn(state));
    const { browser, expires_at, write_id: _, ...stored } = item ?? {};
    expect(stored).toEqual({
      ...keys.providerSignIn(state),
      ...{ project_id: ours.project_id, provider: name, return_url: returnUrl, app_state: 'ours' },
      code_challenge: new URL(url).searchParams.get('code_challenge'),
    });
    expect(Number(expires_at) - Date.now() / 1_000).toBeLessThanOrEqual(601);
    // Neither the state nor the browser's secret is in the table.
    expect(JSON.stringify(item)).not.toContain(state);
    const [line = ''] = headers.getSetCookie();
    const [, cookie = ''] = /^provider-[\w-]{16}=([\w-]{43}); /.exec(line) ?? [];
    expect(browser).toBe(sha256(cookie));
    expect(line).toMatch(
      preset === 'apple'
        ? /; Path=\/; Max-Age=600; HttpOnly; SameSite=None; Secure$/
        : /; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const hasPkce = preset !== 'linkedin';
    expect(code_challenge).toEqual(hasPkce ? expect.stringMatching(/^[\w-]{43}$/) : undefined);
    const isOpenid = !['github', 'discord', 'facebook', 'linkedin'].includes(preset);
    expect(nonce).toEqual(isOpenid ? expect.stringMatching(/^[\w-]{43}$/) : undefined);
    expect(issuer).toContain(origin);
  },
);

test('302 with the scopes that the operator adds', async () => {
  const [google] = standIns;
  const more = await providerProject(world, [], {
    sign_in_providers: {
      google: {
        ...google?.settings,
        scopes: ['https://www.googleapis.com/auth/calendar', 'email'],
      },
    },
  });
  const { to } = await startAt(more, 'google');
  expect(to.searchParams.get('scope')).toBe(
    'openid email profile https://www.googleapis.com/auth/calendar',
  );
});

describe('302 with keep_tokens requests a refresh token', () => {
  test.each(standIns)('from $preset, with the parameters of its documentation', async (standIn) => {
    const keeping = await providerProject(world, [standIn], {}, { keep_tokens: true });
    const asked = async (query: object = {}) => {
      const { to } = await startAt(keeping, nameOf(standIn.preset), query);
      const { scope = '', prompt, access_type } = Object.fromEntries(to.searchParams);
      return { prompt, access_type, offline: scope.split(' ').includes('offline_access') };
    };
    const online = { prompt: undefined, access_type: undefined, offline: false };
    const preset: string = standIn.preset;
    const expected =
      {
        google: { ...online, access_type: 'offline', prompt: 'consent' },
        microsoft: { ...online, offline: true },
        oidc: { ...online, offline: true, prompt: 'consent' },
      }[preset] ?? online;
    expect(await asked()).toEqual(expected);
    expect((await asked({ prompt: 'login' })).prompt).toBe('login');
  });

  test('but not if the metadata list other scopes only', async () => {
    const own = await startOther('oidc');
    const scopes_supported = ['openid', 'email', 'profile'];
    own.behave({ metadata: { ...(await metadataOf(own)), scopes_supported } });
    const keeping = await providerProject(world, [own], {}, { keep_tokens: true });
    const { to } = await startAt(keeping, own.name);
    const { scope, prompt } = Object.fromEntries(to.searchParams);
    expect([scope, prompt]).toEqual(['openid email profile', undefined]);
  });

  test('even if the list of scopes in the metadata is malformed', async () => {
    const own = await startOther('oidc');
    own.behave({ metadata: { ...(await metadataOf(own)), scopes_supported: 5 } });
    const keeping = await providerProject(world, [own], {}, { keep_tokens: true });
    const { status, to } = await startAt(keeping, own.name);
    expect(status).toBe(302);
    expect(to.searchParams.get('scope')).toBe('openid email profile offline_access');
  });
});

describe('refused, and nothing is stored', () => {
  const valid = { return_url: returnUrl };
  test.each([
    ['another path', { ...valid, return_url: 'https://app.example.com/signed-in' }],
    ['one more parameter', { ...valid, return_url: `${returnUrl}&a=b` }],
    ['other capitals', { ...valid, return_url: returnUrl.replace('signed', 'Signed') }],
    ['another host', { ...valid, return_url: returnUrl.replace('app.', 'evil.') }],
    ['user info in the URL', { ...valid, return_url: 'https://app.example.com@evil.example/' }],
    [
      'a page of a project without hosted pages',
      { return_url: `${world.url}/pages/${ours.project_id}/sign-in` },
    ],
    ['a script', { return_url: 'javascript:alert(1)//https://app.example.com/signed-in' }],
    ['a malformed challenge', { ...valid, code_challenge: 'plain' }],
    ['plain PKCE', { ...valid, code_challenge_method: 'plain' }],
    ['an unknown parameter', { ...valid, scope: 'openid' }],
  ])('400 for %s', async (_, query: Record<string, string>) => {
    const wrong = Object.keys(query).at(-1) ?? '';
    const before = await begun();
    const answer = await get(startOf(world, ours, 'google', query).url);
    const { errors } = answer.body as { errors: { pointer: string; detail: string }[] };
    expectProblem(answer, 'invalid_request', { errors });
    expect(errors.map(({ pointer }) => pointer)).toEqual([`/query/${wrong}`]);
    expect(answer.headers.get('location')).toBeNull();
    expect(await begun()).toEqual(before);
  });

  test('404 for an unknown project', async () => {
    const before = await begun();
    const nobody = startOf(world, ours, 'google', { project_id: 'nobody' });
    expectProblem(await get(nobody.url), 'not_found');
    expect(await begun()).toEqual(before);
  });

  test('302 with an error for a provider that the project does not have; 400 for an unregistered return URL', async () => {
    const before = await begun();
    const bare = await signInProject(world, { return_urls: [returnUrl] });
    for (const name of ['google', 'constructor', 'idpw']) {
      const { status, headers, to } = await startAt(bare, name, { state: 'ours' });
      expect([status, headers.getSetCookie(), `${to.origin}${to.pathname}`]).toEqual([
        302,
        [],
        'https://app.example.com/signed-in',
      ]);
      expect(Object.fromEntries(to.searchParams)).toEqual({
        ...{ from: 'provider', error: 'sign_in_method_disabled', state: 'ours' },
      });
      const evil = startOf(world, bare, name, { return_url: 'https://evil.example/' });
      expect((await get(evil.url)).status).toBe(400);
    }
    expect(await begun()).toEqual(before);
  });

  /** A new project that one network has almost used up. */
  async function almostFlooded() {
    atWindow(1_800, 0);
    const fresh = await providerProject(world, standIns);
    const window = Math.floor(Date.now() / 600_000);
    const key = keys.rate('providerStartsFromOne', `${fresh.project_id} 127.0.0.1`, window);
    const count = (before: number) => world.table.put({ ...key, count: before });
    await count(299);
    return { fresh, count };
  }

  test('429 after 300 requests from one network in ten minutes', async () => {
    const { fresh } = await almostFlooded();
    expect((await get(startOf(world, fresh, 'github').url)).status).toBe(302);
    const before = await begun();
    const { url } = startOf(world, fresh, 'github');
    expectProblem(await get(url), 'too_many_requests');
    const headers = { accept: 'text/html' };
    const page = await world.call({ method: 'GET', path: url.slice(world.url.length), headers });
    expect([page.status, page.body]).toEqual([429, expect.stringContaining('Reload it')]);
    expect(await begun()).toEqual(before);
  });

  test('403 for a request that a page of another site embeds, which counts towards no limit', async () => {
    const { fresh, count } = await almostFlooded();
    const path = startOf(world, fresh, 'github').url.slice(world.url.length);
    const goBy = (site: string, destination: string) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': destination };
      return world.call<{ code: string }>({ method: 'GET', path, headers });
    };
    const before = await begun();
    for (const destination of ['image', 'iframe', 'empty', 'script'])
      expectProblem(await goBy('cross-site', destination), 'forbidden');
    expect(await begun()).toEqual(before);
    expect((await goBy('cross-site', 'document')).status).toBe(302);
    await count(298);
    expect((await goBy('same-site', 'iframe')).status).toBe(302);
    expect((await get(world.url + path)).status).toBe(302);
  });
});

describe('the hosts of the service', () => {
  test('302 from the domain of the project to the service, which sets the cookie; 404 for any other host', async () => {
    const host = `auth-${ours.project_id}.example.com`;
    const own = await providerProject(world, standIns, { hosted_pages: true });
    await world.operate({ action: 'update', project_id: own.project_id, pages_domain: host });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const { url } = startOf(world, own, 'google', { state: 'a b' });
    const path = url.slice(world.url.length);
    const there = await atHost(world.url, host, path);
    expect([there.status, there.headers['set-cookie']]).toEqual([302, undefined]);
    const location = new URL(there.headers['location'] ?? '');
    expect(location.href.startsWith(`${world.url}/oauth/google/start?`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toEqual(
      Object.fromEntries(new URL(url).searchParams),
    );
    expect((await get(location.href)).status).toBe(302);
    for (const other of ['invented.example.com', `other.${host}`])
      expect((await atHost(world.url, other, path)).status).toBe(404);
    // Another project at this domain.
    const stranger = startOf(world, ours, 'google').url.slice(world.url.length);
    expect((await atHost(world.url, host, stranger)).status).toBe(404);
  });
});

describe('the cookies of a browser', () => {
  test('each sign-in has its own cookie; a ninth sign-in deletes eight unfinished ones', async () => {
    const browser = newBrowser(world.url);
    for (let i = 0; i < 8; i += 1) await browser.visit(startOf(world, ours, 'google').url);
    expect(browser.cookies.size).toBe(8);
    const { set } = await browser.visit(startOf(world, ours, 'google').url);
    expect([set.length, browser.cookies.size]).toEqual([9, 1]);
  });
});

describe('an unavailable provider', () => {
  test('302 with an error; it is read again after ten seconds, and its last metadata are used for a day', async () => {
    const own = await startOther('oidc');
    const project = await providerProject(world, [own]);
    const go = async () => (await startAt(project, own.name, { state: 's' })).to;
    const moveTo = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
    own.down();
    const back = await go();
    expect(`${back.origin}${back.pathname}`).toBe('https://app.example.com/signed-in');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ from: 'provider', error: 'temporarily_unavailable', state: 's' },
    });
    own.down(false);
    expect((await go()).searchParams.get('error')).toBe('temporarily_unavailable');
    expect(own.metadataReads()).toBe(0);
    moveTo(Date.now() + 10_000);
    expect((await go()).origin).toBe(own.origin);
    expect((await go()).origin).toBe(own.origin);
    expect(own.metadataReads()).toBe(1);
    moveTo(Date.now() + 3_600_000);
    own.down();
    expect((await go()).origin).toBe(own.origin);
    moveTo(Date.now() + 86_400_000);
    expect((await go()).searchParams.get('error')).toBe('temporarily_unavailable');
    own.down(false);
    moveTo(Date.now() + 10_000);
    expect((await go()).origin).toBe(own.origin);
  });

  test('keeps its last metadata too if it returns invalid ones', async () => {
    const own = await startOther('oidc');
    const project = await providerProject(world, [own]);
    const go = async () => (await startAt(project, own.name)).to;
    expect((await go()).origin).toBe(own.origin);
    own.behave({ metadata: { error: 'maintenance' } });
    for (const later of [3_600_000, 1_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
      expect((await go()).origin).toBe(own.origin);
    }
    // The failure is cached: the second request did not read the metadata.
    expect(own.metadataReads()).toBe(2);
  });
});

test('302 with an error if the metadata name another issuer or spell it differently', async () => {
  const own = await startOther('oidc');
  const metadata = await metadataOf(own);
  for (const issuer of ['https://evil.example', `${own.origin}/`, undefined]) {
    own.behave({ metadata: { ...metadata, issuer } });
    // After the ten seconds for which a failure is cached.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    const { to } = await startAt(await providerProject(world, [own]), own.name);
    expect([to.host, to.searchParams.get('error')]).toEqual([
      'app.example.com',
      'temporarily_unavailable',
    ]);
  }
  expect(own.metadataReads()).toBe(4);
});

test('302 to an ASCII URL without line breaks or a fragment, whatever the metadata contain', async () => {
  const own = await startOther('oidc');
  const metadata = await metadataOf(own);
  const project = await providerProject(world, [own]);
  const there = metadata.authorization_endpoint;
  for (const [written, path] of [
    ['\r\nset-cookie: a=b', 'set-cookie:%20a=b'],
    ['/é社', '/%C3%A9%E7%A4%BE'],
    ['#part', ''],
  ] as const) {
    own.behave({ metadata: { ...metadata, authorization_endpoint: `${there}${written}` } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const { status, headers } = await startAt(project, own.name);
    const [address] = headers.get('location')?.split('?') ?? [];
    expect([status, address]).toEqual([302, `${there}${path}`]);
  }
});

test('302 with prompt=select_account for a return URL that any program of the machine may receive', async () => {
  const local = 'http://localhost:5173/signed-in';
  const own = await startOther('oidc');
  const project = await providerProject(world, [own], { return_urls: [local, returnUrl] });
  const promptOf = async (query: object) =>
    (await startAt(project, own.name, query)).to.searchParams.get('prompt');
  expect(await promptOf({ return_url: local })).toBe('select_account');
  expect(await promptOf({ return_url: local, prompt: 'login' })).toBe('login');
  expect(await promptOf({})).toBeNull();
});
