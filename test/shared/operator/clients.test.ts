import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { aTime } from '../../support/expectations.ts';
import { aSecret, sentenceOf } from '../../support/operator-answers.ts';
import { startWorld } from '../../support/world.ts';

type Secret = { secret_id: string; created_at: string };
type Client = {
  project_id: string;
  client_id: string;
  name: string;
  confidential: boolean;
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  secrets: Secret[];
  secret?: string;
};
type OfProject = { project_id: string };

const world = await startWorld();
const operate = async <T = Client>(request: object) => (await world.operate(request)) as T;
const on =
  (action: string) =>
  <T = Client>({ project_id }: OfProject, client: string, more: object = {}) =>
    operate<T>({ action, project_id, client, ...more });
const update = on('update-client');
const remove = on('delete-client');
const addSecret = on('create-client-secret');
const revoke = (project: OfProject, client: string, secret_id: string) =>
  on('revoke-client-secret')(project, client, { secret_id });
const web = {
  client_name: 'Web app',
  redirect_uris: ['https://app.example.com/callback', 'http://localhost:5173/callback'],
};
const create = (project: OfProject, client: string, more: object = {}) =>
  on('create-client')(project, client, { ...web, ...more });
const listed = async ({ project_id }: OfProject) => {
  const { projects } = await operate<{
    projects: { project_id: string; oauth_clients?: Client[]; modified_at: string }[];
  }>({ action: 'list' });
  return projects.find((each) => each.project_id === project_id);
};
const clientsOf = async (project: OfProject) => (await listed(project))?.oauth_clients;
const stored = ({ project_id }: OfProject) =>
  world.table.get({ pk: `PROJECT#${project_id}`, sk: 'PROJECT' });
const aClient = ({ project_id }: OfProject, client: string, secrets = 0) => ({
  client_id: `${project_id}.${client}`,
  name: 'Web app',
  confidential: secrets > 0,
  redirect_uris: web.redirect_uris,
  post_logout_redirect_uris: [],
  secrets: Array.from({ length: secrets }, aSecret),
  created_at: aTime(),
});

test('a public client has no secret, and is listed', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  expect(await create(project, 'web')).toEqual({ project_id, ...aClient(project, 'web') });
  expect(await clientsOf(project)).toEqual([aClient(project, 'web')]);
});

test('the secret of a confidential client is returned once; the table has only its digest', async () => {
  const project = await world.newProject();
  const { secret, ...made } = await create(project, 'backend', { confidential: true });
  expect(secret).toMatch(/^wsk_[\w-]{49}$/);
  expect(made).toEqual({ project_id: project.project_id, ...aClient(project, 'backend', 1) });
  expect(await clientsOf(project)).toEqual([aClient(project, 'backend', 1)]);
  const sha256 = createHash('sha256').update(String(secret)).digest('base64url');
  expect(await stored(project)).toMatchObject({ oauth_clients: [{ secrets: [{ sha256 }] }] });
  expect(JSON.stringify(await world.table.all())).not.toContain(secret?.slice(4, -6));
});

test('clients are listed by id, and an id is unique within a project', async () => {
  const [project, other] = [await world.newProject(), await world.newProject()];
  for (const client of ['web', 'app', '0']) await create(project, client);
  await create(other, 'web');
  const { project_id } = project;
  expect((await clientsOf(project))?.map(({ client_id }) => client_id)).toEqual(
    ['0', 'app', 'web'].map((client) => `${project_id}.${client}`),
  );
  expect(await sentenceOf(create(project, 'web', { client_name: 'Another' }))).toBe(
    `The client ${project_id}.web already exists.`,
  );
  expect((await clientsOf(project))?.at(-1)).toEqual(aClient(project, 'web'));
});

test('an update changes the given fields only, and leaves secrets and other clients alone', async () => {
  const project = await world.newProject();
  await create(project, 'app');
  await create(project, 'web', { confidential: true });
  const before = await clientsOf(project);
  const post_logout_redirect_uris = ['https://app.example.com/bye'];
  const changed = { ...before?.[1], post_logout_redirect_uris };
  expect(await update(project, 'web', { post_logout_redirect_uris })).toEqual({
    project_id: project.project_id,
    ...changed,
  });
  const redirect_uris = ['com.example.app:/callback'];
  await update(project, 'web', { client_name: 'App', redirect_uris });
  const after = { ...changed, name: 'App', redirect_uris };
  expect(await clientsOf(project)).toEqual([before?.[0], after]);
  await update(project, 'web', { post_logout_redirect_uris: [] });
  expect((await clientsOf(project))?.[1]).toEqual({ ...after, post_logout_redirect_uris: [] });
});

test('a deleted client is removed and its id is free again; no attribute stays after the last', async () => {
  const project = await world.newProject();
  await create(project, 'app');
  await create(project, 'web');
  const left = await remove<{ oauth_clients?: Client[] }>(project, 'app');
  expect(left.oauth_clients).toEqual([aClient(project, 'web')]);
  expect(await remove(project, 'web')).not.toHaveProperty('oauth_clients');
  expect(await stored(project)).not.toHaveProperty('oauth_clients');
  await create(project, 'web');
  expect(await clientsOf(project)).toEqual([aClient(project, 'web')]);
});

test('the last secret of a confidential client cannot be revoked', async () => {
  const project = await world.newProject();
  const { secrets } = await create(project, 'backend', { confidential: true });
  const id = secrets[0]?.secret_id ?? '';
  const only = `${id} is the only secret of the client ${project.project_id}.backend: create another one first, or delete the client.`;
  expect(await sentenceOf(revoke(project, 'backend', id))).toBe(only);
  const { secret, ...added } = await addSecret(project, 'backend');
  expect(secret).toMatch(/^wsk_[\w-]{49}$/);
  expect(added.secrets).toEqual([aSecret(), secrets[0]]);
  expect((await revoke(project, 'backend', id)).secrets).toEqual([added.secrets[0]]);
  expect(await sentenceOf(revoke(project, 'backend', id))).toBe(
    `The client ${project.project_id}.backend has no secret ${id}.`,
  );
});

test('a public client gets no secret, which would lock out its application', async () => {
  const project = await world.newProject();
  await create(project, 'web', { confidential: false });
  expect(await sentenceOf(addSecret(project, 'web'))).toContain(
    `The client ${project.project_id}.web is public and has no secrets`,
  );
  expect(await clientsOf(project)).toEqual([aClient(project, 'web')]);
});

test('a client has at most ten secrets', async () => {
  const project = await world.newProject();
  await create(project, 'backend', { confidential: true });
  for (let i = 0; i < 9; i += 1) await addSecret(project, 'backend');
  expect(await sentenceOf(addSecret(project, 'backend'))).toBe(
    `The client ${project.project_id}.backend has 10 secrets, which is the limit: revoke one first.`,
  );
  expect((await clientsOf(project))?.[0]?.secrets).toHaveLength(10);
});

test('concurrently, twenty clients are created, further ones are refused, and none is lost', async () => {
  const project = await world.newProject();
  const made = await Promise.allSettled(
    Array.from({ length: 22 }, (_, i) => create(project, `c${i}`, { confidential: true })),
  );
  const refused = made.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.map(({ reason }) => (reason as Error).message)).toEqual(
    Array.from(
      { length: 2 },
      () =>
        `The project ${project.project_id} has 20 clients, which is the limit: delete one first.`,
    ),
  );
  const ids = made.flatMap((each) => (each.status === 'fulfilled' ? each.value.client_id : []));
  expect((await clientsOf(project))?.map(({ client_id }) => client_id)).toEqual(ids.sort());
});

test('concurrent changes of one client and of its project are all kept', async () => {
  const project = await world.newProject();
  await create(project, 'backend', { confidential: true });
  const { project_id } = project;
  await Promise.all([
    addSecret(project, 'backend'),
    addSecret(project, 'backend'),
    update(project, 'backend', { client_name: 'New' }),
    create(project, 'web'),
    operate({ action: 'update', project_id, hosted_pages: true }),
    operate({ action: 'create-secret', project_id }),
  ]);
  expect(await listed(project)).toMatchObject({
    hosted_pages: true,
    oauth_clients: [
      { name: 'New', secrets: [aSecret(), aSecret(), aSecret()] },
      { name: 'Web app' },
    ],
    secrets: [aSecret(), aSecret()],
  });
});

const actions = [
  ['create-client', web],
  ['update-client', {}],
  ['delete-client', {}],
  ['create-client-secret', {}],
  ['revoke-client-secret', { secret_id: '00000000' }],
] as const;

test.each(actions)('%s refuses an unknown project and does not create it', async (action, more) => {
  const nobodys = { project_id: 'nobodys' };
  expect(await sentenceOf(on(action)(nobodys, 'web', more))).toBe(
    'The project nobodys does not exist.',
  );
  expect(await stored(nobodys)).toBeUndefined();
});

test.each(actions.slice(1))('%s refuses an unknown client', async (action, more) => {
  const project = await world.newProject();
  const before = await stored(project);
  expect(await sentenceOf(on(action)(project, 'web', more))).toBe(
    `The client ${project.project_id}.web does not exist.`,
  );
  expect(await stored(project)).toEqual(before);
});

const uris = (redirect_uris: unknown[]) => ({ redirect_uris });

test('a refusal names every wrong field', async () => {
  const wrong = {
    action: 'create-client',
    project_id: 'A B',
    client: 'a.web',
    client_name: '',
    redirect_uris: [],
    post_logout_redirect_uris: Array.from({ length: 11 }, () => 'https://a.example'),
    confidential: 'yes',
    secret: 'mine',
  };
  const sentence = await sentenceOf(operate(wrong));
  const names = sentence.split('; ').map((each) => each.slice(0, each.indexOf(':')));
  expect(names.sort()).toEqual([
    'client',
    'client_name',
    'confidential',
    'post_logout_redirect_uris',
    'project_id',
    'redirect_uris',
    'request',
  ]);
});

test.each<[string, object]>([
  ['create-client', { ...web, ...uris(Array.from({ length: 11 }, () => 'https://a.example')) }],
  ['create-client', { ...web, ...uris([`https://a.example/${'a'.repeat(500)}`]) }],
  ['create-client', { ...web, client_name: 'a\nb' }],
  ['create-client', { redirect_uris: web.redirect_uris }],
  ['update-client', uris([])],
  ['update-client', { confidential: true }],
  ['update-client', { secrets: [] }],
  ['revoke-client-secret', { secret_id: 'wsk_x' }],
])('%s is refused with %j', async (action, more) => {
  const project = await world.newProject();
  if (action !== 'create-client') await create(project, 'web');
  const before = await stored(project);
  await expect(on(action)(project, 'web', more)).rejects.toThrow(/^\w+(\.\d+)?: /);
  expect(await stored(project)).toEqual(before);
});
