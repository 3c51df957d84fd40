import { expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import { expectNoSideScroll, inEachView, useBrowser } from './browser.ts';

const { open } = useBrowser();

const invitation = {
  template: 'workspace_invitation',
  link: 'https://app.acme.test/in#token=1',
  minutes: 1_440,
  inviter: 'ada@example.com',
} as const;

/** Words that a browser does not break into lines. */
const unbroken: [string, string][] = [
  ['marks on one letter', `Z${'\u0353\u0349\u0311\u0302'.repeat(30)}algo`],
  ['letters with marks', `Z${'\u0353'.repeat(6)}`.repeat(18)],
  ['joined emoji', '👨\u200d'.repeat(63)],
  ['syllables of Hangul', 'ᄀ'.repeat(128)],
  ['conjuncts of Hindi', 'क्'.repeat(64)],
  ['a stack of Tibetan', `ཀ${'ྐ'.repeat(100)}`],
];

test.each(unbroken)('a mail is not wider than the window with %s', async (what, name) => {
  const opened = await open();
  const { html } = await renderMail(
    { ...invitation, product: name, workspace: name, message: name.repeat(4) },
    'en',
  );
  await opened.page.setContent(html);
  await inEachView(opened, async ({ width }) => {
    await opened.picture(`mail-${what.replaceAll(' ', '-')}`, 'window');
    await expectNoSideScroll(opened);
    const card = await opened.page.locator('.card').boundingBox();
    expect(card?.width).toBe(width === 390 ? 366 : 480);
  });
});

/** The distances of the first character of the message from both sides of its paragraph. */
const firstCharacter = `(() => {
  const paragraph = document.querySelector('p[dir=auto]');
  const range = document.createRange();
  range.setStart(paragraph.firstChild, 0);
  range.setEnd(paragraph.firstChild, 1);
  const [first, whole] = [range, paragraph].map((part) => part.getBoundingClientRect());
  return { left: first.left - whole.left, right: whole.right - first.right };
})()`;

test('a message has the text direction of its own language', async () => {
  const opened = await open();
  const roomBeside = async (message: string) => {
    const letter = { ...invitation, product: 'Acme', workspace: 'Engines', message };
    await opened.page.setContent((await renderMail(letter, 'en')).html);
    return opened.page.evaluate<{ left: number; right: number }>(firstCharacter);
  };
  expect((await roomBeside('Welcome')).left).toBeLessThan(1);
  expect((await roomBeside('نرم\u200cافزار')).right).toBeLessThan(1);
  await opened.picture('mail-message', 'window');
});
