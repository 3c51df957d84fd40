import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubPageShow } from '../../support/page-show.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';
import { authScene, delayRefresh, gate, refreshPath, shelf, type Tab } from './scene.ts';

const world = await startWorld();
const { ours, tab, signIn } = await authScene(world);
const minute = 60_000;
const emailOf = ({ auth }: Tab) => auth.session?.user.email;
const getMe = async ({ auth }: Tab) => (await auth.api.users.getMe({})).body.email;

const modes = [
  ['memory, with locks', true],
  ['memory, without locks', true],
  ['memory, where the browser denies locks', true],
  ['a shared storage, with locks', true],
  ['a shared storage, without locks', true],
  ['a shared storage, without messages between tabs', false],
] as const;

describe.each(modes)('%s', (mode, tabs) => {
  const shares = !mode.startsWith('memory');
  beforeEach(() => {
    if (mode.includes('without locks'))
      Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const denied = async () => {
      throw new DOMException('Access to the Locks API is denied in this context', 'SecurityError');
    };
    if (mode.includes('denies locks'))
      Object.defineProperty(navigator, 'locks', { value: { request: denied }, configurable: true });
    if (!mode.includes('with locks')) return;
    const { locks } = navigator;
    // In one process a late timer runs before waiting messages; real tabs have separate processes.
    const request = (name: string, options: object, work: () => Promise<unknown>) =>
      locks.request(name, options, async () => {
        const result = await work();
        await new Promise((resolve) => setImmediate(resolve));
        return result;
      });
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });

  /** Tabs of one browser. */
  function browser() {
    const storage = shares ? shelf() : undefined;
    return () => tab({ storage, tabs });
  }
  /** The second tab learns it from a message, or from the storage at its next call. */
  async function expectKnown(one: Tab, email: string | undefined) {
    // It throws if another user has signed in.
    if (shares) await one.auth.getAccessToken().catch(() => {});
    await expect.poll(() => emailOf(one)).toBe(email);
  }

  /** Two tabs of a browser, in which a user has signed in. */
  async function twoTabs() {
    const open = browser();
    const [one, two] = [open(), open()];
    const email = await signIn(one);
    await expectKnown(two, email);
    return { open, one, two, email };
  }
  const named = async ({ auth }: Tab) => {
    const token = (await auth.getAccessToken()) ?? '';
    return JSON.parse(atob(token.split('.')[1] ?? ''))['workspace_id'];
  };
  async function createWorkspace({ auth }: Tab): Promise<string> {
    const body = { name: 'Acme', owner_id: auth.session?.uid };
    return (await world.call('POST', '/workspaces', ours.project.basic, body)).body.workspace_id;
  }

  test('the workspace selected in one tab is in the tokens of all tabs', async () => {
    const { one, two } = await twoTabs();
    const { session } = one.auth;
    const workspace_id = await createWorkspace(one);
    await one.auth.selectWorkspace(workspace_id);
    expect(await named(one)).toBe(workspace_id);
    await expect.poll(() => named(two)).toBe(workspace_id);
    await two.auth.selectWorkspace(null);
    expect(await named(two)).toBeUndefined();
    await expect.poll(() => named(one)).toBeUndefined();
    expect(one.auth.session).toBe(session);
  });

  test.each(mode.includes('with locks') ? ['same', 'other'] : ['same'])(
    'of two workspaces selected during a refresh, the second in the %s tab, the tokens have the second',
    async (place) => {
      const { one, two } = await twoTabs();
      const [acme, bolt] = [await createWorkspace(one), await createWorkspace(one)];
      const { sent, arrive } = delayRefresh(one);
      const first = one.auth.selectWorkspace(acme);
      await sent;
      const at = place === 'same' ? one : two;
      const second = at.auth.selectWorkspace(bolt);
      // Milliseconds, enough for the response of the selection to arrive and its follow-up to start.
      await new Promise((resolve) => setTimeout(resolve, 200));
      arrive();
      await Promise.all([first, second]);
      expect(await named(at)).toBe(bolt);
      await expect.poll(() => named(one)).toBe(bolt);
    },
  );

  test('a sign-in, another sign-in and a sign-out are known in both tabs', async () => {
    const open = browser();
    const [one, two] = [open(), open()];
    const ada = await signIn(one);
    await expectKnown(two, ada);
    const bob = await signIn(two);
    await expectKnown(one, bob);
    expect(await getMe(one)).toBe(bob);
    await one.auth.signOut();
    await expectKnown(two, undefined);
    expect(two.heard).toEqual([[ada], [bob], [undefined, 'signed_out']]);
  });

  test('a sign-in after the clock was set back is known in both tabs', async () => {
    const open = browser();
    const [one, two] = [open(), open()];
    pass(60 * minute);
    await expectKnown(two, await signIn(one));
    await one.auth.signOut();
    await expectKnown(two, undefined);
    pass(-60 * minute);
    const email = await signIn(one);
    await expectKnown(two, email);
    expect(await getMe(two)).toBe(email);
  });

  test('a new tab is signed in', async () => {
    const open = browser();
    const one = open();
    const email = await signIn(one);
    const two = open();
    await two.auth.ready;
    expect(emailOf(two)).toBe(email);
    expect(await two.auth.getAccessToken()).toBe(await one.auth.getAccessToken());
  });

  test('tabs that are used in turns stay signed in after long pauses', async () => {
    const { one, two, email } = await twoTabs();
    for (const each of [one, two, two, one]) {
      pass(11 * minute);
      expect(await getMe(each)).toBe(email);
    }
    expect(one.refreshes().length + two.refreshes().length).toBe(4);
  });

  test('tabs that are used concurrently stay signed in', async () => {
    const { one, two, email } = await twoTabs();
    pass(11 * minute);
    const calls = [one, two, one, two].map(getMe);
    expect(await Promise.all(calls)).toEqual(Array(4).fill(email));
    // The second tab gets the lock and has nothing left to do.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const refreshes = [one, two].flatMap((each) => each.refreshes());
    if (mode.includes('with locks')) expect(refreshes).toHaveLength(1);
    expect([one.heard.length, two.heard.length]).toEqual([1, 1]);
  });

  test('the signal of a call aborts the call, but not the refresh that it waits for', async () => {
    const one = browser()();
    const email = await signIn(one);
    pass(11 * minute);
    const { opened, open: arrive } = gate();
    one.network.hook = async (forward, path) => {
      if (path === refreshPath) await opened;
      return forward();
    };
    const call = one.auth.api.users.getMe({}, { signal: AbortSignal.timeout(100) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    arrive();
    expect(await getMe(one)).toBe(email);
    expect(one.refreshes()).toHaveLength(1);
  });

  test('a sign-out in one tab is final, even during a refresh in the other', async () => {
    const { open, one, two } = await twoTabs();
    pass(11 * minute);
    const { sent, arrive } = delayRefresh(two);
    const token = two.auth.getAccessToken();
    await sent;
    await one.auth.signOut();
    arrive();
    expect(await token).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expectKnown(two, undefined);
    expect([emailOf(one), await one.auth.getAccessToken()]).toEqual([undefined, undefined]);
    const three = open();
    await three.auth.ready;
    expect(emailOf(three)).toBeUndefined();
  });
});

test('a tab that is frozen while it has the lock does not stop the others', async ({
  onTestFinished,
}) => {
  onTestFinished(() => void vi.restoreAllMocks());
  const { timeout } = AbortSignal;
  const { opened: frozen, open: thaw } = gate();
  const one = tab({ tabs: true });
  const email = await signIn(one);
  const holding = navigator.locks.request(`auth ${ours.project_id} ${world.url}`, () => frozen);
  pass(11 * minute);
  // The wait for the lock comes first.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.call(AbortSignal, 50));
  expect(await getMe(one)).toBe(email);
  thaw();
  await holding;
});

describe('messages of other tabs', () => {
  const channel = new BroadcastChannel(`auth ${ours.project_id} ${world.url}`);
  afterAll(() => channel.close());
  /** Sends a message as another tab, and waits until it has arrived. */
  async function announce(message: object): Promise<void> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(message);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  /** A tab with its storage, and the previous token pair, which another tab might still have. */
  async function tabWithOldPair() {
    const storage = shelf();
    const one = tab({ storage, tabs: true });
    const email = await signIn(one);
    const pair = JSON.parse(storage.get()!);
    pass(11 * minute);
    await one.auth.getAccessToken();
    return { ...one, storage, email, pair };
  }

  test('an older token pair of the session is ignored', async () => {
    const one = await tabWithOldPair();
    const newer = one.storage.get();
    await announce({ pair: one.pair });
    expect(one.storage.get()).toBe(newer);
  });

  test('a token pair of an ended session is ignored', async () => {
    const one = await tabWithOldPair();
    await one.auth.signOut();
    await announce({ pair: { ...one.pair, turn: 9 } });
    expect([emailOf(one), one.storage.get()]).toEqual([undefined, null]);
  });

  test('a token pair of the previous session is ignored', async () => {
    const one = await tabWithOldPair();
    const later = await signIn(one);
    await announce({ pair: { ...one.pair, turn: 9 } });
    expect(emailOf(one)).toBe(later);
  });

  test('the end of another session is ignored', async () => {
    const one = await tabWithOldPair();
    await announce({ ended: { id: 'another', since: one.pair.since + 1 }, reason: 'signed_out' });
    expect(emailOf(one)).toBe(one.email);
  });

  test('a page that is shown again as it was left has heard of no sign-out, and reads its storage', async () => {
    const show = stubPageShow();
    const storage = shelf();
    const left = tab({ storage, tabs: false });
    const email = await signIn(left);
    const next = tab({ storage, tabs: false });
    await next.auth.signOut();
    show(false);
    expect(emailOf(left)).toBe(email);
    show(true);
    expect([emailOf(left), left.heard]).toEqual([undefined, [[email], [undefined, 'signed_out']]]);
  });

  test('a tab that missed two refreshes catches up by itself', async () => {
    const one = await tabWithOldPair();
    const asleep = shelf();
    asleep.set(JSON.stringify(one.pair));
    pass(11 * minute);
    await one.auth.getAccessToken();
    const two = tab({ storage: asleep });
    expect(await getMe(two)).toBe(one.email);
    expect(asleep.get()).toContain(JSON.parse(one.storage.get()!).refresh_token);
    pass(11 * minute);
    expect([await getMe(one), await getMe(two)]).toEqual([one.email, one.email]);
  });

  /** A reopened tab, whose own session storage has the pair of another tab. */
  function reopened(pair: object) {
    const name = `auth ${ours.project_id} ${world.url}`;
    const items = new Map([[name, JSON.stringify(pair)]]);
    const sessionStorage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    };
    Object.assign(globalThis, { document: {}, sessionStorage });
    const two = tab({ storage: 'session' });
    for (const each of ['document', 'sessionStorage']) Reflect.deleteProperty(globalThis, each);
    return { ...two, stored: () => items.get(name) };
  }

  test('a tab reopened after a day asks other tabs before it uses its old token pair', async () => {
    const one = await tabWithOldPair();
    pass(25 * 60 * minute);
    const two = reopened(one.pair);
    expect(await getMe(two)).toBe(one.email);
    expect(await getMe(one)).toBe(one.email);
    expect(two.stored()).toBe(one.storage.get());
  });

  test('a tab reopened within minutes takes over a newer sign-in, without delaying its start', async () => {
    const storage = shelf();
    const one = tab({ tabs: true, storage });
    const ada = await signIn(one);
    const pair = JSON.parse(storage.get()!);
    await one.auth.signOut();
    pass(minute);
    const bob = await signIn(one);
    const two = reopened(pair);
    await two.auth.ready;
    expect(emailOf(two)).toBe(ada);
    await expect.poll(() => emailOf(two)).toBe(bob);
    expect([two.heard, await getMe(two)]).toEqual([[[bob]], bob]);
  });

  test('a tab whose session is refused takes over a newer sign-in', async () => {
    const [storage, stored] = [shelf(), shelf()];
    const one = tab({ tabs: true, storage });
    const ada = await signIn(one);
    stored.set(storage.get()!);
    await one.auth.signOut();
    pass(minute);
    const bob = await signIn(one);
    // The tab trusts its own storage, so it does not ask other tabs.
    const two = tab({ tabs: true, storage: stored });
    expect(emailOf(two)).toBe(ada);
    await getMe(two).catch(() => {});
    await expect.poll(() => emailOf(two)).toBe(bob);
    expect(two.heard).toEqual([[undefined, 'unauthenticated'], [bob]]);
    // The tab follows the sign-out of this user too.
    await one.auth.signOut();
    await expect.poll(() => emailOf(two)).toBeUndefined();
  });

  test('a tab whose storage was full once does not overwrite what other tabs store later', async () => {
    const storage = shelf();
    let isFull = false;
    const set = (value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      storage.set(value);
    };
    const [one, two] = [
      tab({ tabs: true, storage: { ...storage, set } }),
      tab({ tabs: true, storage }),
    ];
    await signIn(one);
    isFull = true;
    const email = await signIn(one);
    isFull = false;
    await expect.poll(() => emailOf(two)).toBe(email);
    pass(11 * minute);
    expect([await getMe(two), await getMe(one)]).toEqual([email, email]);
    expect([emailOf(one), emailOf(two)]).toEqual([email, email]);
    expect(storage.get()).not.toBeNull();
  });

  test('reach only tabs of the same project and service', async () => {
    const [one, near] = [tab({ tabs: true }), tab({ tabs: true })];
    const other = tab({ tabs: true, projectId: 'another' });
    const elsewhere = tab({ tabs: true, url: 'http://127.0.0.1:1' });
    const apart = tab();
    const email = await signIn(one);
    await expect.poll(() => emailOf(near)).toBe(email);
    expect([other, elsewhere, apart].map(emailOf)).toEqual([undefined, undefined, undefined]);
  });

  test('are ignored after close', async () => {
    const [one, two] = [tab({ tabs: true }), tab({ tabs: true })];
    two.auth.close();
    await signIn(one);
    await announce({});
    expect(emailOf(two)).toBeUndefined();
  });
});

test('a worker, whose global outlives a request, gets no listener', () => {
  const addEventListener = vi.fn<() => void>();
  vi.stubGlobal('addEventListener', addEventListener);
  tab({ tabs: true });
  vi.unstubAllGlobals();
  expect(addEventListener).not.toHaveBeenCalled();
});
