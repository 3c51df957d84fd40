import { afterEach, describe, expect, test } from 'vitest';
import { createAuth } from '../../../client/auth.ts';
import { startWorld } from '../../support/world.ts';
import { authScene, shelf } from './scene.ts';

const world = await startWorld();
const { ours, tab, signIn } = await authScene(world);

describe('the storage of the tab', () => {
  const items = new Map<string, string>();
  const page = { document: {}, sessionStorage: undefined as unknown };
  const room = { isFull: false };
  page.sessionStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (room.isFull) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => items.delete(key),
  };
  afterEach(() => {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name);
    items.clear();
    room.isFull = false;
  });
  const storage = 'session';

  test('keeps the session over a reload, for this project only', async () => {
    Object.assign(globalThis, page);
    const before = tab({ storage, tabs: false });
    const email = await signIn(before);
    const token = await before.auth.getAccessToken();
    before.auth.close();
    const after = tab({ storage, tabs: false });
    expect(after.auth.session?.user.email).toBe(email);
    expect(await after.auth.getAccessToken()).toBe(token);
    expect(tab({ storage, tabs: false, projectId: 'other' }).auth.session).toBeNull();
    await after.auth.signOut();
    expect(items.size).toBe(0);
  });

  test('that is full does not restore a signed-out or a previous user', async () => {
    Object.assign(globalThis, page);
    const before = tab({ storage, tabs: false });
    await signIn(before);
    room.isFull = true;
    const second = await signIn(before);
    expect(before.auth.session?.user.email).toBe(second);
    const reload = () => tab({ storage, tabs: false }).auth.session;
    expect(reload()).toBeNull();
    // Another tab of the same storage whose writes have not failed yet.
    room.isFull = false;
    await signIn(tab({ storage, tabs: false }));
    await before.auth.signOut();
    expect([before.auth.session, reload()]).toEqual([null, null]);
  });

  test.each(['', 'null', '{', '[]'])('with unknown content gives no session: %j', (text) => {
    const own = shelf();
    own.set(text);
    const { auth } = tab({ storage: own });
    expect(auth.session).toBeNull();
  });

  test('stays empty by default, where the session is in memory', async () => {
    Object.assign(globalThis, page);
    await signIn(tab({ tabs: false }));
    expect(items.size).toBe(0);
  });

  test('is not used on a server, where visitors would share it', async () => {
    Object.assign(globalThis, { sessionStorage: page.sessionStorage });
    const visitor = tab({ storage });
    await signIn(visitor);
    const next = createAuth({ url: world.url, projectId: ours.project_id, storage });
    await next.ready;
    expect([items.size, next.session]).toEqual([0, null]);
  });
});
