import { describe, expect, test } from 'vitest';
import { newBrowser, personAt, returnUrl } from '../../support/providers.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { keepings, providersScene, refused, type Tab } from './scene.ts';

/** Responses that a tab has not requested or has already handled, and sign-ins that cannot start. */
const world = await startWorld();
const { ours, own, open, sent } = await providersScene(world);

const signIn = (tab: Tab) => tab.away((providers) => providers.signIn('own'));
const finish = (tab: Tab) => tab.use((providers) => providers.finish());
const newUser = () => {
  const person = personAt('oidc');
  own.is(person);
  return person;
};
/** Nobody is signed in, and nothing was sent. */
const expectNobody = (tab: Tab) => {
  expect([tab.auth.session, sent]).toEqual([null, []]);
  expect(tab.state.url.href).toBe(returnUrl);
};

describe.each(keepings)('with the session in the %s', (keeping) => {
  test("a link with another user's response signs no user in (login CSRF)", async () => {
    newUser();
    const attacker = open(keeping);
    const back = await signIn(attacker);
    sent.length = 0;
    // The victim has started a sign-in too, so there is a verifier, but for another response.
    const victim = open(keeping);
    await signIn(victim);
    for (const tab of [victim, open(keeping)]) {
      tab.goTo(back);
      expect(await tab.use((providers) => providers.returnedFrom())).toBe('signIn');
      await expect(finish(tab)).rejects.toMatchObject(refused('state_mismatch'));
      expectNobody(tab);
      expect(await finish(tab)).toBeUndefined();
    }
    // A path that begins with two slashes would be another host, if it were alone.
    const { origin, search } = new URL(back);
    const other = open(keeping, { at: `${origin}//evil/${search}` });
    await expect(finish(other)).rejects.toMatchObject(refused('state_mismatch'));
    expect(other.state.url.href).toBe(`${origin}//evil/?from=provider`);
  });

  test('a response works once: a replay is refused in its tab, and by the service in a copied tab', async () => {
    newUser();
    const tab = open(keeping);
    const back = await signIn(tab);
    const copy = open(keeping, { stored: new Map(tab.stored) });
    tab.goTo(back);
    await finish(tab);
    await tab.auth.signOut();
    sent.length = 0;
    tab.goTo(back);
    await expect(finish(tab)).rejects.toMatchObject(refused('state_mismatch'));
    expectNobody(tab);
    copy.goTo(back);
    await expect(finish(copy)).rejects.toMatchObject({
      ...{ name: 'ApiError', status: 401, code: 'identity_token_invalid' },
    });
    expect(copy.auth.session).toBeNull();
  });

  test('a user who cancels at the provider gets an error, and can try again', async () => {
    const { email } = newUser();
    own.behave({
      answer: (url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'access_denied');
        return url;
      },
    });
    const tab = open(keeping);
    sent.length = 0;
    tab.goTo(await signIn(tab));
    await expect(finish(tab)).rejects.toMatchObject(refused('access_denied'));
    expectNobody(tab);
    own.behave();
    tab.goTo(await signIn(tab));
    await finish(tab);
    expect(tab.auth.session?.user.email).toBe(email);
  });

  test('an unused response is dropped with the sign-out, and does not sign in later', async () => {
    const taken = `taken-before-${keeping}@example.com`;
    await ours.signUp(taken);
    newUser();
    for (const isSeen of [false, true]) {
      const tab = open(keeping);
      tab.goTo(await signIn(tab));
      if (isSeen) expect(await tab.use((providers) => providers.returnedFrom())).toBe('signIn');
      await tab.use(() => tab.auth.signIn.password({ email: taken, password: goodPassword }));
      // Starting a sign-in keeps the result: the user has come back for another one.
      if (isSeen) expect(await tab.use((providers) => providers.returnedFrom())).toBe('signIn');
      sent.length = 0;
      await tab.use(() => tab.auth.signOut());
      expectNobody(tab);
      expect(await tab.use((providers) => providers.returnedFrom())).toBeUndefined();
      expect(await finish(tab)).toBeUndefined();
      expectNobody(tab);
    }
  });

  test('an account is linked only to the user who requested it', async () => {
    const [asking, other] = ['asking', 'other'].map((name) => `${name}-${keeping}@example.com`);
    await ours.signUp(asking ?? '');
    await ours.signUp(other ?? '');
    const tab = open(keeping);
    const enter = (email = '') => tab.auth.signIn.password({ email, password: goodPassword });
    await expect(tab.use((each) => each.link('own'))).rejects.toMatchObject(refused('signed_out'));
    expect(tab.state.left).toEqual([]);
    for (const [next, why] of [
      [() => enter(other), 'other_user'],
      [() => tab.auth.signOut(), 'signed_out'],
    ] as const) {
      await enter(asking);
      own.is({ sub: `linked-${keeping}-${why}` });
      tab.goTo(await tab.away((providers) => providers.link('own')));
      await next();
      await expect(
        tab.use((providers) => providers.finish({ current_password: goodPassword })),
      ).rejects.toMatchObject(refused(why));
      expect(await finish(tab)).toBeUndefined();
    }
    // The response to a linking request does not sign anybody in either.
    sent.length = 0;
    await enter(asking);
    tab.goTo(await tab.away((providers) => providers.link('own')));
    await tab.auth.signOut();
    await expect(finish(tab)).rejects.toMatchObject(refused('signed_out'));
    expect(sent).toEqual([]);
  });
});

test('an abandoned sign-in does not hinder others, here or in another tab', async () => {
  const { email } = newUser();
  const browser = newBrowser(world.url);
  const [abandoned, tab] = [open('page', { of: browser }), open('page', { of: browser })];
  const late = await signIn(abandoned);
  const earlier = await signIn(tab);
  tab.goTo(await signIn(tab));
  expect(await finish(tab)).toMatchObject({ user: { email } });
  // Both have their own verifier: the user who returns is signed in there.
  abandoned.goTo(late);
  expect(await finish(abandoned)).toMatchObject({ user: { email } });
  tab.goTo(earlier);
  expect(await finish(tab)).toMatchObject({ user: { email } });
});

test('at most five sign-ins can be in progress in a tab, and the oldest is dropped', async () => {
  newUser();
  const tab = open();
  const backs: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    tab.goTo(returnUrl);
    backs.push(await signIn(tab));
  }
  const [kept] = [...tab.stored.values()];
  expect(JSON.parse(kept ?? '')).toHaveLength(5);
  tab.goTo(backs[0] ?? '');
  await expect(finish(tab)).rejects.toMatchObject(refused('state_mismatch'));
  tab.goTo(backs[1] ?? '');
  expect(await finish(tab)).toMatchObject({ from: 'signIn' });
});

test.each([
  ['full', { setItem: 'QuotaExceededError' }],
  ['blocked', { setItem: 'SecurityError', getItem: 'SecurityError' }],
])('a page whose storage is %s is not left, with an error', async (_, throwing) => {
  const tab = open();
  for (const [method, name] of Object.entries(throwing))
    Object.assign(tab.storage, {
      [method]: () => {
        throw new DOMException('no', name);
      },
    });
  await expect(tab.use((providers) => providers.signIn('own'))).rejects.toMatchObject(
    refused('storage_unavailable'),
  );
  expect(tab.state.left).toEqual([]);
});

test('a storage with foreign content, or that becomes full, does not prevent a sign-in', async () => {
  const { email } = newUser();
  const tab = open();
  for (const text of ['[]', 'no json', 'null', '{"0":1}']) {
    for (const name of tab.stored.keys()) tab.stored.set(name, text);
    tab.goTo(await signIn(tab));
    expect(await finish(tab)).toMatchObject({ user: { email } });
  }
  tab.goTo(await signIn(tab));
  tab.storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  expect(await finish(tab)).toMatchObject({ user: { email } });
});

test('parameters that are not a response for this entry stay in the address', async () => {
  const tab = open();
  for (const search of [
    '?code=c&state=of-another-server',
    '?error=access_denied',
    '?code=c',
    '?state=provider.x',
    '',
  ]) {
    tab.goTo(`https://app.example.com/signed-in${search}`);
    expect(await tab.use((providers) => providers.returnedFrom())).toBeUndefined();
    expect(await finish(tab)).toBeUndefined();
    expect(tab.state.url.search).toBe(search);
  }
});

test('on a server nothing is requested', async () => {
  const { providers } = open();
  expect(providers.returnedFrom()).toBeUndefined();
  expect(await providers.finish()).toBeUndefined();
});
