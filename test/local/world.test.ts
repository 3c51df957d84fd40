import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

const world = await startWorld();

test('the world serves every maker over real HTTP and enforces the grants', async () => {
  const owner = await world.user({ verified: true });
  expect(await world.call('GET', '/users/me', owner.bearer)).toMatchObject({
    status: 200,
    body: { uid: owner.uid, verified: { email: true } },
  });
  const workspace = await world.workspace({ owner });
  const admin = await world.member(workspace, 'admin');
  await world.invited(workspace);
  const members = await world.call({
    method: 'GET',
    path: `/workspaces/${workspace.workspace_id}/users`,
    auth: world.project.basic,
    query: { status: 'accepted' },
  });
  expect(members.body).toMatchObject({ total: 2, count: 2 });
  await world.call('PUT', `/users/${admin.uid}`, admin.bearer, { display_name: 'Ada' });
  await world.drainStream();
  const [item] = await world.table.query(`WS#${workspace.workspace_id}`, `MEMBER#${admin.uid}`);
  expect(item?.['profile']).toContain('"Ada"');
  expect(world.permissions.used.get('stream.consume')).toContain('queue:changes');
  const other = await world.newProject();
  expect((await world.call('GET', `/users/${owner.uid}`, other.basic)).status).toBe(404);
});

test('the world sends mail as AWS would, and can be told that it fails', async () => {
  const { project_id } = await world.newProject({ code_sign_in: true, sign_up: true });
  await world.drainStream();
  const before = world.mails().length;
  const mails = () => world.mails().slice(0, world.mails().length - before);
  const ask = (email: string) =>
    world.call('POST', '/codes', undefined, { project_id, email: `${email}@example.com` });
  await ask('first');
  expect(mails()).toEqual([]);
  await world.drainStream();
  world.outbox.failNext({ status: 429, code: 'TooManyRequestsException' }, 3);
  await ask('second');
  await world.drainStream();
  expect(mails().map(({ to }) => to)).toEqual(['second@example.com', 'first@example.com']);
  expect(world.mails()[0]?.from).toContain('no-reply@example.com');
  expect((await world.call('GET', '/_local/mail.json')).body).toEqual(world.mails());
  expect((await world.call('GET', '/_local/mail')).status).toBe(200);
  const used = [...(world.permissions.used.get('mail.send') ?? [])];
  expect(used).toEqual(expect.arrayContaining(['queue:mails', 'mail:send']));
});
