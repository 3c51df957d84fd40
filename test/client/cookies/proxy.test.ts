import { expect, test, vi } from 'vitest';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const at = await signInProject(world);

test('a 200 with a page of a proxy does not replace the session', async () => {
  const proxy = { maintenance: false };
  const url = await startBackend({
    url: world.url,
    projectId: at.project_id,
    async fetch(...call) {
      return proxy.maintenance ? new Response('<h1>Back soon</h1>') : fetch(...call);
    },
  });
  const browser = openBrowser(url);
  await at.signUp('proxy@example.com');
  const who = { email: 'proxy@example.com', password: goodPassword };
  await browser.post('/sign-in/password', who);
  const before = browser.cookies.get('session');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  try {
    proxy.maintenance = true;
    expect((await browser.post('/token')).status).toBeGreaterThanOrEqual(500);
    expect(browser.cookies.get('session')).toBe(before);
    proxy.maintenance = false;
    expect((await browser.post('/token')).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
