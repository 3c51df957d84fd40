/** @module-tag alone */
import { expect, test } from 'vitest';
import { startStandIn } from '../support/provider-stand-in.ts';
import { cancels, setSecret } from '../support/providers.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import {
  allow,
  field,
  heading,
  press,
  says,
  settled,
  startHostedStage,
  visit,
} from './hosted-stage.ts';

/** Sign-in on the hosted pages with providers whose tokens the service itself requests. */
const stage = await startHostedStage();
const { world, at, project_id, enterAs, people } = stage;
const [github, own] = await Promise.all([startStandIn('github'), startStandIn('oidc')]);
await world.operate({
  ...{ action: 'update', project_id },
  sign_in_providers: { github: github.settings, examplehub: own.settings },
});
await setSecret(world, { project_id }, github);
await setSecret(world, { project_id }, own, { name: 'examplehub' });
const { open } = useBrowser();
const grace = { sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace' };

test('a new user signs up at a provider, and the history does not contain the code', async () => {
  own.is(grace);
  const one = await open({ width: 390 });
  await one.page.goto(at('sign-in'));
  await one.page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
  await expectWellMade(one, 'sign-in-redirect-providers');
  await press(one, 'Continue with Examplehub');
  await heading(one, 'Account');
  await says(one, grace.email);
  expect(one.page.url()).not.toContain('code=');
  await one.page.goBack();
  expect(one.page.url()).not.toContain('code=');
  allow(one, '401');

  const again = await open();
  await again.page.goto(at('members', { workspace_id: 'wid-x' }));
  await press(again, 'Continue with Examplehub');
  await settled(again);
  await expect.poll(() => again.page.url()).toBe(at('members', { workspace_id: 'wid-x' }));
  allow(again, '401', '404', '400');
});

test('a user who cancels at the provider sees a message, and can try again', async () => {
  own.behave(cancels);
  const one = await open();
  await one.page.goto(at('sign-in'));
  await press(one, 'Continue with Examplehub');
  await says(one, 'Examplehub has not signed you in.');
  expect(one.page.url()).toBe(at('sign-in'));
  own.behave();
  own.is(grace);
  await press(one, 'Continue with Examplehub');
  await heading(one, 'Account');
  expect(one.page.url()).toBe(at('account'));
  allow(one, '401');
});

test('if scripts fail to load after the provider, the form is shown, and a retry signs in', async () => {
  own.is(grace);
  const one = await open();
  const { page } = one;
  await visit(one, at('sign-in'));
  let hasLeft = false;
  await page.route('**/oauth/*/start**', (route) => {
    hasLeft = true;
    return route.continue();
  });
  await page.route('**/pages/assets/*.js', async (route) => {
    const answer = await route.fetch();
    // On the way back, only the chunk that handles the result.
    const isLost = !hasLeft || (await answer.text()).includes('identity_link_required');
    return isLost ? route.abort('connectionreset') : route.fulfill({ response: answer });
  });
  await press(one, 'Continue with Examplehub');
  await says(one, 'The service cannot be reached. Are you online?');
  await field(one, 'E-mail').waitFor();
  await page.unroute('**/pages/assets/*.js');
  await press(one, 'Continue with Examplehub');
  await heading(one, 'Account');
  expect(page.url()).toBe(at('account'));
  one.allowed.push('CONNECTION_RESET');
  allow(one, '401');
});

test('if the browser stores nothing, the button of a provider shows an error', async () => {
  const linus = await enterAs(await open(), await people.signInByCode('linus.full@example.com'));
  for (const [opened, name, button] of [
    [await open(), 'sign-in', 'Continue with Examplehub'],
    [linus, 'account', 'Link Examplehub'],
  ] as const) {
    await visit(opened, at(name));
    await opened.page.evaluate(
      "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }",
    );
    await press(opened, button);
    await opened.page.getByRole('alert').waitFor();
    expect(opened.page.url()).toBe(at(name));
    allow(opened, '401');
  }
});

test('a response that this tab has not requested signs no user in', async () => {
  const one = await open();
  await one.page.goto(`${at('sign-in')}?code=${'x'.repeat(43)}&state=somebody-elses`);
  await one.page.getByRole('button', { name: 'Continue with Examplehub' }).waitFor();
  expect(one.page.url()).toBe(at('sign-in'));
  allow(one, '401');
});

test('a user links an account, even if the provider has not verified its e-mail', async () => {
  const ida = await people.signInByCode('ida.links@example.com');
  own.is({ sub: 'ida', email: 'other@example.com', email_verified: false });
  const one = await enterAs(await open({ width: 390, dark: true }), ida);
  await visit(one, at('account'));
  await press(one, 'Link Examplehub');
  await one.page.locator('form', { hasText: 'Link Examplehub' }).waitFor();
  expect(one.page.url()).toBe(at('account'));
  await expectWellMade(one, 'account-link-redirect');
  await press(one, 'Link Examplehub');
  await says(one, 'Saved.');
  const { body } = await world.as(ida.bearer).users.getMe();
  expect(body.sign_in_methods?.['examplehub']).toEqual({ enabled: true });
  // The browser went to the provider and nowhere else.
  const elsewhere = one.problems.splice(0);
  expect(elsewhere.filter((each) => !each.includes(`elsewhere: ${own.origin}/`))).toEqual([]);
});
