/** @module-tag alone */
import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, field, follow, heading, press, says } from './hosted-stage.ts';
import { signedIn, startRedirectStage } from './redirect-application.ts';

const { origin, stage } = await startRedirectStage();
const { world, people, project_id, at, linkTo, signIn, arrive } = stage;
const { open } = useBrowser();

/** Records the URLs and response bodies of the browser, which its scripts could read. */
function listen({ context }: Opened) {
  const urls: string[] = [];
  const bodies: Promise<[string, string]>[] = [];
  const read = async (response: Response): Promise<[string, string]> => [
    new URL(response.url()).pathname,
    // A redirect has no body, and that of a left page is no longer available.
    await response.text().catch(() => ''),
  ];
  context.on('request', (request) => urls.push(request.url()));
  context.on('response', (response) => bodies.push(read(response)));
  return { urls, bodies: () => Promise.all(bodies) };
}
const tokenIn = async ({ context }: Opened): Promise<string> =>
  (await context.cookies(world.url))[0]?.value ?? '';

test('a user signs in, signs in silently, signs in again with the password, and signs out', async () => {
  await people.signUp('ada@example.com');
  const ada = await open({ width: 390 });
  const { page, context } = ada;
  const traffic = listen(ada);
  await page.goto(`${origin}/?tab=2`);
  await says(ada, 'Nobody has signed in.');
  await press(ada, 'Ask silently');
  await says(ada, 'RedirectError: login_required');
  expect(page.url()).toBe(`${origin}/`);
  await press(ada, 'Sign in');
  await heading(ada, 'Sign in');
  expect(new URL(page.url()).pathname).toBe(`/pages/${project_id}/sign-in`);
  await expectWellMade(ada, 'redirect-sign-in');
  await signIn(ada, 'ada@example.com', 'not her password');
  await says(ada, 'The e-mail or the password is wrong.');
  await signIn(ada, 'ada@example.com');
  await says(ada, signedIn('ada@example.com'));
  allow(ada, '401');
  // Nothing in the address can be used again.
  expect(page.url()).toBe(`${origin}/`);

  const cookies = await context.cookies(world.url);
  expect(cookies).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Lax' })]);
  const first = await tokenIn(ada);
  expect(first.length).toBeGreaterThan(40);

  await page.reload();
  await says(ada, 'Nobody has signed in.');
  await press(ada, 'Sign in');
  await says(ada, signedIn('ada@example.com'));
  await press(ada, 'Ask silently');
  await says(ada, signedIn('ada@example.com', 'undefined'));

  await press(ada, 'Sign in anew');
  await heading(ada, 'Sign in');
  await field(ada, 'Password').waitFor();
  await signIn(ada, 'ada@example.com');
  await says(ada, signedIn('ada@example.com', 'undefined'));
  const second = await tokenIn(ada);

  await page.goto(at('account'));
  await says(ada, 'This browser');
  expect(await page.evaluate('document.cookie')).toBe('');
  const third = await tokenIn(ada);
  expect(new Set([first, second, third]).size).toBe(3);

  // The cookie's token appeared only in the sign-in response, and no token ever appeared in an address.
  const bodies = (await traffic.bodies()).filter(([path]) => path !== '/sessions/password');
  for (const token of [first, second, third]) {
    expect(bodies.filter(([, body]) => body.includes(token))).toEqual([]);
    expect(traffic.urls.filter((url) => url.includes(token))).toEqual([]);
  }
  const issued = bodies.flatMap(([path, body]) =>
    path === '/token' ? [JSON.parse(body || '{}').refresh_token as string] : [],
  );
  expect(issued.filter(Boolean)).toHaveLength(4);
  expect(
    traffic.urls.filter((url) => issued.some((token) => token && url.includes(token))),
  ).toEqual([]);

  await page.goto(`${origin}/`);
  await says(ada, 'Nobody has signed in.');
  await press(ada, 'Sign out');
  await expect.poll(() => context.cookies(world.url)).toEqual([]);
  await page.waitForURL(`${origin}/`);
  await says(ada, 'Nobody has signed in.');
  await press(ada, 'Ask silently');
  await says(ada, 'RedirectError: login_required');
  allow(ada, '401');
});

test('without sign-up, the page for prompt=create leads to the sign-in and keeps the request', async () => {
  const closed = await world.newProject({ hosted_pages: true, password_sign_in: true });
  const request = { client_id: `${closed.project_id}.web`, prompt: 'create' };
  const search = new URLSearchParams(request).toString();
  const eve = await open({ width: 390 });
  await eve.page.goto(`${world.url}/pages/${closed.project_id}/sign-up?${search}`);
  await says(eve, 'Accounts cannot be created here.');
  await expectWellMade(eve, 'redirect-sign-up-disabled');
  await follow(eve, 'Sign in instead');
  await heading(eve, 'Sign in');
  const { pathname, searchParams } = new URL(eve.page.url());
  expect([pathname, String(searchParams)]).toEqual([`/pages/${closed.project_id}/sign-in`, search]);
  allow(eve, '401');
});

/**
 * A tab that waits on the sign-in page for the application. A redirect URI without https always gets `prompt=login`,
 * which `anew` keeps.
 */
async function startWaiting({ anew = false } = {}): Promise<Opened> {
  const waiting = await open();
  const { page } = waiting;
  await page.goto(`${origin}/`);
  await press(waiting, 'Sign in');
  await heading(waiting, 'Sign in');
  const url = new URL(page.url());
  expect(url.searchParams.get('prompt')).toBe('login');
  if (!anew) url.searchParams.delete('prompt');
  await page.goto(url.href);
  await field(waiting, 'Password').waitFor();
  allow(waiting, '401');
  return waiting;
}
const comeBackTo = ({ page }: Opened) => page.evaluate("dispatchEvent(new Event('focus'))");

test('a waiting page continues when the user signs in in another tab', async () => {
  const { email } = await people.signUp('lea@example.com');
  const waiting = await startWaiting();
  const idle = await open({}, waiting);
  await idle.page.goto(at('sign-in'));
  await field(idle, 'Password').waitFor();
  await arrive(await open({}, waiting), email, at('account'));
  await comeBackTo(waiting);
  await says(waiting, signedIn(email));
  expect(waiting.page.url()).toBe(`${origin}/`);
  await comeBackTo(idle);
  await heading(idle, 'Account');
  allow(idle, '401');
});

test('if the application requires a new sign-in, a sign-in in another tab is not enough', async () => {
  const { email } = await people.signUp('mia@example.com');
  const waiting = await startWaiting({ anew: true });
  await field(waiting, 'Password').fill('typed before');
  await arrive(await open({}, waiting), email, at('account'));
  await comeBackTo(waiting);
  await waiting.page.getByRole('link', { name: 'Sign out' }).waitFor();
  expect(await field(waiting, 'Password').inputValue()).toBe('typed before');
  await signIn(waiting, email);
  await says(waiting, signedIn(email));
});

test('a page that mailed a link does not continue the request that the link has completed', async () => {
  const email = 'nora@example.com';
  const waiting = await startWaiting();
  await press(waiting, 'Use a link by e-mail');
  await field(waiting, 'E-mail').fill(email);
  await press(waiting, 'Send me a link');
  await says(waiting, `We have sent a link to ${email}.`);
  const tab = await open({}, waiting);
  await tab.page.goto(await linkTo(email));
  await press(tab, 'Sign in');
  await says(tab, signedIn(email));
  // The application has redeemed a code, and would refuse a second one.
  const { urls } = listen(waiting);
  await comeBackTo(waiting);
  await heading(waiting, 'Account');
  expect(urls.filter((url) => url.includes('/authorize'))).toEqual([]);
  allow(tab, '401');
});

test('a response that this browser has not requested signs no user in (login CSRF)', async () => {
  // Mallory gets a code for her own account and makes the victim open it (login CSRF).
  await people.signUp('mallory@example.com');
  const mallory = await open();
  await mallory.page.route(`${origin}/?*`, (route) => route.abort('aborted'));
  const callback = mallory.page.waitForRequest((request) =>
    request.url().startsWith(`${origin}/?`),
  );
  await mallory.page.goto(`${origin}/`);
  await press(mallory, 'Sign in');
  await heading(mallory, 'Sign in');
  await signIn(mallory, 'mallory@example.com');
  const url = (await callback).url();
  expect(url).toContain('code=');
  allow(mallory, '401');

  const victim = await open();
  await victim.page.goto(url);
  await says(victim, 'RedirectError: state_mismatch');
  expect(victim.page.url()).toBe(`${origin}/`);
  // The same while this tab has a sign-in of its own in progress.
  await press(victim, 'Sign in');
  await field(victim, 'Password').waitFor();
  allow(victim, '401');
  await victim.page.goto(url);
  await says(victim, 'RedirectError: state_mismatch');
  expect(await victim.context.cookies()).toEqual([]);
});

test('a request that leads nowhere is a page that says why, and whom to ask', async () => {
  const opened = await open({ width: 390 });
  const parameters = { client_id: `${project_id}.web`, redirect_uri: 'https://evil.example/' };
  const search = new URLSearchParams(parameters).toString();
  for (const [path, reason] of [
    [`/authorize?${search}`, 'redirect_uri: Must be one that the client has registered'],
    ['/logout', 'Neither client_id nor a valid id_token_hint names a client'],
  ] as const) {
    const answer = await opened.page.goto(`${world.url}${path}`);
    expect(answer?.status(), path).toBe(400);
    await heading(opened, 'This page cannot be shown');
    await says(opened, reason);
    await says(opened, 'ask the people who run that application for help');
    await expectWellMade(opened, `nowhere-${path.slice(1, 5)}`);
  }
  allow(opened, '400');
});
