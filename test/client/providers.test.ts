import { describe, expect, test, vi } from 'vitest';
import { personAt, returnUrl } from '../support/providers.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { keepings, providersScene } from './providers/scene.ts';

/** Sign-in with providers to which the browser is redirected, with the session in the page or in a cookie. */
const world = await startWorld();
const { ours, own, open, sent, network } = await providersScene(world);

/** A new user comes to the provider. */
const newcomer = () => {
  const person = personAt('oidc');
  own.is(person);
  return person;
};

test('the providers of the project have titles, known ones by default and others as passed', async () => {
  const offered = [
    { name: 'github', title: 'GitHub' },
    { name: 'own', title: 'Own' },
  ];
  expect(await open().providers.offered()).toEqual(offered);
  const inc = { name: 'own', title: 'Example Inc.' };
  const names = ['linkedin', 'gitlab', inc];
  expect(await open('page', { names }).providers.offered()).toEqual([
    { name: 'linkedin', title: 'LinkedIn' },
    { name: 'gitlab', title: 'GitLab' },
    inc,
  ]);
  // A project without hosted pages publishes nothing about itself.
  const { project_id: projectId } = await world.newProject({});
  await expect(open('page', { projectId }).providers.offered()).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the providers are requested once, and again after a failure', async () => {
  let requests = 0;
  const answers = [503, 503, 503, 200];
  const counting: typeof fetch = (to, init) => {
    const status = answers[requests++];
    return status === 200 ? fetch(to, init) : Promise.resolve(new Response(null, { status: 503 }));
  };
  const { offered } = open('page', { fetch: counting }).providers;
  await expect(offered()).rejects.toMatchObject({ status: 503 });
  const [first, second] = await Promise.all([offered(), offered()]);
  expect(first).toHaveLength(2);
  expect([second, await offered(), requests]).toEqual([first, first, 4]);
});

test('the address of the provider has the parameters, and not the verifier', async () => {
  const tab = open();
  const options = {
    loginHint: 'ada@example.com',
    prompt: 'select_account',
    state: '/here',
  } as const;
  await tab.use((providers) => void providers.signIn('own', options));
  await expect.poll(() => tab.state.left.length).toBe(1);
  const { origin, pathname, searchParams } = new URL(tab.state.left[0] ?? '');
  expect(origin + pathname).toBe(`${world.url}/oauth/own/start`);
  expect(Object.fromEntries(searchParams)).toEqual({
    project_id: ours.project_id,
    return_url: returnUrl,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^provider\.[\w-]{43}$/),
    login_hint: 'ada@example.com',
    prompt: 'select_account',
  });
  const [pending] = JSON.parse([...tab.stored.values()].join('')) as [{ verifier: string }];
  expect(pending.verifier).toMatch(/^[\w-]{43}$/);
  expect(tab.state.left[0]).not.toContain(pending.verifier);
  expect(tab.state.left[0]).not.toContain('here');
});

test('signIn resolves when the browser restores the page, and not before', async () => {
  const tab = open();
  let resolved = 0;
  await tab.use((providers) => void providers.signIn('own').then(() => (resolved += 1)));
  await expect.poll(() => tab.state.shown.length).toBe(1);
  tab.state.shown[0]?.({ persisted: false });
  await Promise.resolve();
  expect(resolved).toBe(0);
  tab.state.shown[0]?.({ persisted: true });
  await expect.poll(() => resolved).toBe(1);
  expect(tab.state.shown).toEqual([]);
});

test('signIn resolves if the page is still there after 10 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const tab = open();
    let resolved = 0;
    await tab.use((providers) => void providers.signIn('own').then(() => (resolved += 1)));
    await vi.waitUntil(() => tab.state.shown.length > 0);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(resolved).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([resolved, tab.state.shown]).toEqual([1, []]);
  } finally {
    vi.useRealTimers();
  }
});

describe.each(keepings)('with the session in the %s', (keeping) => {
  test('a user signs in; the code leaves the address, and concurrent calls of finish sign in once', async () => {
    const { email } = newcomer();
    const tab = open(keeping);
    const back = await tab.away((providers) => providers.signIn('own', { state: '/inbox' }));
    expect(back).toMatch(/code=/);
    tab.goTo(`${back}#top`);
    expect(await tab.use((providers) => providers.returnedFrom())).toBe('signIn');
    expect(tab.state.url.href).toBe(`${returnUrl}#top`);
    const [finished, again] = await tab.use((providers) =>
      Promise.all([providers.finish(), providers.finish()]),
    );
    expect(finished).toMatchObject({
      ...{ from: 'signIn', provider: 'own', state: '/inbox', user_created: true },
      user: { email },
    });
    expect(again).toBe(finished);
    expect(tab.auth.session?.user.email).toBe(email);
    // The next sign-in of this page is a new one.
    await tab.use(async (providers) => {
      expect(providers.returnedFrom()).toBeUndefined();
      expect(await providers.finish()).toBeUndefined();
    });
    if (keeping === 'page') return;
    expect(tab.cookies.cookies.get('session')).toMatch(/^rt_/);
    // As a value: the letters alone occur by chance in the signature of an access token.
    expect(JSON.stringify(tab.cookies.seen)).not.toMatch(/["=][rd]t_/);
  });

  test('a second factor is required as with every other sign-in method', async () => {
    const { email } = newcomer();
    const first = open(keeping);
    first.goTo(await first.away((providers) => providers.signIn('own')));
    const finished = await first.use((providers) => providers.finish());
    const access_token = (await first.auth.getAccessToken()) ?? '';
    const user = finished?.user;
    const person = ours.person({ access_token, refresh_token: '', user } as never);
    const { app } = await ours.enrol({ ...person, uid: user?.uid ?? '' });
    const tab = open(keeping);
    tab.goTo(await tab.away((providers) => providers.signIn('own')));
    const refusal = await tab
      .use((providers) => providers.finish())
      .catch((error: unknown) => error as { code: string; problem: { mfa_token: string } });
    expect(refusal).toMatchObject({ name: 'ApiError', status: 200, code: 'mfa_required' });
    expect(tab.auth.session).toBeNull();
    const { mfa_token } = (refusal as { problem: { mfa_token: string } }).problem;
    await tab.auth.signIn.mfa({ mfa_token, code: app.code() });
    expect(tab.auth.session?.user.email).toBe(email);
  });

  test('the device token of a sign-in is sent with the next one', async () => {
    newcomer();
    const tab = open(keeping);
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    });
    sent.length = 0;
    for (let time = 0; time < 2; time += 1) {
      tab.goTo(await tab.away((providers) => providers.signIn('own')));
      await tab.use((providers) => providers.finish({ agreed_terms: { tos: true } }));
    }
    const token =
      keeping === 'page' ? [...kept.values()][0] : tab.cookies.cookies.get('session-device');
    expect(token).toMatch(/^dt_/);
    expect(sent.map(({ device_token }) => device_token)).toEqual([undefined, token]);
    expect(sent[0]).toMatchObject({ agreed_terms: { tos: true } });
  });

  test('a temporary failure keeps the sign-in, which can be retried or forgotten', async () => {
    const { email } = newcomer();
    const tab = open(keeping);
    for (const isForgotten of [true, false]) {
      tab.goTo(await tab.away((providers) => providers.signIn('own')));
      const lost = isForgotten ? new TypeError('lost') : new DOMException('late', 'TimeoutError');
      // The service takes the code, and each of its answers is lost.
      network.lost = lost;
      await expect(tab.use((providers) => providers.finish())).rejects.toMatchObject(
        keeping === 'page' ? { name: lost.name } : { name: 'ApiError', status: 503 },
      );
      network.lost = undefined;
      expect(await tab.use((providers) => providers.returnedFrom())).toBe('signIn');
      if (!isForgotten) continue;
      await tab.use((providers) => providers.forget());
      expect(await tab.use((providers) => providers.finish())).toBeUndefined();
      expect(tab.auth.session).toBeNull();
    }
    expect(await tab.use((providers) => providers.finish())).toMatchObject({ user: { email } });
  });

  test('a user with a password can link an account whose e-mail is not verified', async () => {
    const { email } = newcomer();
    await ours.signUp(email);
    own.is({ sub: `taken-${keeping}`, email, email_verified: false });
    const tab = open(keeping);
    tab.goTo(await tab.away((providers) => providers.signIn('own')));
    await expect(tab.use((providers) => providers.finish())).rejects.toMatchObject({
      ...{ name: 'ApiError', code: 'identity_token_invalid' },
    });
    expect(await tab.use((providers) => providers.returnedFrom())).toBeUndefined();

    await tab.use(() => tab.auth.signIn.password({ email, password: goodPassword }));
    tab.goTo(await tab.away((providers) => providers.link('own', { state: 'accounts' })));
    expect(await tab.use((providers) => providers.returnedFrom())).toBe('link');
    // Linking an existing account requires its password; a wrong one does not use the code up.
    const link = (current_password?: string) =>
      tab.use((providers) => providers.finish({ current_password }));
    await expect(link()).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(link('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await tab.use((providers) => providers.returnedFrom())).toBe('link');
    if (keeping === 'page') {
      network.lost = new TypeError('lost');
      await expect(link(goodPassword)).rejects.toThrow('lost');
      network.lost = undefined;
    }
    const linked = await link(goodPassword);
    expect(linked).toMatchObject({ from: 'link', provider: 'own', state: 'accounts' });
    expect(linked?.user.sign_in_methods?.['own']).toEqual({ enabled: true });
    expect(await link()).toBeUndefined();
  });
});

test('if the backend cannot be reached, linking fails but can be retried, before leaving and after the return', async () => {
  const { email } = newcomer();
  await ours.signUp(email);
  const first = open('cookie');
  await first.use(() => first.auth.signIn.password({ email, password: goodPassword }));
  /** The next page of the same browser, which loads the session while the network is down. */
  const next = async () => {
    const tab = open('cookie', {
      of: first.browser,
      cookies: first.cookies,
      stored: first.stored,
      isOffline: true,
    });
    await tab.auth.ready;
    expect(tab.auth.session).toBeNull();
    return tab;
  };
  const leaving = await next();
  await expect(leaving.use((providers) => providers.link('own'))).rejects.toThrow(TypeError);
  first.cookies.network.loses = false;
  const back = await leaving.away((providers) => providers.link('own'));

  const returned = await next();
  returned.goTo(back);
  const link = () =>
    returned.use((providers) => providers.finish({ current_password: goodPassword }));
  await expect(link()).rejects.toThrow(TypeError);
  expect(await returned.use((providers) => providers.returnedFrom())).toBe('link');
  first.cookies.network.loses = false;
  expect(await link()).toMatchObject({ from: 'link', user: { email } });
});
