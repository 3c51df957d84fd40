import { expect, test } from 'vitest';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { authScene, type Tab } from './auth-scene.ts';

const world = await startWorld();
const { ours, tab } = await authScene(world);

/** Signs in by password, and waits for the mail about it. */
async function enter({ auth }: Tab, email: string, device_token?: string) {
  const entered = await auth.signIn.password({ email, password: goodPassword, device_token });
  await world.drainStream();
  return entered;
}
const mailsOf = (email: string) =>
  world.mails().filter(({ to, subject }) => to === email && subject.startsWith('New sign-in'));

/** Signs in as from another network: what the service sees of this browser is another program. */
const elsewhere: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), 'user-agent': 'moved' },
  });

test('a page that keeps what a sign-in answered is no new device elsewhere, after a sign-out and a reload', async () => {
  const { email } = await ours.signUp('remembered@example.com');
  const first = tab({ tabs: false });
  const { device_token } = await enter(first, email);
  const mailed = mailsOf(email).length;
  await first.auth.signOut();
  await enter(tab({ tabs: false, fetch: elsewhere }), email, device_token);
  expect(mailsOf(email)).toHaveLength(mailed);
  // The same without it.
  await enter(tab({ tabs: false, fetch: elsewhere }), email);
  expect(mailsOf(email)).toHaveLength(mailed + 1);
});
