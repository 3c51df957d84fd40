import { expect, test } from 'vitest';
import { signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { freePort, startExpressExample } from './express-example.ts';

const world = await startWorld({});
const people = await signInProject(world);
const { project_id } = people;
const port = await freePort();
const origin = `http://localhost:${port}`;
const backend = world.as(people.project);
const { body: webhook } = await backend.webhooks.create({ url: `${origin}/webhooks` });
await startExpressExample({
  SERVICE_URL: world.url,
  PROJECT_ID: project_id,
  PORT: String(port),
  WEBHOOK_SECRET: webhook.secret,
});
const { open } = useBrowser();

test('the session is in an HttpOnly cookie, shared by tabs, and the API accepts its token', async () => {
  const opened = await open({ width: 390 });
  const { page, context } = opened;
  await page.goto(origin);
  await page.getByText('Signed out').waitFor();
  // The browser reports the 401 of a signed-out visitor as a failed request.
  expect(opened.problems.splice(0)).toEqual([expect.stringContaining('401')]);
  await expectWellMade(opened, 'express-signed-out');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await people.mailed('ada@example.com'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as ada@example.com').waitFor();
  await page.getByLabel('Note').fill('Look at the engine');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Look at the engine').waitFor();
  await page.getByLabel('Note').fill('engine'.repeat(30));
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('engine'.repeat(30)).waitFor();
  await expectWellMade(opened, 'express-notes');

  const cookies = await context.cookies();
  expect(cookies.find(({ name }) => name === 'session')).toMatchObject({
    httpOnly: true,
    sameSite: 'Strict',
  });
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.reload();
  await page.getByText('Look at the engine').waitFor();

  const other = await open({}, opened);
  await other.page.goto(origin);
  await other.page.getByText('Signed in as ada@example.com').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await other.page.getByText('Signed out').waitFor();
});

/** Opens the page and signs in with a code. */
async function signedIn(email: string): Promise<Opened> {
  const opened = await open({ width: 390 });
  const { page } = opened;
  await page.goto(origin);
  await page.getByLabel('E-mail').fill(email);
  expect(opened.problems.splice(0)).toEqual([expect.stringContaining('401')]);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill(await people.mailed(email));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(`Signed in as ${email}`).waitFor();
  return opened;
}

test.each([
  ['list', undefined],
  ['failure', 401],
])('a %s that arrives after the sign-out is not shown', async (what, status) => {
  const opened = await signedIn(`late.${what}@example.com`);
  const { page, problems } = opened;
  await page.getByLabel('Note').fill('For nobody else');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('For nobody else').waitFor();
  const gone = Promise.withResolvers<void>();
  await page.route('**/api/notes', async (route) => {
    const response = await route.fetch();
    await gone.promise;
    await route.fulfill({ response, ...(status && { status }) });
  });
  await page.reload();
  await page.getByText(`Signed in as late.${what}@example.com`).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Signed out').waitFor();
  const late = page.waitForResponse('**/api/notes');
  gone.resolve();
  await (await late).finished();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
  expect(await page.getByRole('listitem').count()).toBe(0);
  expect(await page.locator('#status').textContent()).toBe('Signed out');
  // The browser reports each 401.
  for (const problem of problems.splice(0)) expect(problem).toContain(`${status}`);
});

test('after a wrong code the user can go back to enter another e-mail', async () => {
  const opened = await open({ width: 390 });
  const { page, problems } = opened;
  await page.goto(origin);
  await page.getByLabel('E-mail').fill('mistyped@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill('no code');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('That did not work').waitFor();
  await expectWellMade(opened, 'express-wrong-code');
  await page.getByRole('button', { name: 'Other e-mail' }).click();
  await page.getByLabel('E-mail').fill('right@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill(await people.mailed('right@example.com'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as right@example.com').waitFor();
  expect(problems.splice(0)).toEqual([
    expect.stringContaining('401'),
    expect.stringContaining('400'),
  ]);
});

test('a sign-out without a connection reports the failure, and can be retried', async () => {
  const { page, problems } = await signedIn('offline@example.com');
  await page.route('**/auth/sign-out', (route) => route.abort());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('That did not work').waitFor();
  await page.unroute('**/auth/sign-out');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Signed out').waitFor();
  for (const problem of problems.splice(0)) expect(problem).toContain('net::ERR_FAILED');
});

test('the API refuses requests without a token, and sessions refuse other origins', async () => {
  expect((await fetch(`${origin}/api/notes`)).status).toBe(401);
  const forged = await fetch(`${origin}/auth/sign-out`, {
    method: 'POST',
    headers: { origin: 'http://evil.example.com', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(forged.status).toBe(403);
});

test('a webhook is accepted only with a signature', async () => {
  const unsigned = await fetch(`${origin}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"type":"user.deleted"}',
  });
  expect(unsigned.status).toBe(401);
  const person = await people.signInByCode('gone@example.com');
  await backend.users.delete({ uid: person.uid });
  await world.drainStream();
  const { webhook_id } = webhook;
  const attempts = (await backend.webhooks.listAttempts({ webhook_id })).body;
  // Events of the same moment may be delivered in any order.
  expect(attempts.result).toContainEqual(
    expect.objectContaining({ type: 'user.deleted', status_code: 204 }),
  );
});
