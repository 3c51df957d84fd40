/** @module-tag alone */
import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { userKey, workspaceKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { times } from './many.ts';

/** Keys that end while they are used, or with the account of their creator. */

const world = await startWorld();

async function revocationsOf({ uid }: { uid: string }) {
  await world.drainStream();
  const ofUser = world.events().filter(({ data }) => data['user_id'] === uid);
  return ofUser.filter(({ type }) => type === 'user.api_key.revoked');
}

test('a key revoked during its use: no request that begins after the revocation succeeds', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  let revoked = false;
  const use = async () => {
    const late = revoked;
    const { status } = await world.as(bearer).users.getMe();
    return { late, status };
  };
  const uses = Array.from({ length: 10 }, use);
  const revoking = world
    .as(ada)
    .apiKeys.revoke({ key_id })
    .then(({ status }) => {
      revoked = true;
      return status;
    });
  expect(await revoking).toBe(200);
  uses.push(...Array.from({ length: 10 }, use));
  for (const { late, status } of await Promise.all(uses)) {
    expect([200, 401]).toContain(status);
    if (late) expect(status).toBe(401);
  }
});

test('a key revoked while it adds members: each is added or refused, and none is added after the revocation', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { key_id, bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  await world.table.update(keys.workspace(workspace_id), {
    proven_domains: { 'proven.example': new Date().toISOString() },
  });
  const people = await times(20, (i) =>
    world.user({ email: `p${i}@proven.example`, verified: true }),
  );
  let revoked = false;
  const add = async ({ uid: user_id }: (typeof people)[number]) => {
    const late = revoked;
    const added = await world.as(bearer).members.add({ workspace_id, user_id, role: 'admin' });
    return { late, status: added.status };
  };
  const adding = people.slice(0, 14).map(add);
  expect((await world.as(owner).workspaceKeys.revoke({ workspace_id, key_id })).status).toBe(200);
  revoked = true;
  const count = async () => (await world.table.query(`WS#${workspace_id}`, 'MEMBER#')).length;
  adding.push(...people.slice(14).map(add));
  const answers = await Promise.all(adding);
  for (const { late, status } of answers) {
    expect([201, 401]).toContain(status);
    if (late) expect(status).toBe(401);
  }
  expect(await count()).toBe(1 + answers.filter(({ status }) => status === 201).length);
  // Every member was added before the key ended: the log has no later event.
  await world.drainStream();
  const { body } = await world.as(owner).events.listOfWorkspace({ workspace_id, limit: 100 });
  const types = body.result.map(({ event }: { event: { type: string } }) => event.type);
  const end = types.indexOf('workspace.api_key.revoked');
  expect(end).toBeGreaterThan(0);
  expect(types.slice(end)).not.toContain('workspace.member.added');
});

test('keys of an attacker who prepared the account are revoked when the mailbox is proven, and by a password reset', async () => {
  const home = await signInProject(world);
  const email = 'victim@example.com';
  // An attacker has created the account with the victim's e-mail, and a key.
  const thief = await world.user({ email, project: home.project });
  const prepared = await userKey(world, thief);
  expect((await world.as(prepared.bearer).users.getMe()).status).toBe(200);
  const ada = await home.signUp(email, goodPassword);
  expect(ada.uid).toBe(thief.uid);
  expectProblem(await world.as(prepared.bearer).users.getMe(), 'unauthenticated');
  const own = await userKey(world, ada);
  expect((await world.as(own.bearer).users.getMe()).status).toBe(200);
  await home.post('/passwords/forgotten', { email });
  await home.post('/passwords', { token: await home.mailed(email), password: `${goodPassword}!` });
  expectProblem(await world.as(own.bearer).users.getMe(), 'unauthenticated');
  // Each end is an event, once, by the user who proved the mailbox; a key that had ended before has none.
  const ended = (await revocationsOf(ada)).map(({ actor, data }) => [actor.id, data['key_id']]);
  expect(ended).toEqual([prepared, own].map(({ key_id }) => [ada.uid, key_id]));
});

test('the first use of a key, recorded by several concurrent instances, has one event', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  const { project_id } = ada.project;
  const note = { project_id, used_at: new Date().toISOString() };
  const write = async () => {
    vi.resetModules();
    // The state of one instance: none knows the writes of others, or its own writes without a response.
    const { recordUse } = await import('#shared/access/last-use.ts');
    const { runInRequest: run } = await import('#shared/db/request-context.ts');
    return (key = keys.apiKeyUse(ada.uid, key_id)) =>
      run('test', 5_000, async ({ backgroundWork }) => {
        recordUse(key, note);
        await Promise.all(backgroundWork);
      });
  };
  const instances = [];
  for (let i = 0; i < 4; i += 1) instances.push(await write());
  await Promise.all([...instances.map((use) => use()), world.as(bearer).users.getMe()]);
  await world.drainStream();
  const used = world.events().filter(({ type }) => type === 'user.api_key.first_used');
  expect(used.map(({ data }) => data['key_id']).filter((id) => id === key_id)).toHaveLength(1);
});
