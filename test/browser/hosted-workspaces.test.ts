import { expect, test } from 'vitest';
import type { Member } from '../../shared/model/workspace-resources.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import {
  allow,
  field,
  follow,
  press,
  says,
  settled,
  startHostedStage,
  unfold,
} from './hosted-stage.ts';

/**
 * Several users in a workspace, each in their own browser. Joining by a mail or a link is covered by
 * hosted-end-to-end.test.ts.
 */
const { world, people, at, arrive, ownedWorkspace } = await startHostedStage();
const { open } = useBrowser();

test('a user accepts an invitation in the list of workspaces, and leaves the workspace', async () => {
  const { opened: ines, workspace_id } = await ownedWorkspace(
    await open(),
    'ines@example.com',
    'Islands',
  );
  await people.signUp('hugo@example.com');
  await field(ines, 'E-mail').fill('hugo@example.com');
  await press(ines, 'Send the invitation');
  await says(ines, 'We have sent an invitation to hugo@example.com.');
  const hugo = await arrive(await open({ width: 390 }), 'hugo@example.com', at('workspaces'));
  await says(hugo, 'ines@example.com invites you');
  await expectWellMade(hugo, 'workspaces-invited');
  await hugo.page.getByRole('button', { name: 'Accept Islands' }).click();
  await hugo.page.getByRole('link', { name: 'Islands' }).waitFor();
  // A refusal takes away what the page said of the invitation before.
  await field(ines, 'E-mail').fill('hugo@example.com');
  await press(ines, 'Send the invitation');
  await says(ines, 'Already a member.');
  await expect(ines.page.getByText('We have sent an invitation').count()).resolves.toBe(0);
  allow(ines, '409');
  await hugo.page.getByRole('button', { name: 'Leave Islands' }).click();
  await says(hugo, 'Leave this workspace?');
  await press(hugo, 'Leave');
  await says(hugo, 'You are in no workspace yet.');
  await hugo.page.goto(at('members', { workspace_id }));
  await says(hugo, 'There is no such thing, or you may not see it.');
  allow(hugo, '404');
});

test('an owner invites many users at once, changes a role, and removes a member', async () => {
  const {
    opened: olga,
    owner,
    workspace_id,
  } = await ownedWorkspace(await open(), 'olga@example.com', 'Oars');
  const place = { workspace_id, owner };
  const paul = await world.member(place, 'member', await people.signUp('paul@example.com'));
  await world.member(place, 'member', await people.signUp('quin@example.com'));
  await olga.page.reload();
  await says(olga, '3 members');

  await unfold(olga, 'Invite many at once');
  // An invalid address is named, and no user is invited: a list that was sent in part would not be sent again.
  await field(olga, 'E-mail addresses').fill('Row, A. <row@example.com>\nrow9.example.com\nRow');
  await press(olga, 'Send the invitations');
  await says(olga, 'Enter an e-mail address, such as ada@example.com. row9.example.com, Row');
  await field(olga, 'E-mail addresses').fill('row@example.com, row8.example.com');
  await press(olga, 'Send the invitations');
  await says(olga, 'Enter an e-mail address, such as ada@example.com. row8.example.com');
  await says(olga, 'No invitations.');
  const many = Array.from({ length: 55 }, (_, i) => `row${i}@example.com`);
  // Browsers write a domain as DNS has it in a field for an e-mail, but not in a text.
  const pasted = [
    'Row <ROW1@example.com>',
    'Row@B\u00dcCHER.example',
    ...many,
    'paul@example.com',
  ].join('\n');
  await field(olga, 'E-mail addresses').fill(pasted);
  await press(olga, 'Send the invitations');
  await says(olga, '56 addresses: invited');
  await says(olga, '1 address: already members');
  const progress = olga.page.getByRole('progressbar');
  expect([await progress.getAttribute('value'), await progress.getAttribute('max')]).toEqual([
    '57',
    '57',
  ]);
  const { body: listed } = await world.as(owner).invitations.list({ workspace_id, limit: 100 });
  const emails = listed.result.map(({ email }: { email: string }) => email);
  expect(emails).toContain('row@xn--bcher-kva.example');
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

test('an owner offers the ownership, and the other user accepts it', async () => {
  const {
    opened: rosa,
    owner,
    workspace_id,
  } = await ownedWorkspace(await open(), 'rosa@example.com', 'Roses');
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
  // The offer ends while its page is open.
  const late = await open({ width: 390 }, sven);
  await late.page.goto(sven.page.url());
  await says(late, 'rosa@example.com offers you this workspace.');
  await press(sven, 'Accept');
  await says(sven, 'The workspace is yours.');
  await follow(sven, 'To the workspace');
  await sven.page.getByRole('button', { name: 'Remove rosa@example.com' }).waitFor();
  await expectWellMade(sven, 'members-owner');
  await press(late, 'Accept');
  await says(late, 'The workspace is yours.');
  allow(late, '403');
  await rosa.page.goto(at('ownership', { workspace_id }));
  await says(rosa, 'This workspace is not offered to you.');
});

test('a user to whom many workspaces are open reads that there may be more', async () => {
  const tina = await arrive(
    await open({ width: 390 }),
    (await people.signUp('tina@example.com')).email,
    at('workspaces'),
  );
  const show = async (count: number, more: object = {}) => {
    const same_domain_workspaces = Array.from({ length: count }, (_, number) => ({
      ...{ workspace_id: `wid-${number}`, name: `Trees ${number}`, domain: 'example.com' },
      ...{ mode: 'suggest', proven: true },
    }));
    await tina.page.route('**/workspaces/invited/search*', (route) =>
      route.fulfill({
        json: { invited_workspaces: [], same_domain_workspaces, requested_workspaces: [], ...more },
      }),
    );
    const answered = tina.page.waitForResponse('**/workspaces/invited/search*');
    await tina.page.reload();
    await answered;
    await settled(tina);
    return tina.page.getByText('There may be more. If one is missing, ask').count();
  };
  const more = { more_same_domain_workspaces: true };
  // The user may be a member of all that the service has looked at, or of most: a page cannot count them.
  expect([await show(100), await show(99, more), await show(0), await show(0, more)]).toEqual([
    ...[0, 1, 0, 1],
  ]);
  await expectWellMade(tina, 'workspaces-open-elsewhere');
  await show(100, more);
  await expectWellMade(tina, 'workspaces-open-many');
});
