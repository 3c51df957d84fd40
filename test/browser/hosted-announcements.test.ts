import { expect, test } from 'vitest';
import { goodPassword } from '../support/sign-in.ts';
import { type Opened, useBrowser } from './browser.ts';
import { rightToLeft } from './hard-texts.ts';
import { allow, field, press, says, startHostedStage, visit } from './hosted-stage.ts';

/** What a screen reader is given to say on the hosted pages, and the order of words around a name. */
const { world, people, at, enterAs } = await startHostedStage();
const { open } = useBrowser();

/** The description of a field, as a screen reader says it. */
const descriptionOf = async ({ page, context }: Opened, label: string): Promise<string> => {
  const session = await context.newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const node = nodes.find(({ role, name }) => role?.value === 'textbox' && name?.value === label);
  return String(node?.description?.value);
};

test('the field for a mailed code, which has the focus, says where the code is; a wrong one is an alert', async () => {
  await people.signUp('ada@example.com');
  const ada = await open();
  await visit(ada, at('sign-in'));
  await press(ada, 'Use a code by e-mail');
  await field(ada, 'E-mail').fill('ada@example.com');
  await press(ada, 'Send me a code');
  await says(ada, 'We have sent a code to ada@example.com.');
  expect(await descriptionOf(ada, 'Code')).toBe(
    'We have sent a code to ada@example.com. It is valid for 10 minutes.',
  );
  await field(ada, 'Code').fill('12');
  await field(ada, 'Code').press('Enter');
  // The field had the focus before: nothing else would say it.
  await ada.page.getByRole('alert').getByText('Enter the six digits of the code.').waitFor();
  expect(await descriptionOf(ada, 'Code')).toMatch(/^We have sent .* Enter the six digits/);
  allow(ada, '401');
});

test('a right-to-left name in a sentence does not reorder the words around it', async () => {
  const owner = await people.signUp('olga@example.com');
  const place = await world.workspace({ owner, name: 'Oars' });
  const layla = await people.signUp(rightToLeft.email, goodPassword, {
    display_name: rightToLeft.display_name,
  });
  await world.member(place, 'member', layla);
  const olga = await enterAs(await open(), owner);
  await visit(olga, at('members', { workspace_id: place.workspace_id }));
  await olga.page.getByRole('button', { name: /^Remove / }).click();
  const question = olga.page.getByRole('group', { name: /^Remove / });
  // In isolation (U+2068, U+2069); a name from left to right stays as it is.
  expect(await question.getAttribute('aria-label')).toBe(
    `Remove \u2068${rightToLeft.display_name}\u2069?`,
  );
});
