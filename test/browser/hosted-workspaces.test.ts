import { expect, test } from 'vitest';
import type { Member } from '../../shared/model/workspace-resources.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import {
  allow,
  field,
  follow,
  heading,
  press,
  says,
  startHostedStage,
  unfold,
} from './hosted-stage.ts';

/** What people do together in a workspace, each in a browser of their own. */
const { world, people, at, linkTo, arrive, enterCode } = await startHostedStage();
const { open } = useBrowser();

/** A workspace whose owner is on the page of its members. */
async function ownedWorkspace(email: string, name: string) {
  const owner = await people.signUp(email);
  const { workspace_id } = await world.workspace({ owner, name });
  const opened = await arrive(await open(), email, at('members', { workspace_id }));
  await says(opened, '1 member');
  return { opened, owner, workspace_id };
}

test('invited by mail: a newcomer signs in with a code on the spot and accepts', async () => {
  const { opened: ada } = await ownedWorkspace('ada@example.com', 'Engines & Co');
  await field(ada, 'E-mail').fill('grace@example.com');
  await field(ada, 'Message (optional)').fill('Come and see <the engine>');
  await press(ada, 'Send the invitation');
  await says(ada, 'We have sent an invitation to grace@example.com.');
  await ada.page.getByRole('button', { name: 'Revoke grace@example.com' }).waitFor();

  const grace = await open({ width: 390 });
  await grace.page.goto(await linkTo('grace@example.com'));
  await says(grace, 'Sign in to go on.');
  expect(grace.page.url()).not.toContain('token');
  allow(grace, '401');
  await expectWellMade(grace, 'invitation-sign-in');
  await enterCode(grace, 'grace@example.com');
  await says(grace, 'You are signed in as grace@example.com.');
  await heading(grace, 'Invitation');
  await expectWellMade(grace, 'invitation');
  await press(grace, 'Accept');
  await says(grace, 'You are a member of the workspace.');
  await expectWellMade(grace, 'invitation-accepted');
  await follow(grace, 'To the workspace');
  await says(grace, '2 members');
  // A plain member changes nothing here.
  await says(grace, 'ada@example.com');
  expect(await grace.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
  expect(await grace.page.getByLabel(/^Role of/).count()).toBe(0);

  await ada.page.reload();
  await says(ada, '2 members');
  await says(ada, 'No invitations.');
});

test('an invitation of the list of workspaces is accepted there, and the workspace left again', async () => {
  const { opened: ines, workspace_id } = await ownedWorkspace('ines@example.com', 'Islands');
  await people.signUp('hugo@example.com');
  await field(ines, 'E-mail').fill('hugo@example.com');
  await press(ines, 'Send the invitation');
  await says(ines, 'We have sent an invitation to hugo@example.com.');
  const hugo = await arrive(await open({ width: 390 }), 'hugo@example.com', at('workspaces'));
  await says(hugo, 'ines@example.com invites you');
  await expectWellMade(hugo, 'workspaces-invited');
  await hugo.page.getByRole('button', { name: 'Accept Islands' }).click();
  await hugo.page.getByRole('link', { name: 'Islands' }).waitFor();
  await hugo.page.getByRole('button', { name: 'Leave Islands' }).click();
  await says(hugo, 'Leave this workspace?');
  await press(hugo, 'Leave');
  await says(hugo, 'You are in no workspace yet.');
  await hugo.page.goto(at('members', { workspace_id }));
  await says(hugo, 'There is no such thing, or you may not see it.');
  allow(hugo, '404');
});

test('a link lets people join until it is revoked', async () => {
  const { opened: lena } = await ownedWorkspace('lena@example.com', 'Looms');
  await unfold(lena, 'Create a link');
  await lena.page.getByLabel('How many people may use it').fill('5');
  await press(lena, 'Create');
  await says(lena, 'Whoever has this link can join.');
  await expectWellMade(lena, 'members-join-link');
  const link = (await lena.page.locator('.copy code').textContent()) ?? '';
  expect(link).toContain('#join=');

  await people.signUp('mia@example.com');
  const mia = await arrive(await open({ width: 390, dark: true }), 'mia@example.com', link);
  await says(mia, 'You can join a workspace. You are signed in as mia@example.com.');
  expect(mia.page.url()).not.toContain('#');
  await expectWellMade(mia, 'join');
  await press(mia, 'Join');
  await says(mia, 'You are a member of the workspace.');
  await follow(mia, 'To the workspace');
  await says(mia, '2 members');

  await lena.page.reload();
  await says(lena, 'used 1 time');
  await lena.page.getByRole('button', { name: /^Revoke Link of/ }).click();
  await says(lena, 'No links.');
  await people.signUp('late@example.com');
  const late = await arrive(await open({ width: 390 }), 'late@example.com', link);
  await press(late, 'Join');
  await says(late, 'This link has expired, was revoked or used up');
  await expectWellMade(late, 'join-refused');
  allow(late, '400', '403', '404');
});

test('many are invited at once, a role is changed, and a member removed', async () => {
  const { opened: olga, owner, workspace_id } = await ownedWorkspace('olga@example.com', 'Oars');
  const place = { workspace_id, owner };
  const paul = await world.member(place, 'member', await people.signUp('paul@example.com'));
  await world.member(place, 'member', await people.signUp('quin@example.com'));
  await olga.page.reload();
  await says(olga, '3 members');

  await unfold(olga, 'Invite many at once');
  const many = Array.from({ length: 55 }, (_, i) => `row${i}@example.com`);
  const pasted = ['Row <ROW1@example.com>', ...many, 'paul@example.com'].join('\n');
  await field(olga, 'E-mail addresses').fill(pasted);
  await press(olga, 'Send the invitations');
  await says(olga, '55 addresses: invited');
  await says(olga, '1 address: already members');
  const progress = olga.page.getByRole('progressbar');
  expect([await progress.getAttribute('value'), await progress.getAttribute('max')]).toEqual([
    '56',
    '56',
  ]);
  await olga.page
    .getByRole('button', { name: /^Revoke row/ })
    .first()
    .waitFor();
  await expectWellMade(olga, 'members-invited-many');

  await olga.page.getByLabel('Role of paul@example.com').selectOption('Admin');
  await olga.page.getByRole('button', { name: 'Offer ownership paul@example.com' }).waitFor();
  await olga.page.getByRole('button', { name: 'Remove quin@example.com' }).click();
  await says(olga, 'Remove quin@example.com?');
  await expectWellMade(olga, 'members-remove');
  await press(olga, 'Remove');
  await says(olga, '2 members');
  const { body } = await world.as(paul).members.list({ workspace_id, status: 'accepted' });
  expect(body.result.map(({ email, role }: Member) => [email, role])).toEqual(
    expect.arrayContaining([
      ['olga@example.com', 'admin'],
      ['paul@example.com', 'admin'],
    ]),
  );
  expect(body.result).toHaveLength(2);

  await world.drainStream();
  await unfold(olga, 'Show what has happened');
  await says(olga, 'Role changed');
  const search = olga.page.getByRole('searchbox');
  await search.fill('paul');
  await says(olga, '1 found');
});

test('the ownership is offered, and accepted in the other browser', async () => {
  const { opened: rosa, owner, workspace_id } = await ownedWorkspace('rosa@example.com', 'Roses');
  await world.member({ workspace_id, owner }, 'admin', await people.signUp('sven@example.com'));
  await rosa.page.reload();
  await rosa.page.getByRole('button', { name: 'Offer ownership sven@example.com' }).click();
  await says(rosa, 'With it goes the right to delete it.');
  await press(rosa, 'Offer ownership');
  await rosa.page.getByRole('button', { name: 'Withdraw the offer sven@example.com' }).waitFor();

  const sven = await arrive(await open({ width: 390 }), 'sven@example.com', at('workspaces'));
  await follow(sven, 'You are offered the ownership');
  await says(sven, 'rosa@example.com offers you this workspace.');
  await expectWellMade(sven, 'ownership');
  await press(sven, 'Accept');
  await says(sven, 'The workspace is yours.');
  await follow(sven, 'To the workspace');
  await sven.page.getByRole('button', { name: 'Remove rosa@example.com' }).waitFor();
  await expectWellMade(sven, 'members-owner');
  await rosa.page.goto(at('ownership', { workspace_id }));
  await says(rosa, 'This workspace is not offered to you.');
});
