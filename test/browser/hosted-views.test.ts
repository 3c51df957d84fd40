import { expect, test } from 'vitest';
import { type PageName, pageNames } from '../../shared/contract/pages.ts';
import { keys } from '../../shared/db/keys.ts';
import { languages } from '../../shared/model/languages.ts';
import { seedMembers } from '../support/budgets/case.ts';
import { goodPassword } from '../support/sign-in.ts';
import type { Person } from '../support/world.ts';
import { expectWellMade, useBrowser, type View } from './browser.ts';
import { long, rightToLeft, word } from './hard-texts.ts';
import { allow, says, settled, startHostedStage, visit } from './hosted-stage.ts';

/** Every hosted page: narrow and wide, light and dark, with names of every length and direction. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><rect width="300" height="100" fill="#b0228c"/></svg>`;
const stage = await startHostedStage({
  name: 'Internationale Gesellschaft zur Förderung der Analytischen Maschinen e. V.',
  branding: {
    logo: `data:image/svg+xml;base64,${btoa(logo)}`,
    color: '#ffd400',
    links: {
      home: 'http://localhost/',
      terms: 'http://localhost/terms',
      privacy: 'http://localhost/privacy',
      support: 'http://localhost/support',
    },
  },
});
const { world, people, at } = stage;

const ada = await people.signUp(long.email, goodPassword, { display_name: word });
const layla = await people.signUp(rightToLeft.email, goodPassword, {
  display_name: rightToLeft.display_name,
});
const nobody = await people.signUp('nobody@example.com');
const few = await world.workspace({ owner: ada, name: `A ${word}` });
await world.member(few, 'admin', layla);
const asAda = world.as(ada);
const { workspace_id } = few;
await asAda.invitations.create({ workspace_id, email: `b${long.email}`, role: 'member' });
await asAda.joinLinks.create({ workspace_id, role: 'member' });
await world.as(people.project).domains.set({
  workspace_id,
  domain: 'very-long-name-of-a-company.example',
  mode: 'suggest',
});
await asAda.ownership.offer({ workspace_id, user_id: layla.uid });
const unnamed = await people.signUp('unnamed@example.com');
await world.table.update(keys.user(unnamed.uid), { email: '' });
await world.member(few, 'member', unnamed);
const crowd = await world.workspace({ owner: ada, name: 'חברה — شركة' });
await seedMembers(world, crowd, 1_000);
for (const name of ['חברה', word]) {
  const place = await world.workspace({ owner: layla, name });
  await world.as(layla).invitations.create({
    workspace_id: place.workspace_id,
    email: ada.email,
    role: 'member',
  });
}
await world.drainStream();

const { open } = useBrowser();
const openAs = async (person?: Person, view: View = {}) => stage.enterAs(await open(view), person);

const token = `#token=${'x'.repeat(43)}`;
const fragments: Partial<Record<PageName, string>> = {
  ...{ 'new-password': token, 'verify-email': token, 'change-email': token, invitation: token },
  join: '#join=jl_x',
};
const address = (name: PageName, ui_locales: string): string =>
  at(name, { ui_locales, workspace_id }) + (fragments[name] ?? '');

/** Public pages, and one that shows a sign-in in its place. */
const openPages = [
  ...(['sign-in', 'sign-up', 'forgotten-password', 'new-password'] as const),
  ...(['sign-out', 'signed-out', 'account'] as const),
];

// The language with the longest words.
const german = 'de';
/** Those whose texts are longer than in English. */
const longLanguages = languages.filter((each) => each !== 'en');

test.each(openPages)('%s of a signed-out user passes the checks', async (name) => {
  const opened = await openAs();
  for (const language of longLanguages) {
    await visit(opened, address(name, language));
    expect(await opened.page.evaluate('document.documentElement.lang')).toBe(language);
    await expectWellMade(opened, `anyone-${name}-${language}`);
  }
  allow(opened, '401');
});

test.each(longLanguages)(
  'every page of a user with long names passes the checks in %s',
  async (language) => {
    const opened = await openAs(ada);
    const { page } = opened;
    for (const name of pageNames.filter((each) => each !== 'sign-in')) {
      await visit(opened, address(name, language));
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      await settled(opened);
      await expectWellMade(opened, `user-${name}-${language}`);
    }
    await visit(opened, address('members', language));
    // Who has neither a name nor an e-mail is called by the id.
    await says(opened, unnamed.uid);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    await expectWellMade(opened, `user-members-right-to-left-${language}`);
  },
);

test('pages with right-to-left names, an ownership offer and empty lists pass the checks', async () => {
  const opened = await openAs(layla);
  for (const name of ['workspaces', 'ownership', 'members'] as const) {
    await visit(opened, address(name, german));
    await expectWellMade(opened, `layla-${name}`);
  }
  const bare = await openAs(unnamed);
  await visit(bare, address('account', german));
  await says(bare, 'Dieses Konto hat keine E-Mail-Adresse.');
  const empty = await openAs(nobody);
  await visit(empty, address('workspaces', german));
  await expectWellMade(empty, 'nobody-workspaces');
  await visit(empty, address('members', german));
  await expectWellMade(empty, 'nobody-members');
  allow(empty, '404');
});

test('a workspace of 1,000 members is shown by pages, and passes the checks', async () => {
  const opened = await openAs(ada);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id: crowd.workspace_id }));
  await says(opened, '1,000 members');
  const rows = page.getByLabel(/^Role of/);
  const before = await rows.count();
  const more = page.getByRole('button', { name: 'Show more' }).first();
  await more.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  // A keyboard user continues reading here without searching.
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Show more');
  await expectWellMade(opened, 'members-1000');
});

test('a finger hits every control, and iOS enlarges the page at no field', async () => {
  const opened = await openAs(ada, { width: 390 });
  const { page, context } = opened;
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  // A label ticks its box.
  const controls =
    'button, select, summary, input:not([type=checkbox]), label:has([type=checkbox]), nav a, footer a, .ways a';
  const tooSmall = `[...document.querySelectorAll('${controls}')].filter((each) => each.checkVisibility() &&
    (each.offsetHeight < 44 || each.matches('input, select') && parseFloat(getComputedStyle(each).fontSize) < 16))
    .map((each) => each.offsetHeight + ' ' + each.outerHTML.slice(0, 80))`;
  for (const name of ['sign-up', 'account', 'members'] as const) {
    await visit(opened, address(name, german));
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    await settled(opened);
    expect(await page.evaluate(tooSmall), name).toEqual([]);
  }
});

test.each([false, true])('the focus is visible on every element, dark: %s', async (dark) => {
  const opened = await openAs(ada, { width: 390, dark });
  const { page } = opened;
  /** The focused element, and whether it looks the same without focus. */
  const focused = `(() => {
    const each = document.activeElement;
    const look = () => { const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
      return [outline, boxShadow, borderColor, backgroundColor].join(); };
    const name = each.tagName + ' ' + (each.ariaLabel ?? each.textContent ?? '').slice(0, 40);
    const seen = look();
    each.blur();
    const unseen = look();
    each.focus({ focusVisible: true });
    return { name, isSame: seen === unseen, isLast: each === document.body };
  })()`;
  for (const name of ['sign-up', 'account', 'members'] as const) {
    await visit(opened, address(name, 'en'));
    const found: string[] = [];
    const missed: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const {
        name: element,
        isSame,
        isLast,
      } = (await page.evaluate(focused)) as {
        name: string;
        isSame: boolean;
        isLast: boolean;
      };
      if (isLast) break;
      found.push(element);
      if (isSame) missed.push(element);
    }
    expect(missed, name).toEqual([]);
    expect(found.length, name).toBeGreaterThan(6);
  }
});
