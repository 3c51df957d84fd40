import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { signInProject } from '../support/sign-in.ts';
import { pass } from '../support/started.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { freePort } from './express-example.ts';

/**
 * Next.js takes 370 MB, so it is not installed here. The variable names a folder in which the example was installed and
 * built.
 */
const folder = process.env['NEXTJS_EXAMPLE'];

const minute = 60_000;
/** Moves the server's clock on by 11 minutes at a signal. */
const ages = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {
  const { now } = Date;
  Date.now = () => now() + ${11 * minute};
})`)}`;

async function startNext(serviceUrl: string, projectId: string) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const next = join(folder ?? '', 'node_modules/next/dist/bin/next');
  const child = spawn(process.execPath, ['--import', ages, next, 'start', '-p', String(port)], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      SERVICE_URL: serviceUrl,
      PROJECT_ID: projectId,
      INSECURE_COOKIE: '1',
      ORIGIN: origin,
    },
    stdio: 'ignore',
  });
  await expect.poll(() => fetch(origin).then(({ ok }) => ok), { timeout: 20_000 }).toBe(true);
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { origin, stop, age: () => child.kill('SIGUSR2') };
}

const { open } = useBrowser();

test.skipIf(folder === undefined)(
  'the server renders the signed-in user, and renews an expired token',
  async () => {
    const world = await startWorld({});
    const people = await signInProject(world);
    const { origin, stop, age } = await startNext(world.url, people.project_id);
    try {
      const opened = await open({ width: 390, dark: true });
      const { page, problems } = opened;
      await page.clock.install();
      await page.goto(origin);
      await page.getByLabel('E-mail').fill('ada@example.com');
      // The browser reports the 401 of a signed-out visitor as a failed request.
      expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
      await expectWellMade(opened, 'nextjs-signed-out');
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await page.getByText('We have sent a code').waitFor();
      await page.getByLabel('Code').fill(await people.mailed('ada@example.com'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The server has rendered this for ada@example.com.').waitFor();
      await expectWellMade(opened, 'nextjs-signed-in');
      // After a reload it is shown before any script runs.
      const html = await (await page.reload())?.text();
      expect(html).toContain('ada@example.com');
      await page.getByRole('button', { name: 'Account of ada@example.com' }).waitFor();
      // The token in the cookie has expired when the open page sends its next request.
      pass(11 * minute);
      age();
      await page.clock.fastForward(11 * minute);
      const renewed = page.waitForRequest('**/auth/token');
      await page.evaluate('window.next.router.refresh()');
      await renewed;
      await page.getByText('The server has rendered this for ada@example.com.').waitFor();
      await page.getByRole('button', { name: 'Account of ada@example.com' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByLabel('E-mail').waitFor();
      await expect.poll(() => page.getByText('The server has rendered').count()).toBe(0);
    } finally {
      vi.useRealTimers();
      await stop();
      await world.close();
    }
  },
);
