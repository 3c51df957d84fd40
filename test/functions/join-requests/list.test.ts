import { expect, test } from 'vitest';
import { pagesFrom } from '../../support/paging.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const pathOf = (workspace_id: string) => `/workspaces/${workspace_id}/join_requests`;
const list = (workspace_id: string, auth = project.basic) =>
  as(auth).joinRequests.list({ workspace_id });
const open = async (domain: string) => {
  const workspace = await world.workspace();
  await as(project).workspaces.setAllowedDomains({
    workspace_id: workspace.workspace_id,
    allowed_domains: [domain],
  });
  return workspace;
};
let people = 0;
const newPerson = (domain: string): Promise<Person> => {
  people += 1;
  const email = `p${people}@${domain}`;
  return world.user({ email, verified: true, display_name: `P${people}` });
};
const asker = async (workspace_id: string, domain: string, body: object = {}): Promise<Person> => {
  const person = await newPerson(domain);
  await as(person).joinRequests.create({ workspace_id, ...body });
  return person;
};

test('200 lists requests, longest waiting first, each with the current public profile of its user', async () => {
  const { workspace_id, owner } = await open('list.com');
  // The first of the table, because ids contain the time.
  const two = await newPerson('list.com');
  const one = await asker(workspace_id, 'list.com', { message: 'Please' });
  await as(two).joinRequests.create({ workspace_id });
  await as(one).users.update({ uid: one.uid, display_name: 'Renamed' });
  const { status, body } = await list(workspace_id, owner.bearer);
  expect(status).toBe(200);
  const of = ({ uid, email }: Person, display_name: string) => ({
    uid,
    email,
    profile_url: '',
    preferred_username: '',
    thumbnail_url: '',
    name: { given_name: '', family_name: '', formatted: '' },
    display_name,
    verified: { email: true },
  });
  expect(body).toEqual({
    total: 2,
    count: 2,
    result: [
      {
        workspace_id,
        user_id: one.uid,
        message: 'Please',
        created_at: expect.any(String),
        user: of(one, 'Renamed'),
      },
      {
        workspace_id,
        user_id: two.uid,
        created_at: expect.any(String),
        user: of(two, `P${people - 1}`),
      },
    ],
  });
});

test('200 omits requests that have expired or were withdrawn, and those of members', async () => {
  const workspace = await open('gone.com');
  const { workspace_id } = workspace;
  const expired = await asker(workspace_id, 'gone.com');
  const key = { pk: `WS#${workspace_id}`, sk: `REQUEST#${expired.uid}` };
  await world.table.update(key, { expires_at: Math.floor(Date.now() / 1_000) });
  const back = await asker(workspace_id, 'gone.com');
  await as(back).joinRequests.delete({ workspace_id, user_id: back.uid });
  const added = await asker(workspace_id, 'gone.com');
  await world.member(workspace, 'member', added);
  const joined = await asker(workspace_id, 'gone.com');
  const body = { workspace_id, user_id: joined.uid };
  await as(joined).members.join(body);
  expect((await list(workspace_id)).body).toEqual({ total: 0, count: 0, result: [] });
  const left = await world.table.query(`WS#${workspace_id}`, 'REQUEST#');
  expect(left.map(({ user_id }) => user_id)).toEqual([expired.uid]);
});

test('200 omits a request that was stored concurrently with its membership', async () => {
  const workspace = await open('instant.com');
  const { workspace_id } = workspace;
  const both = await asker(workspace_id, 'instant.com');
  const request = await world.table.query(`WS#${workspace_id}`, 'REQUEST#');
  await world.member(workspace, 'member', both);
  for (const item of request) await world.table.put(item);
  expect((await list(workspace_id)).body).toEqual({ total: 0, count: 0, result: [] });
});

test('200 pages have no gaps or repeats', async () => {
  const { workspace_id, owner } = await open('pages.com');
  const asked = [];
  for (let i = 0; i < 7; i += 1) asked.push((await asker(workspace_id, 'pages.com')).uid);
  const path = `${pathOf(workspace_id)}?limit=3`;
  const pages = await pagesFrom(world, path, owner.bearer);
  expect(pages.map(({ body }) => [body.total, body.count])).toEqual([
    [7, 3],
    [7, 3],
    [7, 1],
  ]);
  const listed = pages.flatMap(({ body }) => body.result as { user_id: string }[]);
  expect(listed.map(({ user_id }) => user_id)).toEqual(asked);
});
