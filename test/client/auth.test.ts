import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { Auth } from '../../client/auth.ts';
import type { CookieAuth } from '../../client/cookie-session.ts';
import { newPerson, settingsOf } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { authScene, gate, shelf, type Tab } from './auth/scene.ts';

const world = await startWorld();
const google = await startOpenidProvider();
const scene = await authScene(world, { identity_providers: { google: settingsOf(google) } });
const { ours, tab, signIn } = scene;
const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const me = async ({ auth }: Tab) => (await auth.api.users.getMe({})).body.email;

describe('every sign-in method gives the page a session', () => {
  const password = goodPassword;
  const methods: Record<string, (auth: Tab['auth'], email: string) => Promise<unknown>> = {
    password: async (auth, email) => {
      await ours.signUp(email);
      return auth.signIn.password({ email, password });
    },
    code: async (auth, email) => {
      const { challenge_id } = await auth.signIn.startCode({ email });
      return auth.signIn.code({ challenge_id, code: await ours.mailed(email) });
    },
    identity: async (auth, email) => {
      const id_token = await google.idToken(newPerson({ email }));
      return auth.signIn.identity({ provider: 'google', id_token });
    },
    'sign-up': async (auth, email) => {
      await auth.signUp.start({ email });
      return auth.signUp.complete({ token: await ours.mailed(email), password });
    },
    'a forgotten password': async (auth, email) => {
      await ours.signUp(email);
      await auth.forgotPassword({ email });
      return auth.signUp.complete({ token: await ours.mailed(email), password: `${password}!` });
    },
  };

  test.each(Object.entries(methods))('%s', async (name, method) => {
    const email = `${name.replaceAll(' ', '-')}@gmail.com`;
    const one = tab();
    const answer = await method(one.auth, email);
    const { uid, user } = one.auth.session ?? {};
    expect(user?.email).toBe(email);
    expect(answer).toEqual({
      ...{ uid, user, user_created: expect.any(Boolean) },
      device_token: expect.stringMatching(/^dt_/),
    });
    expect(one.heard).toEqual([[email]]);
    expect(await me(one)).toBe(email);
  });

  test('a wrong password throws, and keeps the existing session', async () => {
    const one = tab();
    const email = await signIn(one);
    const thrown = await failure(one.auth.signIn.password({ email, password: 'wrong' }));
    expect(thrown).toMatchObject({ code: 'invalid_credentials' });
    expect(one.heard).toEqual([[email]]);
    expect(await me(one)).toBe(email);
  });
});

describe('signing out', () => {
  test('ends the session in the page and at the service', async () => {
    const storage = shelf();
    const one = tab({ storage });
    const email = await signIn(one);
    const token = await one.auth.getAccessToken();
    await one.auth.signOut();
    expect(one.heard).toEqual([[email], [undefined, 'signed_out']]);
    expect([one.auth.session, storage.get()]).toEqual([null, null]);
    expect(await one.auth.getAccessToken()).toBeUndefined();
    expect((await world.call('GET', '/users/me', `Bearer ${token}`)).status).toBe(401);
  });

  test('everywhere ends the sessions of other devices too', async () => {
    const [one, phone] = [tab(), tab()];
    const email = await signIn(one);
    await signIn(phone, email);
    await one.auth.signOut({ everywhere: true });
    expect(await failure(phone.auth.api.users.getMe({}))).toMatchObject({
      code: 'unauthenticated',
    });
    expect(phone.heard).toEqual([[email], [undefined, 'unauthenticated']]);
  });

  test('without a connection throws, and forgets the session anyway', async () => {
    const one = tab();
    await signIn(one);
    one.network.hook = () => Promise.reject(new TypeError('offline'));
    expect(await failure(one.auth.signOut())).toBeInstanceOf(TypeError);
    expect(one.auth.session).toBeNull();
  });

  test('without a session sends no request', async () => {
    const one = tab();
    await one.auth.signOut();
    expect([one.calls, one.heard]).toEqual([[], []]);
  });
});

describe('concurrent sign-ins and sign-outs', () => {
  test('a sign-in that completes after a later one is dropped, and its session ended', async () => {
    const one = tab();
    const [early, late] = ['early@example.com', 'late@example.com'];
    const [first, second] = [await ours.code(early), await ours.code(late)];
    const { opened, open } = gate();
    const answers: Response[] = [];
    one.network.hook = async (send) => {
      const response = await send();
      answers.push(response.clone());
      await opened;
      return response;
    };
    const dropped = failure(one.auth.signIn.code(first));
    await expect.poll(() => answers.length).toBe(1);
    one.network.hook = undefined;
    await one.auth.signIn.code(second);
    open();
    expect(await dropped).toMatchObject({ name: 'AbortError' });
    expect(one.heard).toEqual([[late]]);
    expect(await me(one)).toBe(late);
    const [answer] = answers;
    const { access_token } = (await answer!.json()) as { access_token: string };
    const status = async () =>
      (await world.call('GET', '/users/me', `Bearer ${access_token}`)).status;
    await expect.poll(status).toBe(401);
  });

  test('a sign-out cancels a sign-in in progress', async () => {
    const one = tab();
    const { opened, open } = gate();
    const proof = await ours.code('overtaken@example.com');
    one.network.hook = (send) => opened.then(send);
    const dropped = failure(one.auth.signIn.code(proof));
    await one.auth.signOut();
    open();
    expect(await dropped).toMatchObject({ name: 'AbortError' });
    expect([one.auth.session, one.heard]).toEqual([null, []]);
  });
});

describe('listeners', () => {
  const { error } = console;
  const reported: unknown[] = [];
  beforeEach(() => {
    reported.length = 0;
    console.error = (...what: unknown[]) => void reported.push(...what);
  });
  afterEach(() => {
    console.error = error;
  });

  test('an error in a listener does not affect the others, and is logged', async () => {
    const { auth } = tab();
    const errors: unknown[] = [];
    const wrong = new Error('of the app');
    auth.onChange(() => {
      throw wrong;
    });
    auth.onChange((session) => errors.push(session));
    await signIn({ auth });
    expect([errors, reported]).toEqual([[auth.session], [wrong]]);
  });

  test('a listener is not called after it was removed, nor after close', async () => {
    const one = tab();
    const changes: string[] = [];
    const listener = () => changes.push('both');
    const stop = one.auth.onChange(listener);
    one.auth.onChange(listener);
    stop();
    stop();
    const email = await signIn(one);
    expect(changes).toEqual(['both']);
    one.auth.close();
    await one.auth.signOut();
    expect([changes, one.heard]).toEqual([['both'], [[email]]]);
  });

  test('a listener that subscribes again while being called is called once', async () => {
    const { auth } = tab();
    let count = 0;
    const listen = (): void => {
      const stop = auth.onChange(() => {
        count += 1;
        if (count > 9) return;
        stop();
        listen();
      });
    };
    listen();
    await signIn({ auth });
    expect(count).toBe(1);
  });

  test('the snapshot is the same object until the user changes', async () => {
    const one = tab();
    await signIn(one);
    const before = one.auth.session;
    await one.auth.getAccessToken();
    await me(one);
    expect(one.auth.session).toBe(before);
  });
});

test('a request with a wrong current password is not repeated, because each attempt counts', async () => {
  const one = tab();
  const email = 'careless@example.com';
  await ours.signUp(email);
  await one.auth.signIn.password({ email, password: goodPassword });
  const change = { current_password: 'not the one', new_password: `${goodPassword}!` };
  const thrown = await failure(one.auth.api.passwords.change(change));
  expect(thrown).toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(one.calls.map(({ path }) => path)).toEqual(['/sessions/password', '/users/me/password']);
  expect(one.auth.session?.user.email).toBe(email);
});

test('the authorization of a single call takes precedence over the session', async () => {
  const one = tab();
  await signIn(one);
  const other = await world.user({ project: ours.project });
  const { body } = await one.auth.api.users.getMe({}, { authorization: other.bearer });
  expect(body.uid).toBe(other.uid);
});

test('the types of api have the operations of users, and none only for backends', () => {
  type Api = Auth['api'];
  expectTypeOf<Extract<keyof Api, 'webhooks' | 'discovery' | 'docs'>>().toBeNever();
  expectTypeOf<keyof Api['sessions']>().toEqualTypeOf<
    'list' | 'end' | 'endAll' | 'signOut' | 'selectWorkspace'
  >();
  expectTypeOf<keyof Api['codes']>().toEqualTypeOf<'start' | 'verify'>();
  expectTypeOf<CookieAuth['api']>().toEqualTypeOf<Api>();
  // A signal would end nothing.
  expectTypeOf<CookieAuth['signIn']['code']>()
    .parameter(1)
    .toEqualTypeOf<{ idempotencyKey?: string | undefined } | undefined>();
});
