import { afterAll, expect, test } from 'vitest';
import { startNameServer } from '../support/name-server.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import {
  allow,
  field,
  press,
  says,
  settled,
  startHostedStage,
  unfold,
  visit,
} from './hosted-stage.ts';

/** Joining a workspace without a mailed invitation, and how its admins manage members and invitations. */
const dns = await startNameServer();
afterAll(() => dns.close());
const { world, people, at, enterAs } = await startHostedStage();
const { open } = useBrowser();

const button = ({ page }: Opened, name: string) => page.getByRole('button', { name, exact: true });
let number = 0;

/** A workspace with its owner on the members page, and a way to open pages as other users. */
async function place(name: string, domain = 'example.com') {
  number += 1;
  const owner = await people.signUp(`owner${number}@${domain}`);
  const { workspace_id } = await world.workspace({ owner, name });
  const admin = await enterAs(await open(), owner);
  const members = at('members', { workspace_id });
  await visit(admin, members);
  return { owner, workspace_id, admin, members };
}

test('an admin adds and verifies a domain by its DNS record; its users can then join at once', async () => {
  const { admin, workspace_id, members, owner } = await place('Domains', 'engines.example');
  const { page, context } = admin;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await says(admin, 'No domains.');
  await unfold(admin, 'Add a domain');
  await field(admin, 'Domain').fill('not a domain');
  await press(admin, 'Add');
  await says(admin, 'This is not valid.');
  allow(admin, '400');
  await field(admin, 'Domain').fill('\uff25ngines\u3002Example');
  await press(admin, 'Add');
  await page.getByLabel('People of engines.example').waitFor();
  expect(
    await page.getByLabel('People of engines.example').locator('option').allTextContents(),
  ).not.toContain('Join at once');

  await unfold(admin, 'Verify this domain');
  await expectWellMade(admin, 'members-domain');
  const copied: string[] = [];
  for (const part of ['Name', 'Value']) {
    await press(admin, `Copy ${part}`);
    await page.getByRole('status').filter({ hasText: 'Copied' }).first().waitFor();
    copied.push(String(await page.evaluate('navigator.clipboard.readText()')));
  }
  const { body } = await world.as(owner).domains.list({ workspace_id });
  const [{ record }] = body.result as [{ record: { name: string; value: string } }];
  expect(copied).toEqual([record.name, record.value]);

  await press(admin, 'Look it up engines.example');
  await says(admin, 'The DNS record was not found.');
  await expectWellMade(admin, 'members-domain-missing');
  allow(admin, '409', '400', '403', '422');
  dns.publish(record.name, record.value);
  await press(admin, 'Look it up engines.example');
  await says(admin, /^Verified on /);
  await page.getByLabel('People of engines.example').selectOption('Join at once');
  await settled(admin);
  await expectWellMade(admin, 'members-domain-proven');

  const eve = await enterAs(await open({ width: 390 }), await people.signUp('eve@engines.example'));
  await visit(eve, at('workspaces'));
  await says(eve, 'For people of engines.example');
  await expectWellMade(eve, 'workspaces-open');
  await press(eve, 'Join Domains');
  await eve.page.getByRole('link', { name: 'Domains' }).waitFor();
  await visit(admin, members);
  await says(admin, '2 members');
});

test('users of a domain ask to join: one is approved, one is refused, one withdraws', async () => {
  const { admin, workspace_id, members, owner } = await place('Requests', 'ask.example');
  await world.as(owner).domains.set({ workspace_id, domain: 'ask.example', mode: 'suggest' });
  const pages: Opened[] = [];
  for (const name of ['ann', 'ben', 'cat']) {
    const one = await enterAs(
      await open({ width: 390 }),
      await people.signUp(`${name}@ask.example`),
    );
    await visit(one, at('workspaces'));
    await press(one, 'Ask to join Requests');
    await says(one, /^Asked on /);
    pages.push(one);
  }
  const [ann, ben, cat] = pages as [Opened, Opened, Opened];
  await expectWellMade(cat, 'workspaces-asked');
  await press(cat, 'Withdraw Requests');
  await says(cat, 'For people of ask.example');

  await visit(admin, members);
  await button(admin, 'Approve ann@ask.example').waitFor();
  expect(await button(admin, 'Approve cat@ask.example').count()).toBe(0);
  await expectWellMade(admin, 'members-requests');
  await press(admin, 'Approve ann@ask.example');
  await says(admin, '2 members');
  await press(admin, 'Refuse ben@ask.example');
  await says(admin, 'Nobody asks to join.');

  await visit(ann, at('workspaces'));
  await ann.page.getByRole('link', { name: 'Requests' }).waitFor();
  await visit(ben, at('workspaces'));
  await says(ben, 'You are in no workspace yet.');
});

test('the join page sends a request with a message where an admin must approve', async () => {
  const { admin, workspace_id, members, owner } = await place('Gate', 'gate.example');
  await world.as(owner).domains.set({ workspace_id, domain: 'gate.example', mode: 'suggest' });
  const gil = await enterAs(await open({ width: 390 }), await people.signUp('gil@gate.example'));
  await visit(gil, at('join', { workspace_id }));
  await press(gil, 'Join');
  await says(gil, 'An admin of this workspace has to let you in.');
  allow(gil, '403', '409');
  await gil.page.getByLabel('Message').fill('It is me, <Gil>');
  await expectWellMade(gil, 'join-ask');
  await press(gil, 'Ask to join');
  await says(gil, 'An admin of the workspace decides about your request.');
  await expectWellMade(gil, 'join-asked');
  await visit(admin, members);
  await says(admin, 'It is me, <Gil>');
});

test('an admin sends an invitation again, and the invited user declines it', async () => {
  const { admin, owner, workspace_id, members } = await place('Invitations');
  const iris = await people.signUp('iris@example.com');
  await world.as(owner).invitations.create({ workspace_id, email: iris.email, role: 'member' });
  const mails = async () => {
    await world.drainStream();
    return world.mails().filter(({ to, text }) => to === iris.email && /invit/i.test(text)).length;
  };
  expect(await mails()).toBe(1);
  await visit(admin, members);
  await press(admin, 'Send again iris@example.com');
  await settled(admin);
  await expect.poll(mails).toBe(2);
  await admin.page.getByLabel('State').selectOption('Expired');
  await says(admin, 'No invitations.');
  await admin.page.getByLabel('State').selectOption('Open');
  await button(admin, 'Send again iris@example.com').waitFor();

  const opened = await enterAs(await open({ width: 390 }), iris);
  await visit(opened, at('workspaces'));
  await press(opened, 'Decline Invitations');
  await says(opened, 'Decline this invitation?');
  await expectWellMade(opened, 'workspaces-decline');
  await press(opened, 'Cancel');
  await press(opened, 'Decline Invitations');
  await opened.page.getByRole('group').getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => button(opened, 'Decline Invitations').count()).toBe(0);
  await visit(admin, members);
  await says(admin, 'No invitations.');
});

test('a suspended member sees nothing of the workspace until an admin resumes them', async () => {
  const { admin, owner, workspace_id, members } = await place('Suspension');
  const joe = await people.signUp('joe@example.com');
  await world.member({ workspace_id, owner }, 'member', joe);
  const opened = await enterAs(await open({ width: 390 }), joe);
  await visit(opened, members);
  await says(opened, '2 members');
  await visit(admin, members);
  await press(admin, 'Suspend joe@example.com');
  await button(admin, 'Resume joe@example.com').waitFor();
  await says(admin, 'Member · suspended');
  await expectWellMade(admin, 'members-suspended');
  await visit(opened, members);
  expect(await opened.page.getByText('owner').count()).toBe(0);
  await opened.page.getByRole('alert').waitFor();
  await expectWellMade(opened, 'members-as-suspended');
  allow(opened, '404', '403');
  await press(admin, 'Resume joe@example.com');
  await button(admin, 'Suspend joe@example.com').waitFor();
  await visit(opened, members);
  await says(opened, '2 members');
});
