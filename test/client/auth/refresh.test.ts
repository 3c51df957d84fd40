import { describe, expect, test } from 'vitest';
import { claimsIn } from '../../../client/claims.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';
import { authScene, delayRefresh, refreshPath, shelf, type Tab } from './scene.ts';

const world = await startWorld();
const { ours, tab, signIn } = await authScene(world);
const minute = 60_000;
const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const getMe = ({ auth }: Tab) => auth.api.users.getMe({});
/** Loses the response to each refresh. */
const losing = () =>
  at(refreshPath, async (send) => {
    await send();
    throw new TypeError('lost');
  });
const sessionsOf = async (user_id: string) =>
  (await world.as(ours.project.basic).sessions.list({ user_id })).body.result;

/** A tab with a signed-in user, and its storage. */
async function signedIn() {
  const storage = shelf();
  const one = tab({ storage });
  const email = await signIn(one);
  const { uid } = one.auth.session!;
  return { ...one, storage, email, uid };
}

/** Changes the attributes stored beside the token pair, as if the tab had wrong state. */
function overwriteState(storage: ReturnType<typeof shelf>, wrong: object): void {
  storage.set(JSON.stringify({ ...JSON.parse(storage.get()!), ...wrong }));
}

const problem = (status: number, code: string) => () =>
  Promise.resolve(Response.json({ code, request_id: 'r' }, { status }));

/** Replaces requests to a path. */
const at =
  (where: string, meet: (send: () => Promise<Response>) => Promise<Response>) =>
  (send: () => Promise<Response>, path: string) =>
    path === where ? meet(send) : send();

describe('an expired token', () => {
  test.each([
    ['the tab knows of the expiry', true],
    ['only the service reports the expiry', false],
  ])('is refreshed once for 20 concurrent calls, if %s', async (_, isKnown) => {
    const one = await signedIn();
    const before = await one.auth.getAccessToken();
    pass(11 * minute);
    if (!isKnown) overwriteState(one.storage, { at: Date.now() });
    const calls = await Promise.all(Array.from({ length: 20 }, () => getMe(one)));
    expect(calls.map(({ body }) => body.uid)).toEqual(Array(20).fill(one.uid));
    expect(one.calls).toHaveLength(isKnown ? 1 + 1 + 20 : 1 + 20 + 1 + 20);
    expect(one.refreshes()).toHaveLength(1);
    expect(await one.auth.getAccessToken()).not.toBe(before);
  });

  test('is refreshed when it is valid for less than 30 seconds, and not before', async () => {
    const one = await signedIn();
    pass(9 * minute + 25_000);
    await one.auth.getAccessToken();
    expect(one.refreshes()).toHaveLength(0);
    pass(10_000);
    await one.auth.getAccessToken();
    expect(one.refreshes()).toHaveLength(1);
  });

  test('is refreshed if the clock was set back since it was stored', async () => {
    const one = await signedIn();
    overwriteState(one.storage, { at: Date.now() + 60 * minute });
    expect((await getMe(one)).body.uid).toBe(one.uid);
    expect(one.refreshes()).toHaveLength(1);
  });

  test('a refused call is repeated only once', async () => {
    const one = await signedIn();
    one.network.hook = at('/users/me', problem(401, 'token_expired'));
    expect(await failure(getMe(one))).toMatchObject({ code: 'token_expired' });
    expect(one.calls.slice(1).map(({ path }) => path)).toEqual([
      '/users/me',
      refreshPath,
      '/users/me',
    ]);
  });

  test('does not repeat a change that was made, but whose response was lost until the expiry', async () => {
    const one = await signedIn();
    const path = `/users/${one.uid}/metadata`;
    let losses = 0;
    one.network.hook = at(path, async (send) => {
      const response = await send();
      if (losses > 0) return response;
      losses += 1;
      // The device sleeps.
      pass(11 * minute);
      throw new TypeError('lost');
    });
    const { headers } = await one.auth.api.users.mergeMetadata({
      uid: one.uid,
      user_metadata: { theme: 'dark' },
    });
    expect(headers.get('idempotency-replayed')).toBe('true');
    const keys = one.calls.filter((call) => call.path === path).map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  test('a sign-out refreshes the token, so that the session ends at the service', async () => {
    const one = await signedIn();
    pass(11 * minute);
    await one.auth.signOut();
    expect(one.calls.slice(1).map(({ path }) => path)).toEqual([
      '/sessions/current',
      refreshPath,
      '/sessions/current',
    ]);
    expect(await sessionsOf(one.uid)).toEqual([]);
  });
});

describe('the response to a refresh', () => {
  test('that is lost repeatedly is retried with the same key, also after a reload', async () => {
    const one = await signedIn();
    pass(11 * minute);
    one.network.hook = losing();
    expect(await failure(one.auth.getAccessToken())).toBeInstanceOf(TypeError);
    expect(await failure(one.auth.getAccessToken())).toBeInstanceOf(TypeError);
    const tried = one.refreshes();
    expect(tried.length).toBeGreaterThan(1);
    expect(new Set(tried.map(({ key }) => key)).size).toBe(1);
    expect(one.heard).toEqual([[one.email]]);
    one.auth.close();

    // For a minute the service accepts a reused refresh token; after that only the idempotency key distinguishes a
    // retry from theft.
    pass(3 * 60 * minute);
    const later = tab({ storage: one.storage });
    const token = await later.auth.getAccessToken();
    expect((await world.call('GET', '/users/me', `Bearer ${token}`)).status).toBe(200);
    const [first, second] = later.refreshes();
    expect(first?.key).toBe(tried[0]?.key);
    // The stored response has a three-hour-old token, so it is not returned.
    expect(second?.key).not.toBe(first?.key);
    expect(later.refreshes()).toHaveLength(2);
    expect(later.heard).toEqual([]);
  });

  test('that is lost after selecting a workspace does not affect the next selection', async () => {
    const one = await signedIn();
    const backend = world.as(ours.project.basic);
    const create = async (name: string) =>
      (await backend.workspaces.create({ name, owner_id: one.uid })).body.workspace_id;
    const [acme, bolt] = [await create('Acme'), await create('Bolt')];
    one.network.hook = losing();
    expect(await failure(one.auth.selectWorkspace(acme))).toBeInstanceOf(TypeError);
    one.network.hook = undefined;
    await one.auth.selectWorkspace(bolt);
    const chosen = async () => claimsIn((await one.auth.getAccessToken()) ?? '').workspace_id;
    expect(await chosen()).toBe(bolt);
    const refreshes = one.refreshes().length;
    await one.auth.selectWorkspace(acme);
    expect([await chosen(), one.refreshes().length - refreshes]).toEqual([acme, 1]);
  });

  test('a tab that missed many refreshes catches up for a token, a call and a sign-out', async () => {
    const one = await signedIn();
    const old = one.storage.get()!;
    for (let behind = 0; behind < 8; behind += 1) {
      pass(11 * minute);
      await one.auth.getAccessToken();
    }
    const asleep = () => {
      const storage = shelf();
      storage.set(old);
      return tab({ storage });
    };
    const token = (await asleep().auth.getAccessToken()) ?? '';
    expect(claimsIn(token).exp * 1_000 - Date.now()).toBeGreaterThan(30_000);
    expect((await getMe(asleep())).body.uid).toBe(one.uid);
    await asleep().auth.signOut({ everywhere: true });
    expect(await sessionsOf(one.uid)).toEqual([]);
  });

  test('with a token that is about to expire leads to at most three refreshes', async () => {
    const one = await signedIn();
    const { uid, user } = one.auth.session!;
    one.network.hook = at(refreshPath, () => {
      const iat = Math.floor(Date.now() / 1_000);
      const access_token = `head.${btoa(JSON.stringify({ sub: uid, iat, exp: iat + 20 }))}.end`;
      return Promise.resolve(Response.json({ access_token, refresh_token: 'next', uid, user }));
    });
    pass(11 * minute);
    await one.auth.getAccessToken();
    expect(one.refreshes()).toHaveLength(3);
  });

  test('with a 401 ends the session with the reason', async () => {
    const one = await signedIn();
    await world.as(ours.project.basic).sessions.endAll({ user_id: one.uid });
    expect(await failure(getMe(one))).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(one.heard).toEqual([[one.email], [undefined, 'unauthenticated']]);
    expect([one.auth.session, one.storage.get()]).toEqual([null, null]);
    expect(await one.auth.getAccessToken()).toBeUndefined();
    expect(one.refreshes()).toHaveLength(1);
  });

  test.each([
    ['a page', '<h1>Sign in to the network</h1>'],
    ['JSON with an id of its own', '{"message":"Unauthorized","request_id":"of-the-proxy"}'],
  ])('with a 401 of a proxy, %s, keeps the session and throws', async (_, text) => {
    const one = await signedIn();
    pass(11 * minute);
    one.network.hook = async () => new Response(text, { status: 401 });
    expect(await failure(getMe(one))).toMatchObject({ status: 401, requestId: '' });
    expect([one.heard, one.storage.get()]).toEqual([[[one.email]], expect.any(String)]);
    one.network.hook = undefined;
    expect((await getMe(one)).body.uid).toBe(one.uid);
  });

  test('for a pair that was copied and used elsewhere ends the session with the reason', async () => {
    const one = await signedIn();
    const { access_token, refresh_token } = JSON.parse(one.storage.get()!);
    await world.call({
      method: 'POST',
      path: refreshPath,
      auth: `Bearer ${refresh_token}`,
      body: { accessToken: access_token },
    });
    pass(11 * minute);
    expect(await one.auth.getAccessToken()).toBeUndefined();
    expect(one.heard).toEqual([[one.email], [undefined, 'refresh_token_reused']]);
  });

  test.each([
    [503, 'temporarily_unavailable'],
    [429, 'too_many_requests'],
    [500, 'internal_error'],
  ])('with %i keeps the session and throws', async (status, code) => {
    const one = await signedIn();
    pass(11 * minute);
    one.network.hook = at(refreshPath, problem(status, code));
    expect(await failure(one.auth.getAccessToken())).toMatchObject({ status });
    expect(one.heard).toEqual([[one.email]]);
    one.network.hook = undefined;
    expect((await getMe(one)).body.uid).toBe(one.uid);
  });
});

describe('a token in its last 30 seconds', () => {
  test('is used while its refresh fails, and the refresh is not retried before Retry-After', async () => {
    const one = await signedIn();
    const before = await one.auth.getAccessToken();
    const headers = { 'retry-after': '12' };
    one.network.hook = at(refreshPath, async () => new Response('', { status: 503, headers }));
    pass(9 * minute + 45_000);
    for (let i = 0; i < 3; i += 1) expect((await getMe(one)).body.uid).toBe(one.uid);
    expect(await one.auth.getAccessToken()).toBe(before);
    expect(one.refreshes()).toHaveLength(1);
    // It could expire in transit.
    pass(11_000);
    expect(await failure(getMe(one))).toMatchObject({ status: 503 });
    expect([one.refreshes().length, one.heard]).toEqual([2, [[one.email]]]);
    one.network.hook = undefined;
    expect(await one.auth.getAccessToken()).not.toBe(before);
  });

  test('is refreshed immediately if the application refused it, once for all callers, and not returned again', async () => {
    const one = await signedIn();
    const refused = await one.auth.getAccessToken();
    const tokens = [1, 2, 3].map(() => one.auth.getAccessToken({ refused }));
    const [next, ...others] = await Promise.all(tokens);
    expect([next === refused, others]).toEqual([false, [next, next]]);
    expect((await world.call('GET', '/users/me', `Bearer ${next}`)).status).toBe(200);
    // A caller whose refusal arrives late gets the existing successor.
    expect(await one.auth.getAccessToken({ refused })).toBe(next);
    expect(one.refreshes()).toHaveLength(1);
    one.network.hook = at(refreshPath, problem(500, 'internal_error'));
    expect(await failure(one.auth.getAccessToken({ refused: next }))).toMatchObject({
      status: 500,
    });
  });
});

describe('while a refresh is in progress', () => {
  /** A tab whose refresh response the service has sent, but which has not arrived yet. */
  async function refreshing() {
    const one = await signedIn();
    pass(11 * minute);
    const { sent, arrive } = delayRefresh(one);
    const token = one.auth.getAccessToken();
    await sent;
    return { ...one, token, arrive };
  }

  test('a sign-out is final: the new token pair is not stored', async () => {
    const one = await refreshing();
    const out = one.auth.signOut();
    expect([one.auth.session, one.storage.get()]).toEqual([null, null]);
    one.arrive();
    await out;
    expect(await one.token).toBeUndefined();
    expect([one.auth.session, one.storage.get()]).toEqual([null, null]);
    expect(one.heard).toEqual([[one.email], [undefined, 'signed_out']]);
    expect(new Set(one.refreshes().map(({ key }) => key)).size).toBe(1);
    // The service no longer has its session.
    expect(await sessionsOf(one.uid)).toEqual([]);
  });

  test('and another user signs in, pending calls of the first user fail instead of being sent as the second', async () => {
    const one = await refreshing();
    const update = failure(one.auth.api.users.getMe({}));
    const other = await signIn(one);
    one.arrive();
    expect(await one.token).toBeUndefined();
    expect(await update).toMatchObject({ code: 'unauthenticated' });
    expect(one.auth.session?.user.email).toBe(other);
    expect((await getMe(one)).body.email).toBe(other);
  });

  test('close lets it complete, and the storage has the new pair', async () => {
    const one = await refreshing();
    const before = one.storage.get();
    one.auth.close();
    one.arrive();
    await one.token;
    expect(one.storage.get()).not.toBe(before);
    expect((await getMe(tab({ storage: one.storage }))).body.uid).toBe(one.uid);
  });
});
