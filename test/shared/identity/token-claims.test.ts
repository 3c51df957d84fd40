import { expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const own = [
  ...['iss', 'sub', 'aud', 'client_id', 'sid', 'iat', 'exp', 'jti', 'email', 'email_verified'],
  ...['auth_time', 'amr', 'acr'],
];
/** The claims of a token that not every token has. */
const customOf = (token: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claimsOf(token)).filter(([name]) => !own.includes(name)));

const refresh = async (person: Person) => {
  const { status, body } = await world.renew(person);
  expect(status).toBe(200);
  return body;
};

async function userWith(token_claims: string[], app_metadata: object, external_id?: string) {
  const project = await world.newProject({ token_claims });
  const { users } = as(project);
  const made = { email: 'ada@example.com', app_metadata, ...(external_id && { external_id }) };
  const { uid } = (await users.create(made)).body;
  return { project, users, uid };
}

test('a project puts external_id and fields of app_metadata into access tokens', async () => {
  const paths = ['external_id', 'app_metadata.plan', 'app_metadata.a.b.deep', 'app_metadata.none'];
  const metadata = { plan: 'team', a: { b: { deep: [1, { x: true }] } }, other: 1 };
  const { project, users, uid } = await userWith(paths, metadata, 'crm-1');
  const person = await world.session(uid, project);
  const said = { external_id: 'crm-1', plan: 'team', deep: [1, { x: true }] };
  expect(customOf(person.access_token)).toEqual(said);
  // The token is valid: the service ignores foreign claims.
  expect((await as(person).users.getMe()).status).toBe(200);
  const renewed = await refresh(person);
  expect(customOf(renewed.access_token)).toEqual(said);
  await users.mergeMetadata({ uid, app_metadata: { plan: 'free', a: null } });
  await users.update({ uid, external_id: null });
  const later = await refresh({ ...person, ...renewed });
  expect(customOf(later.access_token)).toEqual({ plan: 'free' });
});

test('custom claims stay beside the active workspace, and every token has its own jti', async () => {
  const { project, uid } = await userWith(['app_metadata.plan'], { plan: 'team' });
  const person = await world.session(uid, project);
  const { workspace_id } = (await as(project).workspaces.create({ name: 'A', owner_id: uid })).body;
  const { body } = await as(person).sessions.selectWorkspace({ workspace_id });
  const permissions = expect.arrayContaining(['workspace:delete']);
  const both = { plan: 'team', workspace_id, workspace_role: 'owner', permissions };
  expect(customOf(body.access_token)).toEqual(both);
  const renewed = await refresh({ ...person, access_token: body.access_token });
  expect(customOf(renewed.access_token)).toEqual(both);
  const tokens = [person.access_token, body.access_token, renewed.access_token];
  expect(new Set(tokens.map((token) => claimsOf(token).jti)).size).toBe(3);
});

test('introspection repeats the claims, and none replaces one of the service', async () => {
  const paths = [
    'external_id',
    ...['plan', 'active', 'token_type'].map((of) => `app_metadata.${of}`),
  ];
  const metadata = { plan: { seats: 3 }, active: false, token_type: 'none' };
  const { project, users, uid } = await userWith(paths, metadata, 'crm-1');
  const { access_token: token } = await world.session(uid, project);
  const introspect = async () => (await as(project).sessions.introspect({ token })).body;
  const { sub, sid, aud, iss, iat, exp, jti, auth_time } = claimsOf(token);
  const always = { active: true, token_type: 'Bearer', client_id: aud };
  const said = { external_id: 'crm-1', plan: { seats: 3 } };
  const whole = { ...always, sub, sid, aud, iss, iat, exp, jti, auth_time, ...said };
  expect(await introspect()).toEqual(whole);
  // As in the token, which an offline verifier reads too.
  await users.mergeMetadata({ uid, app_metadata: { plan: null } });
  expect(await introspect()).toEqual(whole);
  await as(project).sessions.endAll({ user_id: uid });
  expect(await introspect()).toEqual({ active: false });
});

test('a sign-in by password has the claims too', async () => {
  const { project, signUp } = await signInProject(world, { token_claims: ['app_metadata.plan'] });
  const { uid } = await signUp('way@example.com');
  await as(project).users.setMetadata({ uid, app_metadata: { plan: 'team' } });
  const password = { project_id: project.project_id, email: 'way@example.com' };
  const { body } = await as().passwords.signIn({ ...password, password: goodPassword });
  expect(customOf(body.access_token)).toEqual({ plan: 'team' });
});

test('claims of 1 KB in all, in the order of the setting: a claim that does not fit is left out', async () => {
  const paths = ['app_metadata.a', 'app_metadata.b', 'app_metadata.c'];
  const metadata = { a: 'x'.repeat(600), b: 'y'.repeat(600), c: 1 };
  const { project, uid } = await userWith(paths, metadata);
  const { access_token } = await world.session(uid, project);
  expect(customOf(access_token)).toEqual({ a: metadata.a, c: 1 });
  const exact = { a: 'x'.repeat(limits.tokenClaimBytes - JSON.stringify({ a: '' }).length) };
  await as(project).users.setMetadata({ uid, app_metadata: exact });
  expect(customOf((await world.session(uid, project)).access_token)).toEqual(exact);
});

test('without the setting or a value, tokens have no custom claims', async () => {
  const { project, uid } = await userWith([], { plan: 'team' });
  expect(customOf((await world.session(uid, project)).access_token)).toEqual({});
  const other = await world.newProject({ token_claims: ['app_metadata.plan', 'external_id'] });
  const person = await world.user({ project: other });
  expect(customOf(person.access_token)).toEqual({});
});

test.each([
  ['a reserved claim', ['app_metadata.sub']],
  ['a claim that would name the actor', ['app_metadata.x.act']],
  ['a claim that would name a workspace', ['app_metadata.workspace_role']],
  ['two claims of one name', ['app_metadata.a.plan', 'app_metadata.plan']],
  ['all of app_metadata', ['app_metadata']],
  ['metadata that only the backend reads', ['private_metadata.score']],
  ['metadata that the user writes', ['user_metadata.theme']],
  ['another field of the user', ['email']],
  ['more than ten', Array.from({ length: 11 }, (_, i) => `app_metadata.f${i}`)],
])('a project cannot put %s into tokens', async (_, token_claims) => {
  await expect(world.newProject({ token_claims })).rejects.toThrow('token_claims');
});
