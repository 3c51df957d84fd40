import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type SignIn, signInProject } from '../support/sign-in.ts';
import { pass } from '../support/started.ts';
import { startWorld, type World } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { freePort } from './express-example.ts';

/**
 * Next.js takes 370 MB, so it is not installed here. The variable names a folder in which `npm run nextjs` has built the
 * app that docs/guide/nextjs.md prints.
 */
const folder = process.env['NEXTJS_EXAMPLE'];

const minute = 60_000;
/** Moves the server's clock on by 11 minutes at a signal, and back at the next one. */
const ages = `data:text/javascript,${encodeURIComponent(`
  const { now } = Date;
  let ahead = 0;
  Date.now = () => now() + ahead;
  process.on('SIGUSR2', () => { ahead = ahead ? 0 : ${11 * minute}; });
`)}`;

async function startNext(serviceUrl: string, projectId: string) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const program = join(folder ?? '', 'node_modules/next/dist/bin/next');
  const child = spawn(process.execPath, ['--import', ages, program, 'start', '-p', String(port)], {
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
  await vi.waitFor(async () => expect((await fetch(origin)).ok).toBe(true), { timeout: 20_000 });
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { origin, stop, age: () => child.kill('SIGUSR2') };
}

const { open } = useBrowser();

let world: World;
let people: SignIn;
let next: Awaited<ReturnType<typeof startNext>>;
beforeAll(async () => {
  if (folder === undefined) return;
  world = await startWorld({});
  people = await signInProject(world);
  next = await startNext(world.url, people.project_id);
});
afterAll(async () => {
  await next?.stop();
  await world?.close();
});
/** For the rest of a test, an access token that the browser has is no longer valid: for the service and for Next.js. */
function expire(): void {
  pass(11 * minute);
  next.age();
  onTestFinished(() => {
    next.age();
  });
}

/**
 * Signs in on the page that is open. The browser reports the 401 of a signed-out visitor as a failed request, of each
 * page that loads: a streamed page that redirects has loaded too.
 */
async function signIn({ page, problems, allowed }: Opened, email: string) {
  await page.getByLabel('E-mail').fill(email);
  expect(new Set(problems.splice(0))).toEqual(
    new Set([expect.stringMatching(/status of 401 .*\/auth\/token$/)]),
  );
  allowed.push('status of 401');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByText('We have sent a code').waitFor();
  await page.getByLabel('Code').fill(await people.mailed(email));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut({ page }: Opened, email: string) {
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

const cookieOf = async ({ context }: Opened) =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

test.skipIf(folder === undefined)(
  'the server renders who is signed in, and hides it after the sign-out',
  async () => {
    const email = 'ada@example.com';
    const opened = await open({ width: 390, dark: true });
    const { page } = opened;
    const rendered = page.getByText(`The server has rendered this for ${email}.`);
    await page.goto(next.origin);
    await page.getByLabel('E-mail').waitFor();
    await signIn(opened, email);
    await rendered.waitFor();
    await expectWellMade(opened, 'nextjs-signed-in');
    // After a reload it is shown before any script runs, also with a token that has expired.
    expire();
    expect(await (await page.reload())?.text()).toContain(email);
    await rendered.waitFor();
    await signOut(opened, email);
    await page.getByLabel('E-mail').waitFor();
    await expect.poll(() => rendered.count()).toBe(0);
    await expectWellMade(opened, 'nextjs-signed-out');
  },
);

test.skipIf(folder === undefined)(
  'a page for users leads to the sign-in and back, and its action changes the user',
  async () => {
    const email = 'bob@example.com';
    const opened = await open();
    const { page } = opened;
    await page.goto(`${next.origin}/notes`);
    await page.waitForURL('**/sign-in?next=/notes');
    await signIn(opened, email);
    await page.waitForURL(`${next.origin}/notes`);
    expire();
    await page.getByLabel('Name').fill('Bob');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByLabel('Name').inputValue();
      })
      .toBe('Bob');
    // A link from elsewhere brings no cookie (SameSite=Strict).
    await page.route('http://127.0.0.1:1/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${next.origin}/notes">Notes</a>` }),
    );
    await page.goto('http://127.0.0.1:1/');
    await page.getByText('Notes').click();
    await page.getByLabel('Name').waitFor();
    // A sign-out in another tab, and the Back button.
    const other = await open({}, opened);
    await other.page.goto(next.origin);
    await signOut(other, 'Bob');
    await page.waitForURL('**/sign-in?next=/notes');
    await page.goBack();
    await page.waitForLoadState();
    expect(await page.content()).not.toContain(email);
  },
);

test.skipIf(folder === undefined)(
  'requests at once with an expired token are all answered, and set the same cookie',
  async () => {
    const email = 'eve@example.com';
    const opened = await open();
    await opened.page.goto(`${next.origin}/sign-in`);
    await signIn(opened, email);
    await opened.page.getByText('The server has rendered').waitFor();
    const headers = { cookie: await cookieOf(opened) };
    expire();
    const paths = ['/', '/notes', '/api/me', '/', '/notes', '/api/me', '/_not-found'];
    const responses = await Promise.all(
      paths.map((path) => fetch(next.origin + path, { headers })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 404]);
    const session = (response: Response) => response.headers.getSetCookie().join();
    expect(new Set(responses.map(session)).size).toBe(1);
    expect(responses.map((each) => each.headers.get('cache-control'))).toEqual(
      paths.map(() => 'private, no-store'),
    );
    expect(await responses[2]?.json()).toMatchObject({ email });
  },
);

test.skipIf(folder === undefined)(
  'another origin makes no change with the cookie, and no sign-in leads to it',
  async () => {
    const opened = await open();
    await opened.page.goto(`${next.origin}/sign-in`);
    await signIn(opened, 'mallory@example.com');
    await opened.page.getByText('The server has rendered').waitFor();
    const cookie = await cookieOf(opened);
    const post = async (from: string | undefined) =>
      (
        await fetch(`${next.origin}/notes`, {
          method: 'POST',
          headers: { cookie, ...(from !== undefined && { origin: from }) },
        })
      ).status;
    expect(await post('https://evil.example')).toBe(403);
    expect(await post(undefined)).toBe(403);
    expect(await post(next.origin)).not.toBe(403);
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
    ]) {
      await opened.page.goto(`${next.origin}/sign-in?next=${encodeURIComponent(path)}`);
      await opened.page.waitForURL(`${next.origin}/`);
    }
  },
);
