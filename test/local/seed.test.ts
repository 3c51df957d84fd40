/** @module-tag alone */

import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../local/engine/engine.ts';
import { ensureTable } from '../../local/engine/table.ts';
import { setEnvironment, tableName } from '../../local/environment.ts';
import { operate } from '../../local/operator.ts';
import { seedProjects } from '../../local/seed.ts';
import { newFolder } from '../support/folder.ts';

type Summary = { project_id: string; secrets: unknown[] };

let engine: Awaited<ReturnType<typeof startEngine>>;
let client: DynamoDBClient;
beforeAll(async () => {
  engine = await startEngine();
  setEnvironment({ dynamodb: engine.endpoint });
  client = new DynamoDBClient({ endpoint: engine.endpoint });
  await ensureTable(client, tableName);
});
afterAll(async () => {
  client.destroy();
  await engine.close();
});

const seed = (id: string) => seedProjects(client, [id], undefined);
const show = async (id: string) => {
  const { projects } = (await operate({ action: 'list' })) as { projects: Summary[] };
  return projects.find(({ project_id }) => project_id === id);
};
const everythingOn = (name: string) => ({
  password_sign_in: true,
  code_sign_in: true,
  link_sign_in: true,
  sign_up: true,
  mail_sender_name: name,
  hosted_pages: true,
  impersonation: 'notify',
  workspace_roles: true,
});
const aClient = {
  redirect_uris: ['http://localhost:5173/callback', 'http://localhost:3000/callback'],
  post_logout_redirect_uris: ['http://localhost:5173/', 'http://localhost:3000/'],
};
const aProject = (project_id: string, name: string) => ({
  project_id,
  name,
  create_users_on_get: true,
  created_at: expect.any(String),
  modified_at: expect.any(String),
});

test('a new project has every sign-in method on', async () => {
  expect(await seed('new')).toEqual([
    {
      project_id: 'new',
      secret: expect.stringMatching(/^wsk_/),
      client: { client_id: 'new.backend', secret: expect.stringMatching(/^wsk_/) },
    },
  ]);
  expect(await show('new')).toEqual({
    ...aProject('new', 'new'),
    ...everythingOn('new'),
    invitation_base_url: 'https://example.invalid/join',
    oauth_clients: [
      {
        ...aClient,
        client_id: 'new.backend',
        name: 'Backend',
        confidential: true,
        secrets: [expect.anything()],
      },
      { ...aClient, client_id: 'new.web', name: 'Web app', confidential: false, secrets: [] },
    ].map((each) => expect.objectContaining(each)),
    secrets: [expect.anything()],
  });
});

test("the client's secret is read from the file, and left out once the client is deleted", async () => {
  const file = join(newFolder(onTestFinished), 'projects.json');
  const start = async () => (await seedProjects(client, ['kept'], file))[0];
  const first = await start();
  expect(first?.client?.client_id).toBe('kept.backend');
  expect(await start()).toEqual(first);
  await operate({ action: 'delete-client', project_id: 'kept', client: 'backend' });
  const { project_id, secret } = first ?? {};
  expect(await start()).toEqual({ project_id, secret });
});

test('an old project without sign-in settings gets them once; settings turned off later stay off', async () => {
  const project_id = 'old';
  const invitation_base_url = 'https://old.example/join';
  await operate({ action: 'create', project_id, name: 'Old', invitation_base_url });
  await seed(project_id);
  const expected = { ...aProject(project_id, 'Old'), ...everythingOn('Old'), invitation_base_url };
  expect(await show(project_id)).toMatchObject(expected);
  const off = {
    password_sign_in: false,
    code_sign_in: false,
    link_sign_in: false,
    sign_up: false,
  };
  const nothing = { mail_sender_name: null, hosted_pages: false };
  await operate({ action: 'update', project_id, ...off, ...nothing });
  const before = await show(project_id);
  await seed(project_id);
  const { mail_sender_name: _, ...rest } = expected;
  const secrets = [expect.anything(), ...(before?.secrets ?? [])];
  expect(await show(project_id)).toEqual({ ...rest, ...off, hosted_pages: false, secrets });
});

test.each([
  { password_sign_in: false },
  { mail_sender: 'a@example.com' },
  { identity_providers: {} },
  { min_password_length: 8 },
])('a project with its own settings does not change: %j', async (setting) => {
  const made = await operate({ action: 'create', name: 'Own', ...setting });
  const { project_id } = made as Summary;
  const before = await show(project_id);
  await seed(project_id);
  const { modified_at: _, secrets: __, ...rest } = before as Summary & { modified_at: string };
  expect(await show(project_id)).toMatchObject(rest);
  expect(Object.keys((await show(project_id)) ?? {})).toEqual(Object.keys(before ?? {}));
});

test('a project with ten unknown secrets gets a new one in place of an old one', async () => {
  const made = await operate({ action: 'create', name: 'Many' });
  const { project_id } = made as Summary;
  for (let i = 0; i < 9; i += 1) await operate({ action: 'create-secret', project_id });
  await seed(project_id);
  expect((await show(project_id))?.secrets).toHaveLength(10);
});
