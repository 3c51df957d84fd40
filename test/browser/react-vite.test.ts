import { expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { expectAccessible, expectNoSideScroll, type Opened, useBrowser } from './browser.ts';
import { serveReactExample } from './react-stage.ts';

const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const people = await signInProject(world, { hosted_pages: true });
const { project_id } = people;
const origin = await serveReactExample({ url: world.url, projectId: project_id });
await world.operate({
  action: 'update',
  project_id,
  invitation_base_url: `${origin}/join`,
});
await world.operate({
  ...{ action: 'create-client', project_id, client: 'web', client_name: 'Engines' },
  redirect_uris: [`${origin}/callback`],
});
const { open } = useBrowser();

async function signIn({ page }: Opened, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByText('We have sent a code').waitFor();
  await page.getByLabel('Code').fill(await people.mailed(email));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a user signs in, invites another user, who joins, and changes their role', async () => {
  const ada = await open({ width: 390 });
  await ada.page.goto(origin);
  await signIn(ada, 'ada@example.com');
  await ada.page.getByText('You are in no workspace yet.').waitFor();
  // The product's backend creates the workspaces of its users.
  const owner = await people.signInByCode('ada@example.com');
  await world.workspace({ owner, name: 'Engines & Co' });
  await ada.page.reload();
  await ada.page.getByText('Members: 1 member').waitFor();
  await ada.page.getByLabel('E-mail to invite').fill('grace@example.com');
  await ada.page.getByRole('button', { name: 'Invite' }).click();
  await ada.page.getByText('grace@example.com has a mail.').waitFor();

  const mail = await people.mailTo('grace@example.com');
  const [link = ''] = /http:\S+#token=\S+/.exec(mail?.text ?? '') ?? [];
  expect(link).toContain(`${origin}/join?`);
  const grace = await open({ width: 390, dark: true });
  await grace.page.goto(link);
  await signIn(grace, 'grace@example.com');
  await grace.page.getByText('You are signed in as grace@example.com.').waitFor();
  expect(grace.page.url()).not.toContain('token');
  await grace.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await grace.page.getByText('Members: 2 members').waitFor();
  await expectAccessible(grace);
  await expectNoSideScroll(grace);

  await ada.page.reload();
  await ada.page.getByLabel('Role of grace@example.com').selectOption('Admin');
  await expect
    .poll(() => ada.page.getByLabel('Role of grace@example.com').inputValue())
    .toBe('admin');
  await expectAccessible(ada);
  await ada.page.getByRole('button', { name: 'Account of ada@example.com' }).click();
  await ada.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await ada.page.getByLabel('E-mail').waitFor();
  await expectAccessible(ada);
});

test('the hosted pages sign in, and lead back to the application', async () => {
  await people.signUp('lin@example.com');
  const lin = await open({ width: 390 });
  const { page, problems } = lin;
  await page.goto(origin);
  await page.getByRole('button', { name: "Sign in on the service's own page" }).click();
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  expect(new URL(page.url()).origin).toBe(world.url);
  await page.getByLabel('E-mail').fill('lin@example.com');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('You are in no workspace yet.').waitFor();
  expect(page.url()).toBe(`${origin}/`);
  // The hosted page checks for a session.
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
  await page.reload();
  await page.getByRole('button', { name: 'Account of lin@example.com' }).waitFor();

  // The response of another user's sign-in signs nobody in.
  await page.goto(`${origin}/callback?code=stolen&state=none`);
  await page.getByRole('alert').filter({ hasText: 'state_mismatch' }).waitFor();
  await expectAccessible(lin);
  await expectNoSideScroll(lin);
});

test('a path that names another host does not lead there after the sign-in', async () => {
  await people.signUp('eve@example.com');
  const { page, problems } = await open();
  await page.goto(`${origin}//evil.example`);
  await page.getByRole('button', { name: "Sign in on the service's own page" }).click();
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('E-mail').fill('eve@example.com');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('You are in no workspace yet.').waitFor();
  expect(page.url()).toBe(`${origin}//evil.example`);
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('a browser without storage is not sent to the hosted pages, and shows why', async () => {
  const opened = await open({ width: 390 });
  await opened.page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError'); },
  })`);
  await opened.page.goto(origin);
  await opened.page.getByRole('button', { name: "Sign in on the service's own page" }).click();
  await opened.page.getByRole('alert').filter({ hasText: 'storage_unavailable' }).waitFor();
  await expectAccessible(opened);
  expect(opened.page.url()).toBe(`${origin}/`);
});
