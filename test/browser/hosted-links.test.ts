import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { branding } from './deployed-stage.ts';
import { allow, field, heading, press, says, startHostedStage, visit } from './hosted-stage.ts';

/** Sign-in by a mailed link: directly in the browser that requested it, with a code in any other. */
const stage = await startHostedStage({ branding });
const { at, linkTo, world } = stage;
const { open } = useBrowser();

type Browser = Awaited<ReturnType<typeof open>>;

async function askForLink(opened: Browser, email: string): Promise<string> {
  await opened.page.goto(at('sign-in'));
  await press(opened, 'Use a link by e-mail');
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, `We have sent a link to ${email}.`);
  return linkTo(email);
}

test('the link signs in with a click, in another tab of the browser that requested it', async () => {
  const ada = await open({ width: 390 });
  const link = await askForLink(ada, 'ada@example.com');
  await expectWellMade(ada, 'sign-in-link-sent');
  const tab = await open({ width: 390 }, ada);
  await tab.page.goto(link);
  await says(tab, 'One click is left to sign in.');
  expect(tab.page.url()).not.toContain('token');
  await says(tab, 'By continuing you accept: Terms, Privacy');
  await expectWellMade(tab, 'sign-in-link-own');
  await press(tab, 'Sign in');
  await heading(tab, 'Account');
  await says(tab, 'Link by e-mail');
  allow(tab, '401');

  // The link works once: here it is opened again in the same browser.
  await visit(tab, link);
  await press(tab, 'Sign in');
  await says(tab, 'The link was used, has expired');
  allow(tab, '401');
});

test('the mail is in the language that a link to the page asks for', async () => {
  const email = 'dora@example.com';
  const dora = await open();
  await dora.page.goto(at('sign-in', { ui_locales: 'xx_$$ de en' }));
  await press(dora, 'Link per E-Mail benutzen');
  await field(dora, 'E-Mail').fill(email);
  await press(dora, 'Link schicken');
  await says(dora, email);
  await linkTo(email);
  expect(world.mails().find(({ to }) => to === email)?.subject).toMatch(/^Ihr Anmeldelink/);
  allow(dora, '401');
});

test('in another browser the link shows a code with a click, to enter in the browser that requested it', async () => {
  const bob = await open({ dark: true });
  const link = await askForLink(bob, 'bob@example.com');
  const phone = await open({ width: 390, dark: true });
  await phone.page.goto(link.replace('#', '&ui_locales=de#'));
  await says(phone, 'Dieser Link wurde nicht in diesem Browser angefordert.');
  await expectWellMade(phone, 'sign-in-link-elsewhere-de');
  const link_id = new URLSearchParams(new URL(link).hash.slice(1)).get('link_id') ?? '';
  // Opening the page does not use the link: mail scanners open links too.
  expect(await world.table.get(keys.signInLink(link_id))).not.toHaveProperty('code_shown');
  await press(phone, 'Code anzeigen');
  const code = await phone.page.locator('code').innerText();
  await says(phone, 'Sagen Sie ihn niemandem');
  await expectWellMade(phone, 'sign-in-link-code-de');
  await field(bob, 'Code of the link').fill(code === '000000' ? '111111' : '000000');
  await press(bob, 'Sign in');
  await says(bob, 'The code is wrong or has expired, or belongs to another link.');
  await expectWellMade(bob, 'sign-in-link-code-wrong');
  await field(bob, 'Code of the link').fill(code);
  await press(bob, 'Sign in');
  await heading(bob, 'Account');
  allow(bob, '401');
  allow(phone);
});
