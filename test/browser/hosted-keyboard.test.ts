import { expect, test } from 'vitest';
import { goodPassword } from '../support/sign-in.ts';
import { type Opened, useBrowser } from './browser.ts';
import { allow, field, heading, says, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** The hosted pages with the keyboard alone, and the accessible names of their elements. */
const { world, people, at, enterAs } = await startHostedStage({
  branding: { links: { home: 'http://localhost/', terms: 'http://localhost/terms' } },
});
const { open } = useBrowser();

/** The focused element: its tag and its accessible name. */
const focused = ({ page }: Opened): Promise<string> =>
  page.evaluate(`(() => {
    const each = document.activeElement;
    const label = each.labels?.[0]?.textContent;
    return (each.ariaLabel ?? label ?? each.textContent).replaceAll(/\\s+/g, ' ').trim();
  })()`);

/** The roles and accessible names of a page, without URLs, which differ in each run. */
const accessibleTree = async ({ page }: Opened): Promise<string> =>
  (await page.locator('body').ariaSnapshot()).replaceAll(/^ *- \/url:.*\n/gm, '');

/** Presses the Tab key until the element with that name has the focus. */
async function tabTo(opened: Opened, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await opened.page.keyboard.press(key);
    const now = await focused(opened);
    if (now === name) return;
    passed.push(now);
  }
  throw new Error(`The Tab key does not lead to "${name}", but to: ${passed.join(', ')}`);
}
/** Records in `focusedAtOnce` whether the invalid field gets the focus in the same task that shows the error. */
const watchFocus = ({ page }: Opened) =>
  page.evaluate(`new MutationObserver((_, observer) => {
    const wrong = document.querySelector('[aria-invalid=true]');
    if (wrong === null) return;
    observer.disconnect();
    queueMicrotask(() => {
      globalThis.focusedAtOnce = document.activeElement === wrong;
    });
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`);

const type = ({ page }: Opened, text: string) => page.keyboard.type(text);
const press = ({ page }: Opened, key: string) => page.keyboard.press(key);

test('a user signs in, after a wrong password, and signs out', async () => {
  await people.signUp('ada@example.com');
  const ada = await open();
  await visit(ada, at('sign-in'));
  await tabTo(ada, 'E-mail');
  await type(ada, 'ada@example.com');
  await tabTo(ada, 'Password');
  await type(ada, 'not her password');
  await tabTo(ada, 'Sign in');
  await watchFocus(ada);
  await press(ada, 'Enter');
  await says(ada, 'The e-mail or the password is wrong.');
  // The invalid field has the focus, and its error is in its description. A later focus change would interrupt a user
  // who is typing elsewhere.
  expect(await focused(ada)).toBe('Password');
  expect(await ada.page.evaluate('focusedAtOnce')).toBe(true);
  await press(ada, 'ControlOrMeta+a');
  await type(ada, goodPassword);
  await tabTo(ada, 'Show Password');
  await press(ada, 'Space');
  expect(await field(ada, 'Password').getAttribute('type')).toBe('text');
  await tabTo(ada, 'Sign in');
  await press(ada, 'Space');
  await heading(ada, 'Account');
  allow(ada, '401');
  await tabTo(ada, 'Sign out');
  await press(ada, 'Enter');
  await says(ada, 'Do you want to sign out?');
  await tabTo(ada, 'Sign out');
  // The first element with that name is the link in the navigation.
  await tabTo(ada, 'Sign out');
  await press(ada, 'Enter');
  await says(ada, 'You are signed out of this browser.');
});

test('sign-in by code: a form or message that replaces the focused element gets the focus', async () => {
  await people.signUp('eva@example.com');
  const eva = await open();
  await visit(eva, at('sign-in'));
  await tabTo(eva, 'E-mail');
  await type(eva, 'eva@example.com');
  await tabTo(eva, 'Use a code by e-mail');
  await press(eva, 'Enter');
  await expect.poll(() => focused(eva)).toBe('E-mail');
  // What was typed stays, for another sign-in method and on another page.
  expect(await field(eva, 'E-mail').inputValue()).toBe('eva@example.com');
  await tabTo(eva, 'Forgot your password?');
  await press(eva, 'Enter');
  await eva.page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor();
  expect(await field(eva, 'E-mail').inputValue()).toBe('eva@example.com');
  await visit(eva, at('sign-in'));
  await tabTo(eva, 'Use a code by e-mail');
  await press(eva, 'Enter');
  await expect.poll(() => focused(eva)).toBe('E-mail');
  await press(eva, 'Enter');
  await says(eva, 'We have sent a code to eva@example.com.');
  expect(await focused(eva)).toBe('Code');
  await type(eva, await people.mailed('eva@example.com'));
  await press(eva, 'Enter');
  await heading(eva, 'Account');
  allow(eva, '401');
  await visit(eva, at('forgotten-password'));
  // After a sign-in nothing that was typed is kept.
  expect(await field(eva, 'E-mail').inputValue()).toBe('');
  await tabTo(eva, 'E-mail');
  await type(eva, 'eva@example.com');
  await press(eva, 'Enter');
  await says(eva, 'If there is an account for eva@example.com');
  expect(await focused(eva)).toContain('If there is an account for eva@example.com');
});

test('an admin invites, changes a role and removes a member, and the focus stays in place', async () => {
  const owner = await people.signUp('olga@example.com');
  const place = await world.workspace({ owner, name: 'Oars' });
  const paul = await people.signUp('paul@example.com');
  await world.member(place, 'member', paul);
  const olga = await enterAs(await open(), owner);
  const { page } = olga;
  await visit(olga, at('members', { workspace_id: place.workspace_id }));
  const roleOfPaul = page.getByLabel('Role of paul@example.com');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/role') && sent.push(request.url()));
  await tabTo(olga, 'Role of paul@example.com');
  // The arrow keys pass roles that the user does not want: none of them is assigned on the way.
  await press(olga, 'ArrowDown');
  await page.getByRole('button', { name: 'Save Role of paul@example.com' }).waitFor();
  await press(olga, 'ArrowUp');
  await page.getByRole('button', { name: /^Save Role/ }).waitFor({ state: 'detached' });
  await press(olga, 'ArrowDown');
  expect(await roleOfPaul.inputValue()).toBe('admin');
  expect(sent).toEqual([]);
  await tabTo(olga, 'Save Role of paul@example.com');
  await press(olga, 'Enter');
  await expect.poll(() => focused(olga)).toBe('Role of paul@example.com');
  await page.getByRole('button', { name: 'Offer ownership paul@example.com' }).waitFor();
  // The confirmation takes the focus; Cancel returns it.
  await roleOfPaul.focus();
  await tabTo(olga, 'Remove paul@example.com');
  await press(olga, 'Enter');
  await says(olga, 'Remove paul@example.com?');
  await expect.poll(() => focused(olga)).toBe('Remove paul@example.com?');
  await tabTo(olga, 'Cancel');
  await press(olga, 'Enter');
  await expect.poll(() => focused(olga)).toBe('Remove paul@example.com');
  await press(olga, 'Enter');
  await expect.poll(() => focused(olga)).toBe('Remove paul@example.com?');
  await tabTo(olga, 'Remove');
  await press(olga, 'Enter');
  await says(olga, '1 member');

  await page.locator('h1').focus();
  await tabTo(olga, 'E-mail');
  await type(olga, 'quin@example.com');
  await tabTo(olga, 'Role');
  await press(olga, 'ArrowDown');
  await tabTo(olga, 'Send the invitation');
  await press(olga, 'Enter');
  await says(olga, 'We have sent an invitation to quin@example.com.');
  await says(olga, /^Admin · until /);
  await tabTo(olga, 'Create a link');
  await press(olga, 'Enter');
  await tabTo(olga, 'How many people may use it (optional)');
});

test('the account: sections open by a key, and an invalid field gets the focus', async () => {
  const emma = await enterAs(await open({ width: 390 }), await people.signUp('emma@example.com'));
  const { page } = emma;
  await visit(emma, at('account'));
  await tabTo(emma, 'Change your password');
  await press(emma, 'Enter');
  await tabTo(emma, 'Current password');
  await type(emma, goodPassword);
  await tabTo(emma, 'New password');
  await type(emma, 'short');
  await press(emma, 'Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  await expect.poll(() => focused(emma)).toBe('New password');
  const described = await field(emma, 'New password').getAttribute('aria-describedby');
  const texts = await Promise.all(
    (described ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()),
  );
  expect(texts.length).toBe(2);
  await tabTo(emma, 'Delete your account');
  await press(emma, 'Enter');
  await tabTo(emma, 'Type emma@example.com to confirm');
});

test('an API key is created and revoked, and the focus moves to the next text to read', async () => {
  const owner = await people.signUp('tess@example.com');
  const place = await world.workspace({ owner, name: 'Towers' });
  const tess = await enterAs(await open({ width: 390 }), owner);
  await visit(tess, at('members', { workspace_id: place.workspace_id }));
  await tabTo(tess, 'API keys');
  await press(tess, 'Enter');
  await says(tess, 'There are no API keys.');
  await tabTo(tess, 'Create an API key');
  await press(tess, 'Enter');
  await tabTo(tess, 'Name');
  await type(tess, 'nightly');
  await tabTo(tess, 'What it may do');
  await press(tess, 'End');
  await tabTo(tess, 'See a member member:read');
  await press(tess, 'Space');
  await tabTo(tess, 'Create');
  await press(tess, 'Enter');
  await says(tess, 'This is the key nightly.');
  await expect.poll(() => focused(tess)).toMatch(/^This is the key nightly\./);
  await tabTo(tess, 'Copy nightly');
  await tabTo(tess, 'I have copied it');
  await press(tess, 'Enter');
  await expect.poll(() => focused(tess)).toBe('Create an API key');
  await tabTo(tess, 'Revoke nightly', 'Shift+Tab');
  await press(tess, 'Enter');
  await expect.poll(() => focused(tess)).toBe('Revoke nightly? Programs that use it stop at once.');
  await tabTo(tess, 'Revoke');
  await press(tess, 'Enter');
  await says(tess, 'There are no API keys.');
});

test('every element of the pages has a role and a name for screen readers', async () => {
  const owner = await people.signUp('rosa@example.com');
  const place = await world.workspace({ owner, name: 'Roses' });
  await world.member(place, 'member', await people.signUp('sven@example.com'));
  const signedOut = await open();
  await visit(signedOut, at('sign-in'));
  allow(signedOut, '401');
  const rosa = await enterAs(await open(), owner);
  const { page } = rosa;
  const trees: Record<string, string> = {
    'sign-in': await accessibleTree(signedOut),
  };
  await visit(rosa, at('members', { workspace_id: place.workspace_id }));
  trees['members'] = await accessibleTree(rosa);
  expect(trees).toMatchSnapshot();
  // Every interactive element has an accessible name.
  for (const name of ['account', 'workspaces', 'members', 'api-keys'] as const) {
    await visit(rosa, at(name, { workspace_id: place.workspace_id }));
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    const all = await accessibleTree(rosa);
    expect(all, name).not.toMatch(
      /^\s*- (?:button|link|textbox|combobox|checkbox|searchbox)(?: \[|:|$)/m,
    );
    expect(all.match(/- heading ".+" \[level=1\]/g), name).toHaveLength(1);
  }
});

test('in a contrast theme of the system, which leaves no shadows and backgrounds, focus and ticks are visible', async () => {
  const owner = await people.signUp('otto@example.com');
  const { workspace_id } = await world.workspace({ owner, name: 'Contrast' });
  const otto = await open();
  await otto.page.emulateMedia({ forcedColors: 'active' });
  await visit(otto, at('sign-in'));
  for (const name of ['E-mail', 'Show Password', 'Sign in', 'Forgot your password?']) {
    await tabTo(otto, name);
    const outline = await otto.page.evaluate('getComputedStyle(document.activeElement).outline');
    expect([name, outline]).toEqual([name, expect.stringMatching(/solid 2px$/)]);
  }
  allow(otto, '401');
  await enterAs(otto, owner);
  await visit(otto, at('members', { workspace_id }));
  await unfold(otto, 'Create a link');
  const box = `getComputedStyle(document.querySelector('[type=checkbox]')).appearance`;
  expect(await otto.page.evaluate(box)).toBe('auto');
});
