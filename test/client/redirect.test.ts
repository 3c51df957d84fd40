import { describe, expect, test, vi } from 'vitest';
import { RedirectError } from '../../client/redirect.ts';
import { claimsOf } from '../model/tokens.ts';
import { callback } from '../support/oauth.ts';
import { startWorld } from '../support/world.ts';
import { redirectScene, refused } from './redirect/scene.ts';

const world = await startWorld();
const { web, ada, tab, network, start, roundTrip, redemptions, logout } =
  await redirectScene(world);

test('finish signs in, returns the state, and removes only its own parameters from the address', async () => {
  const before = start();
  const back = await roundTrip(before, { state: '/where/I/was?a=b' });
  tab.url = new URL(`${back.href}&tab=2#part`);
  // The page was left: the application starts again.
  const { auth, finish } = start();
  const finished = await finish();
  expect(finished).toMatchObject({ uid: ada.uid, state: '/where/I/was?a=b' });
  expect(finished?.user.email).toBe('ada@redirect.example.com');
  expect(tab.url.href).toBe(`${callback}?tab=2#part`);
  expect((await auth.api.users.getMe({})).body.uid).toBe(ada.uid);
  expect(auth.session?.uid).toBe(ada.uid);
});

test('the request has PKCE and the options of the page', async () => {
  const { signIn } = start();
  void signIn({ prompt: 'login', loginHint: 'ada@example.com', uiLocales: 'de en' });
  await expect.poll(() => tab.left.length).toBe(1);
  void signIn();
  await expect.poll(() => tab.left.length).toBe(2);
  const [first, second] = tab.left.map(({ searchParams }) => Object.fromEntries(searchParams));
  expect(first).toEqual({
    ...{ response_type: 'code', client_id: web.client_id, redirect_uri: callback },
    ...{ scope: 'openid email profile', code_challenge_method: 'S256' },
    ...{ prompt: 'login', login_hint: 'ada@example.com', ui_locales: 'de en' },
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(first?.[name]).not.toBe(second?.[name]);
});

test('finish is undefined without a response, and sends and changes nothing', async () => {
  tab.url = new URL(`${callback}?state=x&iss=y#code=z`);
  expect(await start().finish()).toBeUndefined();
  expect(tab.url.href).toBe(`${callback}?state=x&iss=y#code=z`);
  vi.stubGlobal('document', undefined);
  Reflect.deleteProperty(globalThis, 'document');
  tab.url = new URL(`${callback}?code=x&state=y`);
  expect(await start().finish()).toBeUndefined();
  expect(network.asked).toEqual([]);
});

test('concurrent calls of finish redeem the code once', async () => {
  const application = start();
  tab.url = await roundTrip(application);
  const first = application.finish();
  expect(application.finish()).toBe(first);
  expect(await application.finish()).toBe(await first);
  expect(redemptions()).toBe(1);
});

test('finish throws the error code of the service', async () => {
  const application = start();
  tab.url = await roundTrip(application, { prompt: 'none' }, '');
  const error: unknown = await application.finish().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(RedirectError);
  expect(error).toMatchObject({ code: 'login_required' });
  expect((error as Error).message).toMatch(/^login_required: ./);
  expect(tab.url.href).toBe(callback);
  expect(network.asked).toEqual([]);
  // The description in a forged response is not shown as the service's.
  tab.url = new URL(`${callback}?error=access_denied&error_description=Call+555&iss=${world.url}`);
  await expect(start().finish()).rejects.toEqual(refused('state_mismatch'));
});

test('concurrent sign-ins of several tabs succeed; of more than five, the oldest is refused', async () => {
  const application = start();
  const answers: URL[] = [];
  for (let tabs = 0; tabs < 6; tabs += 1) answers.push(await roundTrip(application));
  const [oldest, second, , , , newest] = answers;
  for (const [answer, signedIn] of [
    [second, true],
    [newest, true],
    [oldest, false],
  ] as const) {
    tab.url = answer as URL;
    const finished = start().finish();
    if (signedIn) expect(await finished).toMatchObject({ uid: ada.uid });
    else await expect(finished).rejects.toEqual(refused('state_mismatch'));
  }
});

test('signOut ends the session, and leads through /logout with the ID token as a hint', async () => {
  const application = start();
  tab.url = await roundTrip(application);
  await application.finish();
  const { access_token = '' } = { access_token: await application.auth.getAccessToken() };
  void application.signOut({ returnTo: 'https://app.example.com/bye' });
  await expect.poll(() => tab.left.length).toBe(1);
  const [to] = tab.left;
  expect(`${to?.origin}${to?.pathname}`).toBe(`${world.url}/logout`);
  const given = Object.fromEntries(to?.searchParams ?? []);
  expect(given).toMatchObject({
    client_id: web.client_id,
    post_logout_redirect_uri: 'https://app.example.com/bye',
  });
  expect(claimsOf(given['id_token_hint'] ?? '')).toMatchObject({
    sub: ada.uid,
    aud: web.client_id,
  });
  expect((await world.as(`Bearer ${access_token}`).users.getMe()).status).toBe(401);
  expect(application.auth.session).toBeNull();
  expect([...tab.stored.keys()]).toEqual([]);
  const answer = await logout(given);
  expect(answer.headers.get('location')).toBe('https://app.example.com/bye');
});

test('signOut without a sign-in leads through /logout without a hint', async () => {
  void start().signOut();
  await expect.poll(() => tab.left.length).toBe(1);
  expect(Object.fromEntries(tab.left[0]?.searchParams ?? [])).toEqual({
    client_id: web.client_id,
  });
});

test.each(['signIn', 'signOut'] as const)(
  '%s resolves when the browser restores the page',
  async (way) => {
    const shown: ((event: { persisted: boolean }) => void)[] = [];
    vi.stubGlobal('addEventListener', (_: string, listener: (typeof shown)[number]) =>
      shown.push(listener),
    );
    let isBack = false;
    const { [way]: leave } = start();
    void leave().then(() => (isBack = true));
    await expect.poll(() => tab.left.length).toBe(1);
    for (const show of shown) show({ persisted: true });
    // It resolves after ten seconds anyway.
    await expect.poll(() => isBack, { timeout: 5_000 }).toBe(true);
  },
);

test('the url of the service may end in a slash', async () => {
  const application = start({ url: `${world.url}/` });
  tab.url = await roundTrip(application);
  expect((await application.finish())?.uid).toBe(ada.uid);
});

describe('if the browser stores nothing', () => {
  const fail = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const denied = { getItem: fail, setItem: fail, removeItem: fail };
  /** The storage keeps its contents and accepts no more. */
  const full = {
    getItem: (name: string) => tab.stored.get(name) ?? null,
    setItem: fail,
    removeItem: (name: string) => tab.stored.delete(name),
  };

  test.each([
    ['blocks its storage', denied],
    ['has a full storage', full],
  ])('signIn throws before it leaves a browser that %s', async (_, storage) => {
    vi.stubGlobal('localStorage', storage);
    await expect(start().signIn()).rejects.toEqual(refused('storage_unavailable'));
    expect(tab.left).toEqual([]);
  });

  test('a response is refused, because its request is unknown, and leaves the address', async () => {
    tab.url = await roundTrip(start());
    vi.stubGlobal('localStorage', denied);
    await expect(start().finish()).rejects.toEqual(refused('state_mismatch'));
    expect(tab.url.href).toBe(callback);
  });

  test('a response whose request cannot be removed signs in', async () => {
    const application = start();
    await roundTrip(application);
    tab.url = await roundTrip(application);
    vi.stubGlobal('localStorage', full);
    expect(await start().finish()).toMatchObject({ uid: ada.uid });
  });

  test.each([
    ['blocked', denied],
    ['full', full],
  ])('a tab whose storage is %s signs in, and signs out without a hint', async (_, storage) => {
    const application = start();
    tab.url = await roundTrip(application);
    tab.stored.set(`id-token ${web.client_id}`, 'that of somebody else');
    vi.stubGlobal('sessionStorage', storage);
    expect(await application.finish()).toMatchObject({ uid: ada.uid });
    void application.signOut();
    await expect.poll(() => tab.left.length).toBe(1);
    expect(Object.fromEntries(tab.left[0]?.searchParams ?? [])).toEqual({
      client_id: web.client_id,
    });
    expect(application.auth.session).toBeNull();
  });
});
