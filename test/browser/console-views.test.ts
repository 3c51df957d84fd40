import { expect, test } from 'vitest';
import { roleTools } from '../support/roles.ts';
import { expectNoSideScroll, expectWellMade, useBrowser } from './browser.ts';
import { startConsoleStage, startReceiver } from './console-stage.ts';
import { word } from './hard-texts.ts';
import { visit } from './hosted-stage.ts';

/** Every view of the console: with no, one and many rows, on phone and desktop, light and dark. */
const stage = await startConsoleStage();
const { world, project, enter, at, settle } = stage;
const { open } = useBrowser();

const empty = await world.newProject({ name: 'A project with a rather long name, Incorporated' });
const one = await world.newProject({ name: 'One', passkeys: true });
await world.user({ project: one, email: 'ada@example.com' });
const people = [];
for (let i = 0; i < 30; i += 1)
  people.push(
    await world.user({
      project,
      email: `person.number${i}@a-long-company-name.example.com`,
      display_name: i % 3 === 0 ? '' : `Person Number ${i}`,
      verified: i % 2 === 0,
    }),
  );
const [owner, admin] = people;
if (!owner || !admin) throw new Error('There are people.');
const workspace = await world.workspace({ owner, name: 'Engines and other Machines' });
for (const person of people.slice(1, 28))
  await world.member(workspace, person === admin ? 'admin' : 'member', person);
await world.invited(workspace);
const ofWorkspace = { workspace_id: workspace.workspace_id };
const domain = 'a-long-company-name.example.com';
await world.as(project.basic).domains.set({ ...ofWorkspace, domain, mode: 'suggest' });
const requester = { email: `somebody.who.asks@${domain}`, verified: true };
await world
  .as(await world.user({ project, ...requester }))
  .joinRequests.create({ ...ofWorkspace, message: 'I am new in the team of the engines.' });
const { define } = roleTools(world, project);
for (let i = 0; i < 20; i += 1)
  await define(`role-${i}`, [`resource-${i}:read`, `resource-${i}:change-with-a-long-name`], {
    ...(i % 2 === 0 && { name: `${word} ${i}`, description: `Of the ${word}` }),
    ...(i > 0 && { inherits: ['role-0'] }),
  });
await world
  .as(project.basic)
  .permissions.set({ permission: 'resource-0:read', description: `See ${word}` });
const { permissions } = (await world.as(owner).permissions.listOfCaller(ofWorkspace)).body;
for (let i = 0; i < 20; i += 1)
  await world.as(owner).workspaceKeys.create({
    ...ofWorkspace,
    ...{
      name: i % 2 === 0 ? word : 'CI',
      ...(i % 3 === 0 && { permissions: permissions.slice(0, i + 1) }),
    },
    ...(i % 4 === 0 && { expires_in: 86_400 }),
  });
const bare = await world.workspace({ owner, name: 'Without keys' });
const receiver = await startReceiver();
const hooks = world.as(project.basic).webhooks;
const { body: hook } = await hooks.create({ url: receiver.url });
await world.user({ project, email: 'arrives@example.com' });
await settle();
receiver.answer(500);
await world.user({ project, email: 'fails@example.com' });
await settle();

const nobody = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06';
const addresses = {
  projects: '/',
  overview: at(),
  users: at('/users'),
  search: at('/users?query=person.number1'),
  import: at('/import'),
  user: at(`/users/${owner.uid}`),
  'no-user': at(`/users/${nobody}`),
  workspaces: at('/workspaces'),
  workspace: at(`/workspaces/${workspace.workspace_id}`),
  invitations: at(`/workspaces/${workspace.workspace_id}?tab=invitations`),
  requests: at(`/workspaces/${workspace.workspace_id}?tab=requests`),
  domains: at(`/workspaces/${workspace.workspace_id}?tab=domains`),
  keys: at(`/workspaces/${workspace.workspace_id}?tab=keys`),
  'no-keys': at(`/workspaces/${bare.workspace_id}?tab=keys`),
  log: at(`/workspaces/${workspace.workspace_id}?tab=log`),
  roles: at('/roles'),
  events: at('/events'),
  webhooks: at('/webhooks'),
  webhook: at(`/webhooks/${hook.webhook_id}`),
  settings: at('/settings'),
  mails: '/mails',
  'empty-overview': `/projects/${empty.project_id}`,
  'empty-users': `/projects/${empty.project_id}/users`,
  'empty-events': `/projects/${empty.project_id}/events`,
  'empty-roles': `/projects/${empty.project_id}/roles`,
  'one-users': `/projects/${one.project_id}/users`,
  nothing: '/projects/acme/nothing',
};

test('every page of the console passes the checks in every view', {
  timeout: 240_000,
}, async () => {
  const opened = await enter(await open());
  for (const [name, address] of Object.entries(addresses)) {
    await visit(opened, `${stage.origin}${address}`);
    await expectWellMade(opened, `console-${name}`);
  }
  expect(opened.problems).toEqual([]);
});

/** What each table lacks: the titles of columns whose cells are not there, or have no title of their own beside them. */
const missingInTables = `[...document.querySelectorAll('table:has(thead)')].flatMap((table) => {
  const titles = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent);
  return [...table.tBodies[0].rows].flatMap(({ cells }) => titles.filter((title, i) =>
    !cells[i].checkVisibility() || cells[i].clientWidth < 100 ||
    (title !== 'Actions' && getComputedStyle(cells[i], '::before').content.split('"')[1] !== title)));
})`;

test('at 320 pixels, as at a zoom of 400 %, every column is visible and nothing is wider than the window', async () => {
  const opened = await enter(await open());
  const { page } = opened;
  let count = 0;
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [name, address] of Object.entries(addresses)) {
    await visit(opened, `${stage.origin}${address}`);
    await opened.picture(`console-${name}-narrow`);
    expect(await page.evaluate(missingInTables), name).toEqual([]);
    count += (await page.evaluate(
      `document.querySelectorAll('table:has(thead)').length`,
    )) as number;
    await expectNoSideScroll(opened);
  }
  expect(count).toBeGreaterThan(10);
  // The titles are those of columns to a screen reader too.
  await visit(opened, `${stage.origin}${at('/users')}`);
  await page.getByRole('columnheader', { name: 'Last sign-in' }).waitFor({ state: 'attached' });
  await page.getByRole('cell', { name: 'person.number29@' }).first().waitFor();
  await visit(opened, `${stage.origin}${addresses.projects}`);
  await page.getByRole('row', { name: /^One .* passkey / }).waitFor();
});

test('a phone that doubles the text shows every control, which a finger hits, and iOS enlarges no field', async () => {
  const opened = await enter(await open({ width: 390 }));
  const { page, context } = opened;
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const controls =
    'button, header a, nav a, input:not([type=checkbox], [type=radio], [type=hidden]), .mantine-Checkbox-body, .mantine-Switch-body';
  const tooSmall = `[...document.querySelectorAll('${controls}')].filter((each) => each.checkVisibility() &&
    !each.closest('[inert], .mantine-MultiSelect-root') &&
    (each.offsetHeight < 44 || each.matches('input') && parseFloat(getComputedStyle(each).fontSize) < 16))
    .map((each) => each.offsetHeight + ' ' + each.outerHTML.slice(0, 80))`;
  for (const name of [
    'overview',
    'users',
    'user',
    'workspace',
    'events',
    'settings',
    'roles',
  ] as const) {
    await visit(opened, `${stage.origin}${addresses[name]}`);
    expect(await page.evaluate(tooSmall), name).toEqual([]);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    await opened.picture(`console-${name}-double`);
    await expectNoSideScroll(opened);
  }
  await visit(opened, `${stage.origin}${addresses.overview}`);
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor();
  // The exact time names its zone.
  await visit(opened, `${stage.origin}${addresses.user}`);
  await expect.poll(() => page.locator('time').first().getAttribute('title')).toMatch(/UTC|GMT/);
});

test('dialogs pass the checks and can be used with the keyboard only', async () => {
  const opened = await enter(await open(), at(`/users/${owner.uid}`));
  const { page } = opened;
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete this user?' });
  await dialog.waitFor();
  await expectWellMade(opened, 'console-delete');
  // The focus is on the confirmation field; nothing is deleted before it is filled in.
  await page.keyboard.press('Enter');
  await page.keyboard.type('not the e-mail');
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Delete');
  await page.getByRole('button', { name: 'Act as' }).press('Enter');
  await page.getByRole('dialog', { name: /^Act as/ }).waitFor();
  await expectWellMade(opened, 'console-act-as');
  await page.keyboard.press('Escape');
  await page.goto(`${stage.origin}${at('/roles')}`);
  await page
    .getByRole('row', { name: /role-2/ })
    .first()
    .getByRole('button', { name: 'Change' })
    .press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await expectWellMade(opened, 'console-role');
});

test('an unknown tab or number of days shows the default, and an expired page of a list shows a message', async () => {
  const opened = await enter(await open(), `${addresses.workspace}?tab=foo`);
  const { page, allowed } = opened;
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Members');
  await page.getByRole('table', { name: 'Members' }).waitFor();
  allowed.push('422', '400');
  await visit(opened, `${stage.origin}${at('/users?query=person&cursor=gone')}`);
  await page.getByRole('alert').getByText('This page of the list no longer exists').waitFor();
  await expectWellMade(opened, 'console-no-page');
  await page.getByRole('button', { name: 'First page' }).click();
  await page.getByRole('table', { name: 'Users' }).waitFor();
  expect(new URL(page.url()).search).toBe('?query=person');
  await visit(opened, `${stage.origin}${addresses.overview}?days=foo`);
  await page.getByText('New users').first().waitFor();
  expect(await page.getByRole('radio', { name: '30 days' }).isChecked()).toBe(true);
});

test('where the browser refuses to copy, the text is selected and a message says so', async () => {
  const opened = await enter(await open(), at(`/users/${owner.uid}`));
  const { page } = opened;
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
  await page.getByRole('button', { name: 'Copy the id' }).first().click();
  await page.getByText('The browser did not copy it. It is selected: copy it by hand.').waitFor();
  expect(await page.evaluate('String(getSelection())')).toBe(owner.uid);
  await expectWellMade(opened, 'console-not-copied');
});

test('in a contrast theme of the system, which leaves no backgrounds, what is on, chosen or focused is visible', async () => {
  const opened = await enter(await open());
  const { page } = opened;
  await page.emulateMedia({ forcedColors: 'active' });
  const style = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
  await visit(opened, `${stage.origin}${addresses.settings}`);
  const track = (state: string) => `.mantine-Switch-input${state} + .mantine-Switch-track`;
  expect(await style(track(':checked'), 'backgroundColor')).not.toBe(
    await style(track(':not(:checked)'), 'backgroundColor'),
  );
  expect(await style(track(':not(:checked)'), 'borderTopStyle')).toBe('solid');
  expect(await style('nav [aria-current]', 'textDecorationLine')).toBe('underline');
  await page.getByRole('combobox', { name: 'Language of mails' }).focus();
  await page.keyboard.press('Tab');
  expect(await style(':focus', 'outlineStyle')).toBe('solid');
  await visit(opened, `${stage.origin}${addresses.workspace}`);
  expect(await style('[role=tab][aria-selected=true]', 'textDecorationLine')).toBe('underline');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await style('[role=dialog]', 'borderTopStyle')).toBe('solid');
});
