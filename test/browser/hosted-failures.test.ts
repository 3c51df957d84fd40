import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PageName } from '../../shared/contract/pages.ts';
import { serve } from '../support/serve.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { allow, field, press, says, settled, startHostedStage, visit } from './hosted-stage.ts';

/** The hosted pages when the network fails, or when another page tries to frame them. */
const { world, enterAs, people, at } = await startHostedStage();
const ada = await people.signUp('ada@example.com');
const { workspace_id } = await world.workspace({ owner: ada, name: 'Engines' });
const bea = await people.signUp('bea@example.com');
const looms = await world.workspace({ owner: bea, name: 'Looms' });
await world.member(looms, 'admin', ada);
await world.as(bea).ownership.offer({ workspace_id: looms.workspace_id, user_id: ada.uid });
const gates = await world.workspace({ owner: bea, name: 'Gates' });
const { body: joinLink } = await world
  .as(bea)
  .joinLinks.create({ workspace_id: gates.workspace_id, role: 'member' });
const link = new URL(joinLink.url).hash;
const { open } = useBrowser();

type Sending = {
  form: string;
  page: PageName;
  hash?: string;
  /** A button to press first. */
  before?: string;
  fill?: Record<string, string>;
  submit: string;
  sends: string;
  outcome: string;
  /** The status of the error response. */
  status?: string;
  user?: boolean;
  /** A workspace other than the default one. */
  in?: string;
};

describe('a slow and then failing network', () => {
  test.each<[PageName, string | RegExp]>([
    ['sign-in', '**/projects/**'],
    ['account', '**/session/token'],
    ['account', '**/sessions'],
    ['workspaces', /:\d+\/workspaces/],
    ['members', '**/workspaces/*'],
    ['members', '**/users?**'],
    ['ownership', '**/workspaces/*'],
  ])('%s without %s shows an error and a way to try again', async (name, requests) => {
    const opened = await enterAs(await open({ width: 390 }), ada);
    const { page, problems } = opened;
    const slow = Promise.withResolvers<void>();
    const abort = { count: 0 };
    await page.route(requests, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      abort.count += 1;
      await slow.promise;
      return route.abort('connectionreset');
    });
    await page.goto(at(name, { workspace_id }));
    await expect.poll(() => abort.count).toBeGreaterThan(0);
    if (name !== 'sign-in') await page.locator('[aria-busy=true]').first().waitFor();
    await opened.picture(`slow-${name}`);
    slow.resolve();
    await says(opened, 'The service cannot be reached. Are you online?');
    await expectWellMade(opened, `failed-${name}`);
    await page.unroute(requests);
    const again = page.getByRole('button', { name: 'Try again' });
    await vi.waitFor(async () => {
      // One response may fill several sections of a page, whose retry buttons then disappear by themselves.
      if ((await again.count()) > 0) await again.first().click({ timeout: 1_000 });
      await settled(opened);
      expect(await page.getByText('The service cannot be reached').count()).toBe(0);
    }, 20_000);
    expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
  });

  const token = `#token=${'x'.repeat(43)}`;
  const used = { outcome: 'The link was used, has expired', status: '400' };
  /** The request of each form, the fields to fill in before, and the message once the network works. */
  test.each<Sending>([
    {
      ...{ form: 'sign-in', page: 'sign-in', sends: '**/sessions/password', submit: 'Sign in' },
      ...{ fill: { 'E-mail': ada.email, Password: goodPassword }, outcome: 'This browser' },
    },
    {
      ...{ form: 'sign-up', page: 'sign-up', sends: '**/sign-up', submit: 'Send me a link' },
      fill: { 'E-mail': 'new@example.com' },
      outcome: 'We have sent a mail to new@example.com.',
    },
    {
      ...{ form: 'code', page: 'sign-in', sends: '**/codes', submit: 'Send me a code' },
      ...{ before: 'Use a code by e-mail', fill: { 'E-mail': 'code@example.com' } },
      outcome: 'We have sent a code to code@example.com.',
    },
    {
      ...{ form: 'forgotten', page: 'forgotten-password', sends: '**/passwords/forgotten' },
      ...{ submit: 'Send me a link', fill: { 'E-mail': 'old@example.com' } },
      outcome: 'If there is an account for old@example.com',
    },
    {
      ...{ form: 'new-password', page: 'new-password', hash: token, sends: '**/passwords' },
      ...{ submit: 'Set the password', fill: { 'New password': goodPassword }, ...used },
    },
    {
      ...{ form: 'verify', page: 'verify-email', hash: token, sends: '**/confirmation' },
      ...{ user: true, submit: 'Confirm', ...used },
    },
    {
      ...{ form: 'change-email', page: 'change-email', hash: token, sends: '**/confirmation' },
      ...{ user: true, submit: 'Confirm', ...used },
    },
    {
      ...{ form: 'invitation', page: 'invitation', hash: token, sends: '**/invitations/accept' },
      ...{ user: true, submit: 'Accept', ...used },
    },
    {
      ...{ form: 'join', page: 'join', hash: link, sends: '**/workspaces/join', user: true },
      ...{ in: gates.workspace_id, submit: 'Join', outcome: 'You are a member of the workspace.' },
    },
    {
      ...{ form: 'ownership', page: 'ownership', sends: '**/ownership/**', user: true },
      ...{ in: looms.workspace_id, submit: 'Accept', outcome: 'The workspace is yours.' },
    },
    {
      ...{ form: 'sign-out', page: 'sign-out', sends: '**/session', user: true },
      ...{ submit: 'Sign out', outcome: 'You are signed out of this browser.' },
    },
  ])('$form: sends once, keeps what was typed, and works when sent again', async (sending) => {
    const { form, page: name, sends, submit, outcome, status } = sending;
    const { hash = '', before, fill = {} } = sending;
    const opened = await enterAs(await open({ width: 390 }), sending.user ? ada : undefined);
    const { page, problems } = opened;
    await visit(opened, at(name, { workspace_id: sending.in ?? workspace_id }) + hash);
    allow(opened, '401');
    if (before) await press(opened, before);
    const slow = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(sends, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      sent += 1;
      await slow.promise;
      return route.abort('connectionreset');
    });
    for (const [label, text] of Object.entries(fill)) await field(opened, label).fill(text);
    await press(opened, submit);
    await page.locator('button[aria-busy=true]').waitFor();
    // Repeated submits send nothing twice.
    await page.locator('button[aria-busy=true]').press('Enter');
    await expectWellMade(opened, `slow-form-${form}`);
    expect(sent).toBe(1);
    slow.resolve();
    await says(opened, 'The service cannot be reached. Are you online?');
    await expectWellMade(opened, `failed-form-${form}`);
    for (const [label, text] of Object.entries(fill))
      expect(await field(opened, label).inputValue()).toBe(text);
    expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
    await page.unroute(sends);
    await press(opened, submit);
    await says(opened, outcome);
    if (status) allow(opened, status);
  });
});

test('a user signs in and out where the browser denies locks', async () => {
  const opened = await open({ width: 390 });
  const { page } = opened;
  await page.addInitScript(
    `navigator.locks.request = () => Promise.reject(new DOMException('Denied', 'SecurityError'));`,
  );
  await visit(opened, at('sign-in', { workspace_id }));
  allow(opened, '401');
  await field(opened, 'E-mail').fill(ada.email);
  await field(opened, 'Password').fill(goodPassword);
  await press(opened, 'Sign in');
  await says(opened, 'This browser');
  await visit(opened, at('sign-out'));
  await press(opened, 'Sign out');
  await says(opened, 'You are signed out of this browser.');
  expect(await opened.context.cookies()).toEqual([]);
});

test("open pages follow the project's settings: a sign-in method turned off, then all hosted pages", async () => {
  const email = 'cleo@example.com';
  const { project_id, signUp } = await signInProject(world, { hosted_pages: true });
  await signUp(email);
  /** Moves the clock on, because instances cache settings for a minute. */
  const set = async (settings: object) => {
    await world.operate({ action: 'update', project_id, ...settings });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  };
  const opened = await open();
  const { page } = opened;
  // Routed requests bypass the browser's cache, whose clock does not move.
  await page.route('**/projects/*', (route) => route.continue());
  await page.goto(`${world.url}/pages/${project_id}/sign-in`);
  await press(opened, 'Use a code by e-mail');
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a code');
  await field(opened, 'Code').waitFor();
  await set({ code_sign_in: false });
  await page.reload();
  // The requested code is no longer accepted.
  await field(opened, 'Password').fill(goodPassword);
  await field(opened, 'E-mail').fill(email);
  await set({ hosted_pages: false });
  await press(opened, 'Sign in');
  await says(opened, 'There is no such page.');
  expect(page.url()).toContain('/sign-in');
  vi.useRealTimers();
  allow(opened, '401', '404');
});

test.each(['sign-in', 'account'] as const)(
  'a page of an attacker cannot frame %s (clickjacking)',
  async (name) => {
    const attacker = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<!doctype html><title>Win</title><link rel="icon" href="data:,"><iframe src="${at(name)}"></iframe>`,
      );
    }, onTestFinished);
    const opened = await open();
    const { page, problems } = opened;
    await page.goto(attacker);
    await expect.poll(() => problems.join('\n')).toContain('frame-ancestors');
    const frame = page.frames()[1];
    expect(frame?.url()).not.toContain(world.url);
    expect(await frame?.locator('form').count()).toBe(0);
    problems.splice(0);
  },
);
