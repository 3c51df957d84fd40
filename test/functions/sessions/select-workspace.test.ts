import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Role } from '#shared/model/fields.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem } from '../../support/expectations.ts';
import { hostedProject, withCookie } from '../../support/hosted-pages.ts';
import { oauthScene } from '../../support/oauth.ts';
import { pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

type Tokens = Pick<Person, 'access_token' | 'refresh_token'>;

const world = await startWorld();
const { project } = world;
const select = ({ access_token }: Pick<Tokens, 'access_token'>, workspace_id: string | null) =>
  world.as(`Bearer ${access_token}`).sessions.selectWorkspace({ workspace_id });
const renew = async (tokens: Tokens): Promise<Tokens> => (await world.renew(tokens)).body;

/** The claims about the active workspace in an access token. */
function named({ access_token }: { access_token: string }) {
  const { workspace_id, workspace_role } = claimsOf(access_token);
  return { workspace_id, workspace_role };
}
const none = { workspace_id: undefined, workspace_role: undefined };

/** A member whose session has an active workspace. */
async function atWork(role: Role = 'member') {
  const place = await world.workspace();
  const person = await world.member(place, role);
  const { workspace_id } = place;
  const { body } = await select(person, workspace_id);
  expect(named(body)).toEqual({ workspace_id, workspace_role: role });
  return { place, workspace_id, person, tokens: { ...person, access_token: body.access_token } };
}

const suspend = (of: { workspace_id: string; user_id: string }, suspended = true) =>
  world.as(project).members.suspend({ ...of, suspended });

test('200 the token names the workspace and the role, as do those of later refreshes', async () => {
  const { owner, workspace_id } = await world.workspace();
  const { status, body } = await select(owner, workspace_id);
  const active = { workspace_id, workspace_role: 'owner' };
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.any(String),
      expires_in: expect.toSatisfy((left: number) => left > 0 && left <= lifetimes.accessToken),
      ...active,
      permissions: expect.arrayContaining(['workspace:delete', 'workspace:read']),
    },
  ]);
  expect(named(body)).toEqual(active);
  expect((await world.as(`Bearer ${body.access_token}`).users.getMe()).status).toBe(200);

  const next = await renew({ ...owner, ...body });
  expect(named(next)).toEqual(active);
  expect(await renew({ ...owner, ...body })).toEqual(next);
  expect(named(await renew(next))).toEqual(active);
  // Another session has its own selection.
  expect(named(await renew(await world.session(owner.uid)))).toEqual(none);
});

test('200 null removes the workspace from the token', async () => {
  const { tokens } = await atWork();
  const { status, body } = await select(tokens, null);
  expect([status, Object.keys(body)]).toEqual([200, ['access_token', 'expires_in']]);
  expect(named(body)).toEqual(none);
  expect(named(await renew(tokens))).toEqual(none);
});

test('200 the token expires with the previous one, so that a stolen token gains no time, and keeps auth_time', async () => {
  const { owner, workspace_id } = await world.workspace();
  const first = claimsOf(owner.access_token);
  expect(first.auth_time).toBe(first.iat);
  pass((lifetimes.accessToken - 60) * 1_000);
  const { body } = await select(owner, workspace_id);
  const { iat, exp, auth_time } = claimsOf(body.access_token);
  expect([exp, auth_time, iat > first.iat]).toEqual([first.exp, first.auth_time, true]);
  expect(body.expires_in).toBeLessThanOrEqual(60);
  const again = await select(body, null);
  expect(claimsOf(again.body.access_token).exp).toBe(first.exp);
});

test('no two tokens of a session have the same jti', async () => {
  const { owner, workspace_id } = await world.workspace();
  const other = await world.workspace({ owner });
  const tokens = [owner.access_token];
  for (const id of [workspace_id, other.workspace_id, null, workspace_id])
    tokens.push((await select({ access_token: tokens.at(-1) ?? '' }, id)).body.access_token);
  tokens.push((await renew(owner)).access_token);
  expect(new Set(tokens.map((token) => claimsOf(token).jti)).size).toBe(tokens.length);
});

describe('a later refresh names', () => {
  type Work = Awaited<ReturnType<typeof atWork>>;
  const at = ({ workspace_id, person }: Work) => ({ workspace_id, user_id: person.uid });
  const ways: Record<string, (work: Work) => Promise<unknown>> = {
    'the member has left': (work) => world.as(work.person).members.remove(at(work)),
    'the member is removed': (work) => world.as(project).members.remove(at(work)),
    'the member is suspended': (work) => suspend(at(work)),
    'the workspace is deleted': ({ workspace_id }) =>
      world.as(project).workspaces.delete({ workspace_id }),
  };
  test.each(Object.entries(ways))('no workspace once %s', async (_, end) => {
    const work = await atWork();
    expect(await end(work)).toMatchObject({ status: 200 });
    const next = await renew(work.tokens);
    expect(named(next)).toEqual(none);
    // Inside the service, access ends immediately, whatever the token claims.
    const { workspace_id } = work;
    for (const { access_token } of [work.tokens, next])
      expectProblem(
        await world.as(`Bearer ${access_token}`).workspaces.get({ workspace_id }),
        'not_found',
      );
  });

  test('the workspace again after a suspension', async () => {
    const work = await atWork();
    await suspend(at(work));
    const during = await renew(work.tokens);
    await suspend(at(work), false);
    expect([named(during), named(await renew(during))]).toEqual([none, named(work.tokens)]);
  });
});

/** Makes a workspace require a second factor, and the session one of a single factor. */
async function requireSecondFactor(
  workspace_id: string,
  { access_token }: { access_token: string },
) {
  const { sub, sid } = claimsOf(access_token) as { sub: string; sid: string };
  await world.table.update(keys.session(sub, sid), { method: 'idpw' });
  const mfa_required_at = new Date().toISOString();
  await world.table.update(keys.workspace(workspace_id), { mfa_required_at });
}

test('a workspace that starts to require a second factor is no longer named, even by a repeated refresh', async () => {
  const { workspace_id, tokens } = await atWork();
  await requireSecondFactor(workspace_id, tokens);
  expect(named(await renew(tokens))).toEqual(none);
  expect(named(await renew(tokens))).toEqual(none);
});

test('access tokens of an OAuth client name the workspace too, its ID tokens do not', async () => {
  const scene = await oauthScene(world);
  const ada = await scene.visitor();
  const first = await scene.tokens(ada);
  const { workspace_id } = await world.workspace({ owner: ada });
  await world.as(`Bearer ${first.access_token}`).sessions.selectWorkspace({ workspace_id });
  const { body } = await scene.refresh(scene.web, first.refresh_token);
  expect(named(body)).toEqual({ workspace_id, workspace_role: 'owner' });
  expect(claimsOf(body.id_token)).not.toHaveProperty('workspace_id');
  await requireSecondFactor(workspace_id, body);
  expect(named((await scene.refresh(scene.web, body.refresh_token)).body)).toEqual(none);
});

test('an access token that was refreshed by cookie names the workspace too', async () => {
  const hosted = await hostedProject(world);
  const { owner, workspace_id } = await world.workspace({
    owner: await world.user({ project: hosted }),
  });
  await select(owner, workspace_id);
  const { project_id } = hosted;
  const byCookie = async () => {
    const headers = withCookie(hosted, owner.refresh_token);
    return (await world.as().browserSessions.refresh({ project_id }, { headers })).body;
  };
  const shown = await byCookie();
  expect(named(shown)).toEqual({ workspace_id, workspace_role: 'owner' });
  await requireSecondFactor(workspace_id, shown);
  expect(named(await byCookie())).toEqual(none);
});

test('introspection and a later refresh name the current role; no workspace once access has ended', async () => {
  const work = await atWork();
  const { workspace_id, person, tokens } = work;
  const introspect = async () =>
    (await world.as(project).sessions.introspect({ token: tokens.access_token })).body;
  expect(await introspect()).toMatchObject(named(tokens));
  await world.as(project).members.changeRole({ workspace_id, user_id: person.uid, role: 'admin' });
  const promoted = { workspace_id, workspace_role: 'admin' };
  expect(await introspect()).toMatchObject(promoted);
  expect(named(await renew(tokens))).toEqual(promoted);
  await suspend({ workspace_id, user_id: person.uid });
  const body = await introspect();
  expect({ ...none, ...body }).toMatchObject({ active: true, ...none });
});
