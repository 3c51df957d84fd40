import { expect, test } from 'vitest';
import { expectWellMade, useBrowser } from './browser.ts';
import { field, follow, press, says, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** Workspaces that users create themselves, and how the log shows who acted on whose behalf. */
const stage = await startHostedStage({ workspace_creation: 'verified', impersonation: 'on' });
const { world, people, at, enterAs } = stage;
const { open } = useBrowser();

test('a verified user creates a workspace, and its log also names the actor of an impersonation', async () => {
  const owner = await people.signUp('ada@example.com');
  const ada = await enterAs(await open({ width: 390 }), owner);
  await visit(ada, at('workspaces'));
  await expectWellMade(ada, 'workspaces-new');
  await field(ada, 'Name').fill('Engines');
  await press(ada, 'Create');
  await says(ada, 'Workspace created');
  await follow(ada, 'Engines');
  await says(ada, '1 member');

  const { uid } = owner;
  const actor = { id: 'grace@support.example', reason: 'Ticket 1' };
  const { access_token } = (await world.as(people.project).sessions.create({ uid, actor })).body;
  const acting = world.as(`Bearer ${access_token}`);
  const { result } = (await world.as(owner).workspaces.list()).body;
  const workspace_id = result[0]?.workspace_id ?? '';
  expect((await acting.workspaces.update({ workspace_id, name: 'Machines' })).status).toBe(200);
  await world.drainStream();
  await unfold(ada, 'Show what has happened');
  await says(ada, `By grace@support.example as user ${uid}`);
  await says(ada, `By user ${uid}`);
  await expectWellMade(ada, 'log-impersonator');
});

test('a user who may not create workspaces sees no form', async () => {
  const bob = await world.user({ project: people.project });
  const opened = await enterAs(await open(), bob);
  await visit(opened, at('workspaces'));
  await says(opened, 'You are in no workspace yet.');
  expect(await opened.page.getByRole('heading', { name: 'New workspace' }).count()).toBe(0);
});
