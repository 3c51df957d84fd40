import { afterEach, expect, test, vi } from 'vitest';
import { createLinks } from '../../../client/links.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { authScene, type Tab } from './scene.ts';

const world = await startWorld();
const { ours, tab } = await authScene(world);

/** Signs in with the password, and waits for the notification mail. */
async function enter({ auth }: Tab, email: string, device_token?: string) {
  const entered = await auth.signIn.password({ email, password: goodPassword, device_token });
  await world.drainStream();
  return entered;
}
const mailsOf = (email: string) =>
  world.mails().filter(({ to, subject }) => to === email && subject.startsWith('New sign-in'));

/** Requests as from another network: the service sees this browser as another program. */
const elsewhere: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), 'user-agent': 'moved' },
  });

test('a page that passes the device token of an earlier sign-in is not reported as a new device', async () => {
  const { email } = await ours.signUp('remembered@example.com');
  const first = tab({ tabs: false });
  const { device_token } = await enter(first, email);
  const mailed = mailsOf(email).length;
  await first.auth.signOut();
  await enter(tab({ tabs: false, fetch: elsewhere }), email, device_token);
  expect(mailsOf(email)).toHaveLength(mailed);
  // The same without a stored device token.
  await enter(tab({ tabs: false, fetch: elsewhere }), email);
  expect(mailsOf(email)).toHaveLength(mailed + 1);
});

afterEach(() => vi.unstubAllGlobals());

/** Replaces the storage of the browser. */
function stubStorage() {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  });
  return stored;
}

test('a browser stores the device token and sends it with every sign-in method', async () => {
  const stored = stubStorage();
  const name = `device ${ours.project_id}`;
  const { email } = await ours.signUp('kept@example.com');
  const { device_token } = await enter(tab({ tabs: false }), email);
  const mailed = mailsOf(email).length;
  expect(stored.get(name)).toBe(device_token);
  const away = tab({ tabs: false, fetch: elsewhere });
  await enter(away, email);
  await away.auth.signIn.code(await ours.code(email));
  const links = createLinks({
    url: world.url,
    projectId: ours.project_id,
    auth: away.auth,
    fetch: elsewhere,
  });
  const { link_id } = await links.start(email);
  const entered = await links.signIn({ link_id, token: await ours.mailed(email) });
  expect([entered.device_token, stored.get(name)]).toEqual([device_token, device_token]);
  expect(mailsOf(email)).toHaveLength(mailed);
  // A device token passed by the caller takes precedence over the stored one.
  await enter(away, email, 'another');
  expect(mailsOf(email)).toHaveLength(mailed + 1);
  expect(stored.get(name)).not.toBe(device_token);
});

test('a browser that blocks its storage can sign in, and stores nothing', async () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked });
  const { email } = await ours.signUp('blocked@example.com');
  expect((await enter(tab({ tabs: false }), email)).device_token).toMatch(/^dt_/);
});
