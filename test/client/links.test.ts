import { afterEach, expect, test, vi } from 'vitest';
import { createLinks, openedLink } from '../../client/links.ts';
import { startWorld } from '../support/world.ts';
import { authScene } from './auth/scene.ts';

/** Sign-in by a mailed link: directly in the browser that requested it, with a code in any other. */
const world = await startWorld();
const { ours, tab } = await authScene(world, {});
const { project_id: projectId } = ours;
afterEach(() => vi.unstubAllGlobals());

/** A browser with its own storage, which it may block. */
function browser(stored: Map<string, string> | undefined = new Map()) {
  const { auth } = tab();
  const links = createLinks({ url: `${world.url}/`, projectId, auth });
  const localStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  };
  /** Runs the work in this browser. */
  const use = async <T>(work: (own: typeof links) => Promise<T> | T): Promise<T> => {
    vi.stubGlobal('localStorage', localStorage);
    return work(links);
  };
  return { auth, links, use, stored };
}

test('the link signs in the browser that requested it, in any tab, once', async () => {
  const one = browser();
  const email = 'one@example.com';
  const { link_id, expires_in } = await one.use((links) => links.start(email));
  expect(expires_in).toBe(900);
  const token = await ours.mailed(email);
  const another = browser(one.stored);
  expect(await another.use((links) => links.isOwn(link_id))).toBe(true);
  const entered = await another.use((links) =>
    links.signIn({ link_id, token, display_name: 'One' }),
  );
  expect(entered).toMatchObject({ user_created: true, user: { email, display_name: 'One' } });
  expect(another.auth.session?.user.email).toBe(email);
  // Opened again, the link is a used one, not one that somebody else requested.
  expect(await one.use((links) => links.isOwn(link_id))).toBe(true);
  const again = one.use((links) => links.signIn({ link_id, token }));
  await expect(again).rejects.toMatchObject({ status: 401, code: 'invalid_credentials' });
});

test('in another browser it shows a code, which works even if the first browser blocks its storage', async () => {
  const [asking, other] = [browser(), browser()];
  const email = 'two@example.com';
  const { link_id } = await asking.links.start(email);
  const token = await ours.mailed(email);
  expect(await other.use((links) => links.isOwn(link_id))).toBe(false);
  const code = await other.use((links) => links.showCode({ link_id, token }));
  vi.unstubAllGlobals();
  await expect(asking.links.signIn({ link_id, code: '00000' })).rejects.toMatchObject({
    status: 400,
  });
  await asking.links.signIn({ link_id, code });
  expect(asking.auth.session?.user.email).toBe(email);
});

test('a verifier is kept in memory if the storage is full', async () => {
  const full = browser();
  full.stored.set(`sign-in links ${projectId}`, 'null');
  full.stored.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const email = 'full@example.com';
  const { link_id } = await full.use((links) => links.start(email));
  const token = await ours.mailed(email);
  await full.use((links) => links.signIn({ link_id, token }));
  expect(full.auth.session?.user.email).toBe(email);
});

test('verifiers are kept as long as their links are valid, five at most', async () => {
  const at = browser();
  vi.useFakeTimers({ toFake: ['Date'] });
  const ids: string[] = [];
  for (let i = 0; i < 6; i += 1)
    ids.push((await at.use((links) => links.start(`many${i}@example.com`))).link_id);
  const own = () => at.use((links) => ids.map((id) => links.isOwn(id)));
  expect(await own()).toEqual([false, true, true, true, true, true]);
  vi.setSystemTime(Date.now() + 900_000);
  expect(await own()).toEqual(Array.from({ length: 6 }, () => false));
});

test('openedLink removes the token from the address, and is undefined on other pages', () => {
  expect(openedLink()).toBeUndefined();
  const replaceState = vi.fn<(...given: unknown[]) => void>();
  // A path that begins with two slashes would be another host, if it were alone.
  const href = 'http://localhost//evil/?project_id=demo';
  const hash = '#token=t&link_id=l';
  const opened = { href: href + hash, pathname: '//evil/', search: '?project_id=demo', hash };
  vi.stubGlobal('document', {});
  vi.stubGlobal('history', { state: null, replaceState });
  vi.stubGlobal('location', opened);
  expect(openedLink()).toEqual({ link_id: 'l', token: 't' });
  const kept = { 'identity-workspace link': { link_id: 'l', token: 't' } };
  expect(replaceState).toHaveBeenCalledWith(kept, '', href);
  vi.stubGlobal('location', { ...opened, hash: '#other' });
  expect(openedLink()).toBeUndefined();
  // The state after a reload.
  vi.stubGlobal('history', { state: kept, replaceState });
  expect(openedLink()).toEqual({ link_id: 'l', token: 't' });
});
