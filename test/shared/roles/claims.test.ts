import { expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { roleTools } from '../../support/roles.ts';
import { type Person, startWorld } from '../../support/world.ts';

/** The permissions in access tokens for the active workspace. */

const world = await startWorld();
const { as, project } = world;
const { define } = roleTools(world);
const everyMembers = [
  ...['member:leave', 'member:list-accepted', 'member:read', 'role:list', 'workspace:read'],
];

type Tokens = Pick<Person, 'access_token' | 'refresh_token'>;
const renew = async (tokens: Tokens): Promise<Tokens> => (await world.renew(tokens)).body;
const saidBy = ({ access_token }: Pick<Tokens, 'access_token'>) => {
  const { workspace_role, permissions, permissions_truncated } = claimsOf(access_token);
  return { workspace_role, permissions, permissions_truncated };
};

/** A member with a role that has these permissions, whose session has selected the workspace. */
async function atWork(role: string) {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const person = await world.member(workspace, role);
  const { body } = await as(person).sessions.selectWorkspace({ workspace_id });
  return { workspace_id, person, body, tokens: { ...person, access_token: body.access_token } };
}

test('a token has the role and its permissions, as do the response and the introspection', async () => {
  const role = await define('clerk', ['invoice:read', 'event:list']);
  const { body } = await atWork(role);
  const permissions = ['invoice:read', 'event:list', ...everyMembers].toSorted();
  expect(body).toMatchObject({ workspace_role: role, permissions });
  expect(saidBy(body)).toEqual({ workspace_role: role, permissions });
  const { body: active } = await as(project).sessions.introspect({ token: body.access_token });
  expect(active).toMatchObject({ workspace_role: role, permissions });
});

test('a refresh has the current permissions; introspection has them for the old token too', async () => {
  const role = await define('changing', []);
  const { tokens } = await atWork(role);
  expect(saidBy(tokens).permissions).toEqual(everyMembers);
  await define(role, ['event:list']);
  const permissions = ['event:list', ...everyMembers].toSorted();
  const { body: active } = await as(project).sessions.introspect({ token: tokens.access_token });
  expect(active.permissions).toEqual(permissions);
  const next = await renew(tokens);
  expect(saidBy(next).permissions).toEqual(permissions);
  expect(claimsOf(next.access_token).jti).not.toBe(claimsOf(tokens.access_token).jti);
});

test('permissions of more than a kilobyte are left out and marked as truncated', async () => {
  const many = Array.from({ length: 60 }, (_, i) => `resource-of-the-project:action-${i}`);
  const { body, person } = await atWork(await define('many', many));
  expect(saidBy(body)).toMatchObject({ permissions: undefined, permissions_truncated: true });
  expect([body.permissions, body.permissions_truncated]).toEqual([undefined, true]);
  const { workspace_id } = body;
  const { body: own } = await as(person).permissions.listOfCaller({ workspace_id });
  expect(own.permissions).toEqual(expect.arrayContaining(many));
});

test("a token stays within the length that verifiers accept, with the project's claims too", async () => {
  const home = await world.newProject({ token_claims: ['external_id', 'app_metadata.plan'] });
  const own = roleTools(world, home);
  const many = Array.from({ length: 28 }, (_, i) => `resource-of-the-project:act-${i}`);
  const role = await own.define('many', many);
  const owner = await world.user({ project: home });
  const person = await world.user({ project: home });
  const workspace = await world.workspace({ owner });
  await world.member(workspace, role, person);
  const app_metadata = { plan: 'x'.repeat(900) };
  await as(home).users.setMetadata({ uid: person.uid, app_metadata });
  const { workspace_id } = workspace;
  const { body } = await as(person).sessions.selectWorkspace({ workspace_id });
  expect(body.permissions).toHaveLength(many.length + everyMembers.length);
  expect(saidBy(body)).toMatchObject({ permissions: undefined, permissions_truncated: true });
  expect(claimsOf(body.access_token)['plan']).toBe(app_metadata.plan);
  expect(body.access_token.length).toBeLessThan(4_096);
  expect((await as(`Bearer ${body.access_token}`).users.getMe()).status).toBe(200);
});

test('a token stays within that length with a long name of the actor too', async () => {
  const home = await world.newProject({ token_claims: ['app_metadata.plan'], impersonation: 'on' });
  const owner = await world.user({ project: home });
  const { uid } = owner;
  const { workspace_id } = await world.workspace({ owner });
  await as(home).users.setMetadata({ uid, app_metadata: { plan: 'x'.repeat(1_000) } });
  const workIn = async (actor?: { id: string; reason: string }) => {
    const { body: session } = await as(home).sessions.create({ uid, ...(actor && { actor }) });
    const bearer = as(`Bearer ${session.access_token}`);
    return (await bearer.sessions.selectWorkspace({ workspace_id })).body;
  };
  expect(saidBy(await workIn()).permissions).toContain('workspace:delete');
  const acting = await workIn({ id: '😀'.repeat(limits.actorId), reason: 'Ticket 7' });
  expect(saidBy(acting)).toMatchObject({ permissions: undefined, permissions_truncated: true });
  expect((await as(`Bearer ${acting.access_token}`).users.getMe()).status).toBe(200);
});
