import { expect, test } from 'vitest';
import { limits } from '../../shared/model/limits.ts';
import { roleTools } from '../support/roles.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { word } from './hard-texts.ts';
import {
  allow,
  field,
  follow,
  press,
  says,
  settled,
  startHostedStage,
  unfold,
  visit,
} from './hosted-stage.ts';

/** API keys on the hosted pages: of a user in the account, and of a workspace. Programs use them over HTTP. */
const { world, people, at, enterAs } = await startHostedStage();
const { define } = roleTools(world, people.project);
const { open } = useBrowser();

/** The status that the service answers to a request with the key. */
const statusBy = async (key: string, path: string): Promise<number> =>
  (await fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
/** The key that the page shows, once it differs from `before`. */
const shownKey = async ({ page }: Opened, before = ''): Promise<string> => {
  const code = page.locator('.made code');
  await expect.poll(() => code.textContent()).not.toBe(before);
  return (await code.textContent()) ?? '';
};

test('a user creates, copies, rotates, renames and revokes an API key in the account', async () => {
  const ada = await people.signUp('ada@example.com');
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Engines' });
  const opened = await enterAs(await open({ width: 390 }), ada);
  const { page, context } = opened;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(opened, at('account'));
  await says(opened, 'There are no API keys.');
  await unfold(opened, 'Create an API key');
  await press(opened, 'Create');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  await field(opened, 'Name').fill('nightly');
  await press(opened, 'Create');
  await says(opened, 'This is the key nightly. It is shown only now.');
  const first = await shownKey(opened);
  expect(first).toMatch(/^wuk_[\w-]{92}$/);
  // A screen reader announces it.
  expect(await page.evaluate('document.activeElement.textContent')).toContain('This is the key');
  // Where the browser refuses, or a page that came by http has no clipboard, the key is selected.
  const refusing = `{ writeText: () => Promise.reject(new Error('refused')) }`;
  for (const clipboard of ['undefined', refusing]) {
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: ${clipboard}, configurable: true })`,
    );
    await page.getByRole('button', { name: 'Copy nightly' }).click();
    await says(opened, 'Copy it by hand');
    expect(await page.evaluate('String(getSelection())')).toBe(first);
    await page.evaluate('delete navigator.clipboard');
    await page.getByRole('button', { name: 'Copy nightly' }).click();
    await says(opened, 'Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
  }
  await expectWellMade(opened, 'account-key-made');
  await press(opened, 'I have copied it');
  expect(await page.content()).not.toContain(first);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Create an API key');
  expect(await statusBy(first, '/users/me')).toBe(200);
  expect(await statusBy(first, `/workspaces/${workspace_id}`)).toBe(200);

  await page.getByText('Change nightly').click();
  await press(opened, 'Rotate');
  const second = await shownKey(opened);
  await says(opened, /the previous key works until/);
  expect(second).not.toBe(first);
  expect(await statusBy(first, '/users/me')).toBe(200);
  expect(await statusBy(second, '/users/me')).toBe(200);
  await field(opened, 'The previous key works for').selectOption('It ends at once');
  await press(opened, 'Rotate');
  const third = await shownKey(opened, second);
  expect(await statusBy(second, '/users/me')).toBe(401);
  expect(await statusBy(third, '/users/me')).toBe(200);

  const row = page.getByRole('listitem').filter({ hasText: 'nightly' });
  await row.getByLabel('Name').fill('weekly');
  await row.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Revoke weekly' }).click();
  await says(opened, 'Revoke weekly? Programs that use it stop at once.');
  await expectWellMade(opened, 'account-key-revoke');
  await press(opened, 'Cancel');
  expect(await statusBy(third, '/users/me')).toBe(200);
  await page.getByRole('button', { name: 'Revoke weekly' }).click();
  await press(opened, 'Revoke');
  await says(opened, 'There are no API keys.');
  expect(await page.locator('.made').count()).toBe(0);
  expect(await statusBy(third, '/users/me')).toBe(401);
});

test('a key is limited to the chosen permissions; those that no key can have are not offered', async () => {
  const bea = await people.signUp('bea@example.com');
  const { workspace_id } = await world.workspace({ owner: bea, name: 'Looms' });
  const opened = await enterAs(await open(), bea);
  const { page } = opened;
  await visit(opened, at('account'));
  await unfold(opened, 'Create an API key');
  await field(opened, 'Name').fill('log');
  await field(opened, 'What it may do').selectOption('Only what you choose');
  await press(opened, 'Create');
  await says(opened, 'Choose what the key may do.');
  await field(opened, 'See the log event:list').check();
  await field(opened, 'See the workspace workspace:read').check();
  await expectWellMade(opened, 'account-key-permissions');
  // An API key can neither create keys nor own a workspace, so these permissions are not offered.
  expect(await page.getByLabel(/\b(?:api-key|ownership):/).count()).toBe(0);
  await press(opened, 'Create');
  const key = await shownKey(opened);
  await says(opened, 'See the log, See the workspace');
  // Also before anybody opens the form; and where the words do not come, the ids stand for them.
  await visit(opened, at('account'));
  await says(opened, 'See the log, See the workspace');
  await page.route('**/permissions-*.js', (route) => route.abort());
  await visit(opened, at('account'));
  await says(opened, 'event:list, workspace:read');
  for (const problem of opened.problems.splice(0))
    expect(problem).toMatch(/FAILED.*permissions-en/);
  expect(await statusBy(key, `/workspaces/${workspace_id}/events`)).toBe(200);
  expect(await statusBy(key, `/workspaces/${workspace_id}/invitations`)).toBe(403);
});

test('a role that manages API keys has a page for them, and grants only permissions that it has', async () => {
  const keeper = await define('keeper', ['api-key:manage', 'safe:open'], {
    name: 'Keeper of keys',
  });
  const carl = await people.signUp('carl@example.com');
  const dora = await people.signUp('dora@example.com');
  const emil = await people.signUp('emil@example.com');
  const place = await world.workspace({ owner: carl, name: 'Safes' });
  const { workspace_id } = place;
  await world.member(place, keeper, dora);
  await world.member(place, 'member', emil);
  const opened = await enterAs(await open(), dora);
  await visit(opened, at('members', { workspace_id }));
  await says(opened, 'Keeper of keys · you');
  await follow(opened, 'API keys');
  await says(opened, 'There are no API keys.');
  await unfold(opened, 'Create an API key');
  await field(opened, 'Name').fill('door');
  expect(await field(opened, 'What it may do').locator('option').allTextContents()).toEqual([
    'What a member may do',
    'Only what you choose',
  ]);
  await field(opened, 'What it may do').selectOption('Only what you choose');
  await field(opened, 'safe:open').check();
  await field(opened, 'See a member member:read').check();
  // The service decides by the current permissions of the role.
  await define(keeper, ['api-key:manage'], { name: 'Keeper of keys' });
  await press(opened, 'Create');
  await says(opened, 'Your role lacks: safe:open');
  allow(opened, '403');
  await expectWellMade(opened, 'workspace-key-refused');
  await define(keeper, ['api-key:manage', 'safe:open'], { name: 'Keeper of keys' });
  await press(opened, 'Create');
  const key = await shownKey(opened);
  expect(key).toMatch(/^wwk_/);
  const verification = { key, workspace_id };
  const { body } = await world.as(people.project).apiKeys.verify(verification);
  expect(body).toMatchObject({ valid: true, permissions: ['member:read', 'safe:open'] });
  expect(await statusBy(key, `/workspaces/${workspace_id}/users/${carl.uid}`)).toBe(200);
  expect(await statusBy(key, `/workspaces/${workspace_id}/events`)).toBe(403);

  // The owner sees the key and revokes it.
  const owner = await enterAs(await open({ width: 390, dark: true }), carl);
  await visit(owner, at('api-keys', { workspace_id }));
  await owner.page.getByRole('button', { name: 'Revoke door' }).click();
  await press(owner, 'Revoke');
  await says(owner, 'There are no API keys.');
  expect(await statusBy(key, `/workspaces/${workspace_id}/users/${carl.uid}`)).toBe(401);

  // A plain member cannot open the page.
  const plain = await enterAs(await open(), emil);
  await visit(plain, at('members', { workspace_id }));
  expect(await plain.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await visit(plain, at('api-keys', { workspace_id }));
  await says(plain, 'You are not allowed to do this.');
  await expectWellMade(plain, 'workspace-keys-forbidden');
  const stranger = await enterAs(await open(), await people.signUp('stranger@example.com'));
  await visit(stranger, at('api-keys', { workspace_id }));
  await says(stranger, 'There is no such thing, or you may not see it.');
  allow(stranger, '404');
});

test('the maximum number of keys with long names passes the checks, and one more is refused', async () => {
  const fred = await people.signUp('fred@example.com');
  const { workspace_id } = await world.workspace({ owner: fred, name: `A ${word}` });
  const own = (await world.as(fred).permissions.listOfCaller({ workspace_id })).body.permissions;
  const asFred = world.as(fred);
  for (let number = 0; number < limits.apiKeys.perOwner; number += 1) {
    const name = number % 2 === 0 ? word : 'מפתח';
    const permissions = number % 3 === 0 ? { permissions: own.slice(0, number + 1) } : {};
    const end = number % 4 === 0 ? { expires_in: 86_400 } : {};
    const attributes = { name, ...permissions, ...end };
    expect((await asFred.apiKeys.create(attributes)).status).toBe(201);
    expect((await asFred.workspaceKeys.create({ workspace_id, ...attributes })).status).toBe(201);
  }
  const opened = await enterAs(await open(), fred);
  const { page } = opened;
  for (const name of ['account', 'api-keys'] as const) {
    await visit(opened, at(name, { workspace_id, ui_locales: 'de' }));
    await expect.poll(() => page.getByText(word).count()).toBeGreaterThan(5);
    await expectWellMade(opened, `keys-many-${name}`);
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    await page.getByLabel('Was er darf').selectOption('chosen');
    await settled(opened);
    await expectWellMade(opened, `keys-unfolded-${name}`);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    await expectWellMade(opened, `keys-right-to-left-${name}`);
  }
  await page.evaluate(`document.documentElement.dir = 'ltr'`);
  await page.getByLabel('Name', { exact: true }).last().fill('one more');
  await page.getByLabel('Arbeitsbereich sehen workspace:read', { exact: true }).check();
  await opened.picture('keys-new', 'window');
  await press(opened, 'Erstellen');
  await says(opened, /^Mehr Schlüssel/);
  allow(opened, '409');
});

test('after a network failure the lists can be loaded again, and what was typed stays', async () => {
  const gus = await people.signUp('gus@example.com');
  const { workspace_id } = await world.workspace({ owner: gus, name: 'Gates' });
  const opened = await enterAs(await open({ width: 390 }), gus);
  const { page, problems } = opened;
  for (const name of ['account', 'api-keys'] as const) {
    await page.route('**/api_keys', (route) => route.abort('connectionreset'));
    await page.goto(at(name, { workspace_id }));
    await says(opened, 'The service cannot be reached. Are you online?');
    await expectWellMade(opened, `failed-keys-${name}`);
    await page.unroute('**/api_keys');
    await press(opened, 'Try again');
    await says(opened, 'There are no API keys.');
    await unfold(opened, 'Create an API key');
    await field(opened, 'Name').fill('kept');
    await page.route('**/api_keys', (route) => route.abort('connectionreset'));
    await press(opened, 'Create');
    await says(opened, 'The service cannot be reached. Are you online?');
    expect(await field(opened, 'Name').inputValue()).toBe('kept');
    await page.unroute('**/api_keys');
    await press(opened, 'Create');
    await says(opened, 'This is the key kept.');
  }
  // A chunk that is loaded after the page.
  await page.route('**/assets/own-keys*', (route) => route.abort('connectionreset'));
  await page.goto(at('account'));
  await says(opened, 'The service cannot be reached. Are you online?');
  await page.unroute('**/assets/own-keys*');
  await press(opened, 'Try again');
  await page.getByRole('button', { name: 'Revoke kept' }).waitFor();
  expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
});
