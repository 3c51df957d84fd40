import { expect, test } from 'vitest';
import { expectAccessible, useBrowser } from './browser.ts';
import { confirm, dialog, startConsoleStage, startReceiver } from './console-stage.ts';
import { allow, field, follow, heading, press, says } from './hosted-stage.ts';

/** The tasks of an operator in the console, from a new project to the deletion of a user. */
const stage = await startConsoleStage();
const { world, project, enter, at, settle } = stage;
const { open } = useBrowser();
const ada = await world.user({ project, email: 'ada@example.com', display_name: 'Ada Lovelace' });
const backend = world.as(project.basic);
// The list of users is eventually consistent, by about a second.
await settle();

test('the address of the terminal signs the operator in, and no page, address or storage keeps its token', async () => {
  const opened = await open();
  const { page, context, problems } = opened;
  await page.goto(stage.origin);
  await says(opened, 'Open the address that the terminal of the console shows.');
  await page.goto(`${stage.origin}/#token=wrong`);
  await page.reload();
  await says(opened, 'This address is not that of the console that runs now.');
  allow(opened, '403');
  await page.goto('about:blank');
  await enter(opened);
  expect(page.url()).toBe(`${stage.origin}/`);
  const api = String(await page.evaluate(`localStorage.getItem('console.api')`));
  const [cookie] = await context.cookies(`${stage.origin}${api}`);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate('document.cookie')).toBe('');
  const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
  expect(stored).not.toContain(cookie?.value);
  expect(stored).not.toContain(stage.address.split('=')[1]);
  // Another tab of the same browser is signed in.
  const beside = await open({}, opened);
  await beside.page.goto(`${stage.origin}${at('/users')}`);
  await says(beside, 'Ada Lovelace');
  // The address of an earlier run does not sign out a signed-in operator.
  await beside.page.goto('about:blank');
  await beside.page.goto(`${stage.origin}/#token=earlier`);
  await heading(beside, 'Projects');
  allow(beside, '403');
  expect(beside.page.url()).toBe(`${stage.origin}/`);
  // The path of an earlier run is discarded.
  await beside.page.evaluate(`localStorage.setItem('console.api', '/api/earlier')`);
  await beside.page.goto(`${stage.origin}${at('/users')}`);
  await says(beside, 'Open the address that the terminal of the console shows.');
  allow(beside, '401');
  expect(await beside.page.evaluate(`localStorage.getItem('console.api')`)).toBeNull();
  // Another browser is not signed in.
  const stranger = await open();
  await stranger.page.goto(`${stage.origin}${at('/users')}`);
  await says(stranger, 'Open the address that the terminal of the console shows.');
  expect(problems).toEqual([]);
});

test('the operator creates a project without a secret, and changes its settings', async () => {
  const opened = await enter(await open());
  const { page } = opened;
  await press(opened, 'New project');
  await field(opened, 'Name').fill('Shop');
  await field(opened, 'Id').fill('Not an id');
  await confirm(opened, 'Create');
  await says(opened, /Id must be 1 to 63/);
  allow(opened, '400');
  await field(opened, 'Id').fill('shop');
  await confirm(opened, 'Create');
  await heading(opened, 'Settings');
  await says(opened, 'The backend has no secret yet.');
  await page.getByRole('switch', { name: 'Users sign in with a password' }).click();
  await field(opened, 'Product name in mails').fill('The Shop');
  await press(opened, 'Save');
  await expect
    .poll(async () => {
      const { projects } = (await world.operate({ action: 'list' })) as {
        projects: { project_id: string; password_sign_in?: boolean; mail_sender_name?: string }[];
      };
      const { password_sign_in, mail_sender_name } =
        projects.find(({ project_id }) => project_id === 'shop') ?? {};
      return { password_sign_in, mail_sender_name };
    })
    .toEqual({ password_sign_in: true, mail_sender_name: 'The Shop' });
  await follow(opened, 'Projects');
  await says(opened, 'Shop');
});

test('the operator finds a user while typing, edits, disables and enables them, and acts as them', async () => {
  const opened = await enter(await open(), at('/users'));
  const { page } = opened;
  await settle();
  await page.getByRole('searchbox', { name: 'Find users' }).pressSequentially('ada ');
  await expect.poll(() => page.url()).toContain('query=ada');
  await page.waitForTimeout(300);
  await page.getByRole('searchbox', { name: 'Find users' }).pressSequentially('lovel');
  await expect.poll(() => page.url()).toContain('query=ada+lovel');
  await follow(opened, 'Ada Lovelace');
  await heading(opened, 'Ada Lovelace');
  await page.goBack();
  await expect.poll(() => page.url()).toContain('query=ada+lovel');
  await page.goForward();
  await heading(opened, 'Ada Lovelace');

  await press(opened, 'Edit');
  await field(opened, 'Id of the backend').fill('customer-1815');
  await confirm(opened, 'Save');
  await says(opened, 'customer-1815');
  const { body: found } = await backend.users.search({ uids: [ada.uid] });
  expect(found.result[0]).toMatchObject({ external_id: 'customer-1815', email: 'ada@example.com' });
  // Cancelled edits are gone, and a concurrent change appears once the view has loaded it.
  await press(opened, 'Edit');
  await field(opened, 'E-mail').fill('cancelled@example.com');
  await confirm(opened, 'Cancel');
  await backend.users.update({ uid: ada.uid, external_id: 'customer-1816' });
  await press(opened, 'Disable');
  await confirm(opened, 'Disable');
  await says(opened, 'customer-1816');
  await press(opened, 'Edit');
  expect(await field(opened, 'E-mail').inputValue()).toBe('ada@example.com');
  expect(await field(opened, 'Id of the backend').inputValue()).toBe('customer-1816');
  expect(await dialog(opened).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await confirm(opened, 'Cancel');
  await press(opened, 'Enable');
  await confirm(opened, 'Enable');
  await page.getByRole('button', { name: 'Disable' }).waitFor();

  await press(opened, 'Edit metadata');
  await field(opened, 'Of the application').fill('{"plan":"pro"}');
  await field(opened, 'Private').fill('[1]');
  expect(await dialog(opened).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await field(opened, 'Private').fill('');
  await confirm(opened, 'Save');
  await says(opened, '"plan": "pro"');
  // The field shows the value before it is stored.
  await expect
    .poll(async () => (await backend.users.getMetadata({ uid: ada.uid })).body)
    .toEqual({ app_metadata: { plan: 'pro' } });

  await press(opened, 'Disable');
  await confirm(opened, 'Disable');
  await says(opened, 'disabled');
  await says(opened, 'Nobody is signed in as this user.');
  expect((await world.as(ada.bearer).users.getMe()).status).toBe(401);
  await press(opened, 'Enable');
  await confirm(opened, 'Enable');
  await page.getByRole('button', { name: 'Disable' }).waitFor();

  await press(opened, 'Act as');
  await field(opened, 'Who you are').fill('grace@example.com');
  await field(opened, 'Reason').fill('Ticket 42');
  // The token, which is shown this once, outlasts a page that cannot be read again.
  await page.route('**/users/search*', (route) => route.fulfill({ status: 403, json: {} }));
  await confirm(opened, 'Start a session');
  await says(opened, 'This did not work');
  const token = (await dialog(opened).locator('pre').textContent()) ?? '';
  allow(opened, '403');
  const { body } = await backend.sessions.introspect({ token });
  expect(body).toMatchObject({ active: true, sub: ada.uid, act: { sub: 'grace@example.com' } });
  await page.getByRole('button', { name: 'Close' }).click();
  await page.unroute('**/users/search*');
  await press(opened, 'Try again');
  await says(opened, 'acted by grace@example.com');
  await press(opened, 'End');
  await confirm(opened, 'End');
  await says(opened, 'Nobody is signed in as this user.');
  expect((await backend.sessions.introspect({ token })).body).toEqual({ active: false });
  await expectAccessible(opened);
});

test('each page of a list has its own address, and "back" leads to the page before', async () => {
  const crowded = await world.newProject();
  for (let i = 0; i < 30; i += 1)
    await world.call({
      method: 'POST',
      path: '/users',
      auth: crowded.basic,
      body: { email: `p${i}@example.com` },
    });
  await settle();
  const opened = await enter(await open({ width: 390 }), `/projects/${crowded.project_id}/users`);
  const { page } = opened;
  await says(opened, 'p29@example.com');
  await press(opened, 'Next page');
  await says(opened, 'p0@example.com');
  expect(page.url()).toContain('cursor=');
  // A deep link shows the page.
  await page.reload();
  await says(opened, 'p0@example.com');
  await page.goBack();
  await says(opened, 'p29@example.com');
  await page.goForward();
  await press(opened, 'First page');
  await says(opened, 'p29@example.com');
});

test('the operator edits a workspace, and adds, promotes, suspends and removes a member', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Engines' });
  const bob = await world.user({ project, email: 'bob@example.com' });
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  const memberOf = async () => {
    const { status, body } = await backend.members.get({ workspace_id, user_id: bob.uid });
    return status === 404 ? 'none' : `${body.role}${body.suspended ? ', suspended' : ''}`;
  };
  // Only changed fields are sent, and only if nobody else has changed the workspace.
  await press(opened, 'Edit');
  await backend.workspaces.update({ workspace_id, description: 'Of somebody else' });
  await field(opened, 'Name').fill('Difference engines');
  await confirm(opened, 'Save');
  await dialog(opened).getByRole('alert').waitFor();
  allow(opened, '412');
  await confirm(opened, 'Cancel');
  await opened.page.reload();
  await says(opened, 'Of somebody else');
  await press(opened, 'Edit');
  await field(opened, 'Name').fill('Difference engines');
  await confirm(opened, 'Save');
  await heading(opened, 'Difference engines');
  await says(opened, 'Of somebody else');
  await press(opened, 'Add a member');
  await field(opened, 'E-mail').fill('nobody@example.com');
  await confirm(opened, 'Add');
  await says(opened, 'No user has the e-mail nobody@example.com.');
  await field(opened, 'E-mail').fill('bob@example.com');
  await confirm(opened, 'Add');
  await expect.poll(memberOf).toBe('member');
  await press(opened, 'Change');
  await dialog(opened).getByRole('combobox', { name: 'Role' }).click();
  await opened.page.getByRole('option', { name: 'admin' }).click();
  await dialog(opened).getByRole('switch', { name: 'Suspended' }).click();
  await confirm(opened, 'Save');
  await expect.poll(memberOf).toBe('admin, suspended');
  await press(opened, 'Remove');
  await confirm(opened, 'Remove');
  await expect.poll(memberOf).toBe('none');
  await opened.page.getByRole('tab', { name: 'Audit log' }).click();
  await settle();
  await opened.page.reload();
  await says(opened, 'workspace.member.removed');
});

test('the operator requires a second factor of the members of a workspace, and ends that', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Vault' });
  await world.operate({ action: 'update', project_id: project.project_id, mfa: 'optional' });
  const opened = await enter(await open(), at(`/workspaces/${workspace_id}`));
  const readWorkspace = async () => (await backend.workspaces.get({ workspace_id })).body;
  await press(opened, 'Require a second factor');
  await dialog(opened).getByLabel('Days until then').fill('14');
  await confirm(opened, 'Require it');
  await expect.poll(async () => (await readWorkspace()).require_mfa).toBe(true);
  const { mfa_required_at } = await readWorkspace();
  await says(opened, /in 1[34] days/);
  expect(Math.round((Date.parse(mfa_required_at) - Date.now()) / 86_400_000)).toBe(14);
  await press(opened, 'Require no second factor');
  await confirm(opened, 'Require no second factor');
  await expect.poll(async () => (await readWorkspace()).require_mfa).toBeUndefined();
  expect(await readWorkspace()).not.toHaveProperty('require_mfa');
});

test('the operator creates a webhook, sees its attempts, sends an event again and deletes it', async () => {
  const receiver = await startReceiver();
  receiver.answer(500);
  const opened = await enter(await open(), at('/webhooks'));
  const { page } = opened;
  await says(opened, 'Events of this project are sent to nobody yet.');
  await press(opened, 'New webhook');
  await field(opened, 'URL').fill(receiver.url);
  await confirm(opened, 'Create');
  await expect.poll(() => dialog(opened).locator('pre').textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Close' }).click();
  await world.user({ project, email: 'carl@example.com' });
  await settle();
  const before = receiver.got.length;
  expect(before).toBeGreaterThan(0);
  await follow(opened, receiver.url);
  await says(opened, 'failing');
  receiver.answer(204);
  await page
    .getByRole('row', { name: /user\.created/ })
    .first()
    .getByRole('button')
    .click();
  await confirm(opened, 'Send again');
  await expect
    .poll(async () => {
      await settle();
      return receiver.got.length;
    })
    .toBeGreaterThan(before);
  await page.getByText('204').first().waitFor();
  await press(opened, 'Delete');
  await field(opened, `Type ${new URL(receiver.url).host} to confirm`).fill(
    new URL(receiver.url).host,
  );
  await confirm(opened, 'Delete');
  await heading(opened, 'Webhooks');
});

test('new events appear without a reload; the view can be paused and filtered', async () => {
  const opened = await enter(await open(), at('/events'));
  const { page } = opened;
  await says(opened, 'Live');
  await world.user({ project, email: 'dora@example.com' });
  await settle();
  await says(opened, 'dora@example.com');
  await press(opened, 'Pause');
  await world.user({ project, email: 'eve@example.com' });
  await settle();
  await says(opened, 'Paused');
  await page.waitForTimeout(2_500);
  expect(await page.getByText('eve@example.com').count()).toBe(0);
  await press(opened, 'Go on');
  await says(opened, 'eve@example.com');
  await page.goto(`${stage.origin}${at('/events?types=user.deleted')}`);
  await says(opened, /none among the last \d+ events/);
  await page.goto(`${stage.origin}${at('/events?types=user.created')}`);
  await says(opened, 'eve@example.com');
  expect(await page.locator('.events').getByText('session.started').count()).toBe(0);
});

test('the operator imports users from a file after a dry run, and sees the refused lines', async () => {
  const target = await world.newProject();
  const opened = await enter(await open(), `/projects/${target.project_id}/import`);
  const { page } = opened;
  const valid = Array.from({ length: 230 }, (_, i) =>
    JSON.stringify({ email: `import${i}@example.com`, external_id: `${i}` }),
  );
  const lines = [...valid.slice(0, 5), '{"email":"no mail"}', 'no JSON', ...valid.slice(5), ''];
  const buffer = Buffer.from(lines.join('\n'));
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'users.jsonl', mimeType: 'application/jsonl', buffer });
  await press(opened, 'Start the dry run');
  await says(opened, '100 %: 230 created, 0 there already, 2 refused');
  await says(opened, 'Nothing was changed.');
  const { users } = world.as(target.basic);
  await settle();
  expect((await users.list({})).body.result).toEqual([]);
  await page.getByRole('checkbox', { name: /^Dry run/ }).click();
  await press(opened, 'Import');
  await says(opened, 'The whole file is done.');
  const refused = page.getByRole('table', { name: 'Refused lines' });
  expect(await refused.getByRole('row').nth(1).textContent()).toMatch(/^6no mailemail: /);
  expect(await refused.getByRole('row').nth(2).textContent()).toBe(
    '7no JSONThis line is no JSON object.',
  );
  await expectAccessible(opened);
  // A repeated import changes nothing.
  await press(opened, 'Import');
  await says(opened, '100 %: 0 created, 230 there already, 2 refused');
  await settle();
  expect((await users.list({ email: 'import229@example.com' })).body.result).toHaveLength(1);
});

test('deleting a user requires their e-mail, and opening their address does not create them again', async () => {
  const deleted = await world.user({ project, email: 'frank@example.com' });
  const opened = await enter(await open(), at(`/users/${deleted.uid}`));
  await press(opened, 'Delete');
  await field(opened, 'Type frank@example.com to confirm').fill('frank@example.com');
  await confirm(opened, 'Delete');
  await heading(opened, 'Users');
  expect((await backend.users.search({ uids: [deleted.uid] })).body.total).toBe(0);
  // Opening the address does not create the user again.
  await opened.page.goto(`${stage.origin}${at(`/users/${deleted.uid}`)}`);
  await heading(opened, 'No such user');
  expect((await backend.users.search({ uids: [deleted.uid] })).body.total).toBe(0);
});

test('the mails of the local service are shown, with links that open', async () => {
  const { workspace_id } = await world.workspace({ owner: ada, name: 'Mills' });
  await backend.invitations.create({ workspace_id, email: 'guest@example.com', role: 'member' });
  await settle();
  const opened = await enter(await open(), '/mails');
  await opened.page.getByRole('button', { name: /guest@example\.com/ }).click();
  // The mail about the second factor of another workspace is shown too.
  const mail = opened.page.frameLocator('iframe[title*="Mills"]');
  await expect.poll(() => mail.getByText('Mills').first().isVisible()).toBe(true);
  const [tab] = await Promise.all([
    opened.context.waitForEvent('page'),
    mail.getByRole('link').first().click(),
  ]);
  await tab.close();
});

test('a failed request shows a message, and "Try again" repeats it', async () => {
  const opened = await enter(await open(), at('/users'));
  const { page } = opened;
  await says(opened, 'Ada Lovelace');
  await page.route('**/users?*', (route) => route.abort('connectionrefused'));
  await page.getByRole('searchbox', { name: 'Find users' }).fill('ada');
  await says(opened, 'The console does not answer.');
  await page.unroute('**/users?*');
  await press(opened, 'Try again');
  await says(opened, 'Ada Lovelace');
  for (const problem of opened.problems.splice(0)) expect(problem).toContain('CONNECTION_REFUSED');
});
