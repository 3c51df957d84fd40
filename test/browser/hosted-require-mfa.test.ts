import { expect, test } from 'vitest';
import { sessionPrefix } from '../../shared/db/key-prefixes.ts';
import { keys } from '../../shared/db/keys.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import type { Person } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, press, says, settled, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** A workspace owner requires a second factor from the members, on the members page. */
const settings = { mfa: 'optional', recent_sign_in: true };
const { world, people, arrive, signIn, at, enterAs } = await startHostedStage(settings);
const { open } = useBrowser();
const day = 86_400_000;

let teams = 0;
/** A workspace with a member without a second factor, and its owner, whom a backend has signed in. */
async function team(opened: Opened, ui_locales = 'en') {
  teams += 1;
  const owner = await people.signUp(`owner${teams}@require.example.com`);
  const member = await people.signUp(`member${teams}@require.example.com`);
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  await world.member({ workspace_id, owner }, 'admin', member);
  await enterAs(opened, owner);
  const url = at('members', { workspace_id, ui_locales });
  await visit(opened, url);
  const requiredFrom = async () =>
    (await world.as(people.project).workspaces.get({ workspace_id })).body.mfa_required_at;
  return { owner, member, url, requiredFrom };
}

/** Backdates every sign-in of the user by an hour. */
async function ageAll({ uid }: Person) {
  const { pk } = keys.user(uid);
  const created_at = new Date(Date.now() - 3_600_000).toISOString();
  for (const { sk } of await world.table.query(pk, sessionPrefix))
    await world.table.update({ pk, sk: String(sk) }, { created_at });
}

const part = ({ page }: Opened) => page.getByRole('region', { name: 'Second factor of members' });

test('the owner requires it after 14 days, members get a mail, and the owner ends it', async () => {
  const opened = await open({ width: 390 });
  const { member, requiredFrom } = await team(opened);
  await unfold(opened, 'Require a second factor');
  await part(opened).getByLabel('Time until then').selectOption('14 days');
  await press(opened, 'Require a second factor');
  await says(opened, 'Members need a second factor. Those who have none get a mail.');
  await settled(opened);
  const date = Date.parse((await requiredFrom()) ?? '');
  expect(Math.abs(date - Date.now() - 14 * day)).toBeLessThan(60_000);
  await part(opened)
    .getByText(/^Required from .* on\.$/)
    .waitFor();
  await expect
    .poll(() => opened.page.evaluate('document.activeElement.textContent'))
    .toBe('Members need a second factor. Those who have none get a mail.');
  await world.drainStream();
  const subjects = world
    .mails()
    .flatMap(({ to, subject }) => (to === member.email ? [subject] : []));
  expect(subjects).toContain('A second factor for “Engines” on Test');

  await press(opened, 'Stop requiring it');
  await says(opened, 'Stop requiring it? Members then have access with one factor');
  await press(opened, 'Cancel');
  expect(await requiredFrom()).toBeDefined();
  await press(opened, 'Stop requiring it');
  await press(opened, 'Stop requiring it');
  await says(opened, 'Members no longer need a second factor.');
  expect(await requiredFrom()).toBeUndefined();
});

test('it is required at once by default', async () => {
  const opened = await open({ width: 390 });
  const { requiredFrom } = await team(opened);
  await unfold(opened, 'Require a second factor');
  await press(opened, 'Require a second factor');
  await says(opened, 'Members need a second factor. Those who have none get a mail.');
  expect(Date.parse((await requiredFrom()) ?? '')).toBeLessThanOrEqual(Date.now());
});

test('an owner without a recent sign-in must reauthenticate first', async () => {
  const opened = await open({ width: 390 });
  const { owner, requiredFrom } = await team(opened);
  await ageAll(owner);
  allow(opened, '401');
  await unfold(opened, 'Require a second factor');
  await press(opened, 'Require a second factor');
  const dialog = opened.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await says(opened, 'Nothing was changed, because you have not confirmed that it is you.');
  expect(await requiredFrom()).toBeUndefined();
  await press(opened, 'Require a second factor');
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await says(opened, 'Members need a second factor. Those who have none get a mail.');
  expect(await requiredFrom()).toBeDefined();
});

test('an owner in a session of one factor must show a second one first', async () => {
  const owner = await people.signUp('weak@require.example.com');
  const { workspace_id } = await world.workspace({ owner });
  const opened = await open({ width: 390 });
  await arrive(opened, owner.email, at('members', { workspace_id }));
  await settled(opened);
  await unfold(opened, 'Require a second factor');
  allow(opened, '401', '403');
  await press(opened, 'Require a second factor');
  await says(opened, 'You need a second factor yourself first: add one in your account');
  const { body } = await world.as(people.project).workspaces.get({ workspace_id });
  expect(body).not.toHaveProperty('require_mfa');
});

test('only the owner is offered it, and only if the project has second factors', async () => {
  const opened = await open({ width: 390 });
  const { member, url } = await team(opened);
  await part(opened).waitFor();
  const other = await enterAs(await open({ width: 390 }), member);
  await visit(other, url);
  await other.page.getByRole('heading', { name: 'Audit log' }).waitFor();
  expect(await part(other).count()).toBe(0);

  const plain = await signInProject(world, { hosted_pages: true });
  const { email } = await plain.signUp('plain@require.example.com');
  const owner = await plain.signIn(email);
  const made = await world.workspace({ owner });
  const without = await open({ width: 390 });
  const page = `${world.url}/pages/${plain.project_id}/members`;
  await without.page.goto(`${page}?workspace_id=${made.workspace_id}`);
  await signIn(without, email);
  await without.page.getByRole('heading', { name: 'Audit log' }).waitFor();
  allow(without, '401');
  expect(await part(without).count()).toBe(0);
});

test('the section passes the checks in every view', async () => {
  const opened = await open();
  const { owner } = await team(opened, 'de');
  await unfold(opened, 'Zweiten Faktor verlangen');
  await expectWellMade(opened, 'require-mfa-off');
  await press(opened, 'Zweiten Faktor verlangen');
  await says(
    opened,
    'Mitglieder brauchen einen zweiten Faktor. Wer keinen hat, bekommt eine Mail.',
  );
  await settled(opened);
  await press(opened, 'Nicht mehr verlangen');
  await expectWellMade(opened, 'require-mfa-on');
  await ageAll(owner);
  allow(opened, '401');
  await press(opened, 'Nicht mehr verlangen');
  await opened.page.getByRole('dialog').waitFor();
  await expectWellMade(opened, 'require-mfa-asked');
});
