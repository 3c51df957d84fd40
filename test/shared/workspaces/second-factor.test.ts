import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { age, factorProject } from '../../support/factors.ts';
import { passkeyProject } from '../../support/passkeys.ts';
import { goodPassword } from '../../support/sign-in.ts';
import type { Person } from '../../support/world.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world, { passkeys: true, workspace_creation: 'anyone' });
const { project } = ours;
const backend = world.as(project);

let people = 0;
/** A user with a session of one factor, and another of two. */
async function person() {
  people += 1;
  const email = `p${people}@require-mfa.example.com`;
  const weak = await ours.signUp(email);
  const { app } = await ours.enrol(weak, { current_password: goodPassword });
  const { body } = await ours.finish((await ours.byPassword(email)).body, { code: app.code() });
  return { weak, strong: { ...weak, ...body, bearer: `Bearer ${body.access_token}` } };
}

/** A workspace that requires a second factor, and its owner. */
async function strict() {
  const owner = await person();
  const { workspace_id } = await world.workspace({ owner: owner.weak });
  const { body } = await backend.workspaces.update({ workspace_id, require_mfa: true });
  return { workspace_id, owner, shown: body };
}

const read = (by: Person | string, workspace_id: string) =>
  world.as(by).workspaces.get({ workspace_id });

describe('the setting', () => {
  test('belongs to the owner in a session of two factors; sent back unchanged, it is accepted from an admin', async () => {
    const { weak, strong } = await person();
    const { workspace_id } = await world.workspace({ owner: weak });
    const admin = await world.member({ workspace_id, owner: weak }, 'admin');
    const set = (by: Person) => world.as(by).workspaces.update({ workspace_id, require_mfa: true });
    // The sign-in may be old: this project does not require a recent one.
    await age(world, strong, lifetimes.recentSignIn);
    expectProblem(await set(weak), 'mfa_required');
    expectProblem(await set(admin), 'forbidden', {
      detail:
        'Only the owner, in a session, and the backend may change whether members need a second factor',
    });
    const unchanged = { workspace_id, require_mfa: false, name: 'Same' };
    expect((await world.as(admin).workspaces.update(unchanged)).body.name).toBe('Same');
    const { status, body } = await set(strong);
    expect(status).toBe(200);
    expect(body.require_mfa).toBe(true);
    expect(Date.parse(body.mfa_required_at ?? '')).toBeLessThanOrEqual(Date.now());
    const again = await world.as(strong).workspaces.update({ ...body, name: 'Other' } as never);
    expect(again.body).toMatchObject({ name: 'Other', mfa_required_at: body.mfa_required_at });
    const named = await backend.workspaces.update({
      workspace_id,
      external_id: `x-${workspace_id}`,
    });
    expect(named.body.mfa_required_at).toBe(body.mfa_required_at);
  });

  test('cannot be switched off in a session of one factor, but by the backend', async () => {
    const { workspace_id, owner } = await strict();
    const off = { workspace_id, require_mfa: false };
    expectProblem(await world.as(owner.weak).workspaces.update(off), 'mfa_required');
    const { body } = await backend.workspaces.update(off);
    expect(body.require_mfa).toBeUndefined();
    expect(body.mfa_required_at).toBeUndefined();
    expect((await read(owner.weak, workspace_id)).status).toBe(200);
  });

  test('can be turned on so many times a day by the owner, and off, or by the backend, at any time', async () => {
    const { weak, strong } = await person();
    const { workspace_id } = await world.workspace({ owner: weak });
    const set = (require_mfa: boolean) =>
      world.as(strong).workspaces.update({ workspace_id, require_mfa });
    // The limit begins anew at midnight.
    vi.useFakeTimers({ toFake: ['Date'] });
    const { max, seconds } = rates.secondFactorDemands;
    const window = Math.floor(Date.now() / 1_000 / seconds);
    const counter = keys.rate('secondFactorDemands', workspace_id, window);
    await world.table.put({ ...counter, count: max - 1 });
    expect((await set(true)).status).toBe(200);
    expect((await set(false)).status).toBe(200);
    const { status, body, headers } = await set(true);
    expect([status, body.detail]).toEqual([429, rates.secondFactorDemands.detail]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await backend.workspaces.update({ workspace_id, require_mfa: true })).status).toBe(200);
    expect((await set(false)).status).toBe(200);
  });

  test('with days of grace applies after them, and a session of one factor cannot shorten or end it', async () => {
    const { weak, strong } = await person();
    const { workspace_id } = await world.workspace({ owner: weak });
    const given = { workspace_id, require_mfa: true, mfa_grace_days: 7 };
    const { body } = await backend.workspaces.update(given);
    const in7Days = Date.now() + 7 * 86_400_000;
    expect(Math.abs(Date.parse(body.mfa_required_at ?? '') - in7Days)).toBeLessThan(60_000);
    expect((await read(weak, workspace_id)).body).toMatchObject({
      require_mfa: true,
      mfa_required_at: body.mfa_required_at,
    });
    const change = (by: Person, to: object) =>
      world.as(by).workspaces.update({ workspace_id, ...to });
    expectProblem(await change(weak, { require_mfa: false }), 'mfa_required');
    expectProblem(await change(weak, { ...given, mfa_grace_days: 90 }), 'mfa_required');
    const same = await change(strong, { require_mfa: true });
    expect(same.body.mfa_required_at).toBe(body.mfa_required_at);
    // After the days have passed.
    await world.table.update(keys.workspace(workspace_id), {
      mfa_required_at: new Date().toISOString(),
    });
    expectProblem(await read(weak, workspace_id), 'mfa_required');
  });

  test('is refused with days alone, or in a project without a second factor', async () => {
    const { workspace_id } = await strict();
    const refused = (pointer: string, detail: string) => ({ errors: [{ pointer, detail }] });
    for (const given of [{}, { require_mfa: false }])
      expectProblem(
        await backend.workspaces.update({ workspace_id, ...given, mfa_grace_days: 1 }),
        'invalid_request',
        refused('/body/mfa_grace_days', 'Only together with require_mfa: true'),
      );
    const { workspace_id: plain } = await world.workspace();
    const set = { workspace_id: plain, require_mfa: true };
    expectProblem(
      await world.as(world.project).workspaces.update(set),
      'invalid_request',
      refused('/body/require_mfa', 'The project has neither passkeys nor authenticator apps'),
    );
  });

  test.each([
    ['passkeys', { passkeys: true, rp_id: 'localhost', origins: ['http://localhost'] }],
    ['authenticator apps', { mfa: 'optional' }],
  ])(
    'needs only %s, and is possible a second after the project turns them on',
    async (_, methods) => {
      const later = await world.newProject();
      const { workspace_id } = await world.workspace({
        owner: await world.user({ project: later }),
      });
      const set = () => world.as(later).workspaces.update({ workspace_id, require_mfa: true });
      expectInvalid(await set(), '/body/require_mfa');
      await world.operate({ action: 'update', project_id: later.project_id, ...methods });
      await setTimeout(lifetimes.projectReread * 1_000);
      expect((await set()).body.require_mfa).toBe(true);
    },
  );

  test('can be set when the workspace is created', async () => {
    const { weak, strong } = await person();
    const create = (by: Person) =>
      world.as(by).workspaces.create({ name: 'New', require_mfa: true });
    expectProblem(await create(weak), 'mfa_required');
    const { status, body } = await create(strong);
    expect([status, body.require_mfa]).toEqual([201, true]);
    expectProblem(await read(weak, body.workspace_id), 'mfa_required');
    const off = await world.as(weak).workspaces.create({ name: 'New', require_mfa: false });
    expect(off.body).not.toHaveProperty('mfa_required_at');
  });

  test('needs a recent sign-in of the owner, if the project requires one', async () => {
    const wary = await factorProject(world, { recent_sign_in: true });
    const ada = await wary.signUp('ada@wary.require-mfa.example.com');
    const { app } = await wary.enrol(ada, { current_password: goodPassword });
    const { body } = await wary.finish((await wary.byPassword(ada.email)).body, {
      code: app.code(),
    });
    const strong = { ...ada, ...body };
    const { workspace_id } = await world.workspace({ owner: ada });
    const set = (require_mfa: boolean, of = workspace_id) =>
      world.as(`Bearer ${body.access_token}`).workspaces.update({ workspace_id: of, require_mfa });
    expect((await set(true)).status).toBe(200);
    const { workspace_id: free } = await world.workspace({ owner: ada });
    await age(world, strong, lifetimes.recentSignIn);
    expectProblem(await set(false), 'reauthentication_required');
    expectProblem(await set(true, free), 'reauthentication_required');
    const byBackend = { workspace_id, require_mfa: true, mfa_grace_days: 1 };
    expect((await world.as(wary.project).workspaces.update(byBackend)).status).toBe(200);
    const renamed = { workspace_id, name: 'Renamed' };
    expect((await world.as(`Bearer ${body.access_token}`).workspaces.update(renamed)).status).toBe(
      200,
    );
  });

  test('cannot be changed by an actor who impersonates the owner', async () => {
    const acted = await world.newProject({ mfa: 'optional', impersonation: 'on' });
    const owner = await world.user({ project: acted });
    const { workspace_id } = await world.workspace({ owner });
    const actor = { id: 'support-7', reason: 'ticket 7' };
    const { body } = await world.as(acted).sessions.create({ uid: owner.uid, actor });
    const set = await world
      .as(`Bearer ${body.access_token}`)
      .workspaces.update({ workspace_id, require_mfa: true });
    expectProblem(set, 'forbidden', {
      detail:
        'Only the owner, in a session, and the backend may change whether members need a second factor',
    });
  });

  test('is in the event, with the time from which it applies and applied before', async () => {
    const { weak } = await person();
    const { workspace_id } = await world.workspace({ owner: weak });
    const at = async (require_mfa: boolean) =>
      (await backend.workspaces.update({ workspace_id, require_mfa })).body.mfa_required_at;
    const mfa_required_at = await at(true);
    await at(false);
    await world.drainStream();
    type Shown = { workspace_id?: string; mfa_required_at?: string | null } | undefined;
    const changes = world
      .events()
      .filter(({ type }) => type === 'workspace.updated')
      .map(({ data, previous }) => [data['workspace'], previous?.['workspace']] as Shown[])
      .filter(([now]) => now?.workspace_id === workspace_id)
      .map(([now, before]) => [now?.mfa_required_at, before?.mfa_required_at]);
    expect(changes).toEqual([
      [mfa_required_at, null],
      [undefined, mfa_required_at],
    ]);
  });

  test('cannot be changed with an API key of the owner', async () => {
    const { owner, workspace_id } = await strict();
    const { body } = await world.as(owner.strong).apiKeys.create({ name: 'CI' });
    const off = { workspace_id, require_mfa: false };
    expectProblem(await world.as(`Bearer ${body.key}`).workspaces.update(off), 'forbidden', {
      detail:
        'Only the owner, in a session, and the backend may change whether members need a second factor',
    });
  });
});

describe('a workspace that requires a second factor', () => {
  test('admits a member only in a session of two factors; other workspaces admit them with one', async () => {
    const { workspace_id, owner } = await strict();
    const other = await world.workspace({ owner: owner.weak });
    expectProblem(await read(owner.weak, workspace_id), 'mfa_required');
    expect((await read(owner.strong, workspace_id)).status).toBe(200);
    expect((await read(owner.weak, other.workspace_id)).status).toBe(200);
    // They see the workspace and its requirement.
    const { body } = await world.as(owner.weak).workspaces.list();
    expect(
      body.result.find((each: { workspace_id: string }) => each.workspace_id === workspace_id)
        ?.require_mfa,
    ).toBe(true);
  });

  test('admits a member signed in by a passkey', async () => {
    const keyed = await passkeyProject(world);
    const ada = await world.user({ project: keyed.project, verified: true });
    const { workspace_id } = await world.workspace({ owner: ada });
    await world.as(keyed.project).workspaces.update({ workspace_id, require_mfa: true });
    const { authenticator } = await keyed.add(ada);
    const { body } = await keyed.signInBy(authenticator);
    expect((await read(`Bearer ${body.access_token}`, workspace_id)).status).toBe(200);
  });

  test('admits a user whom the backend has signed in', async () => {
    const { workspace_id, owner } = await strict();
    const { body } = await backend.sessions.create({ uid: owner.weak.uid });
    expect((await read(`Bearer ${body.access_token}`, workspace_id)).status).toBe(200);
  });

  test('is not found by a stranger; a member with one factor may only leave it', async () => {
    const { workspace_id, owner } = await strict();
    const stranger = await person();
    expectProblem(await read(stranger.weak, workspace_id), 'not_found');
    const member = await world.member({ workspace_id, owner: owner.weak });
    const { uid: user_id } = member;
    const weak = await person();
    await backend.members.add({ workspace_id, user_id: weak.weak.uid, role: 'member' });
    expectProblem(await read(weak.weak, workspace_id), 'mfa_required');
    const leave = { workspace_id, user_id: weak.weak.uid };
    expectProblem(
      await world.as(weak.weak).members.remove({ workspace_id, user_id }),
      'mfa_required',
    );
    expect((await world.as(weak.weak).members.remove(leave)).status).toBe(200);
  });

  test('refuses a member or new owner with one factor, even if they join or accept again', async () => {
    const { workspace_id, owner } = await strict();
    const { weak, strong } = await person();
    const { uid: user_id } = weak;
    await backend.members.add({ workspace_id, user_id, role: 'admin' });
    const join = (by: Person) => world.as(by).members.join({ workspace_id, user_id });
    expectProblem(await join(weak), 'mfa_required');
    expect((await join(strong)).status).toBe(200);
    await world.as(owner.strong).ownership.offer({ workspace_id, user_id });
    const accept = (by: Person) => world.as(by).ownership.accept({ workspace_id });
    expectProblem(await accept(weak), 'mfa_required');
    expect((await accept(strong)).status).toBe(200);
    expectProblem(await accept(weak), 'mfa_required');
    expect((await accept(strong)).status).toBe(200);
  });

  test('hides its deletion from its members in every session', async () => {
    const { workspace_id } = await strict();
    const { weak, strong } = await person();
    await backend.members.add({ workspace_id, user_id: weak.uid, role: 'admin' });
    await backend.workspaces.delete({ workspace_id });
    for (const by of [weak, strong])
      expectProblem(await world.as(by).workspaces.restore({ workspace_id }), 'not_found');
  });

  test('admits an API key only if its text was created in a session of two factors', async () => {
    const { workspace_id, owner } = await strict();
    const byWeak = (await world.as(owner.weak).apiKeys.create({ name: 'weak' })).body;
    const byStrong = (await world.as(owner.strong).apiKeys.create({ name: 'strong' })).body;
    const verified = async (key: string) =>
      (await backend.apiKeys.verify({ key, workspace_id })).body.permissions?.length;
    expectProblem(await read(`Bearer ${byWeak.key}`, workspace_id), 'mfa_required');
    expect(await verified(byWeak.key)).toBe(0);
    expect((await read(`Bearer ${byStrong.key}`, workspace_id)).status).toBe(200);
    expect(await verified(byStrong.key)).toBeGreaterThan(5);
    const { key_id } = byStrong;
    const rotated = (await world.as(owner.weak).apiKeys.rotate({ key_id })).body;
    expectProblem(await read(`Bearer ${rotated.key}`, workspace_id), 'mfa_required');
    expect((await read(`Bearer ${byStrong.key}`, workspace_id)).status).toBe(200);
    const better = (await world.as(owner.strong).apiKeys.rotate({ key_id: byWeak.key_id })).body;
    expect((await read(`Bearer ${better.key}`, workspace_id)).status).toBe(200);
    // The previous key text still counts as created by a single-factor session, as long as it is valid.
    expectProblem(await read(`Bearer ${byWeak.key}`, workspace_id), 'mfa_required');
    expect(await verified(byWeak.key)).toBe(0);
    const back = (await world.as(owner.strong).apiKeys.rotate({ key_id })).body;
    expect((await read(`Bearer ${back.key}`, workspace_id)).status).toBe(200);
  });
});

describe('tokens', () => {
  const select = (by: Person, workspace_id: string) =>
    world.as(by).sessions.selectWorkspace({ workspace_id });
  const renewed = async (by: Person) => (await world.renew(by)).body;

  test('name the workspace only in a session of two factors', async () => {
    const { workspace_id, owner } = await strict();
    expectProblem(await select(owner.weak, workspace_id), 'mfa_required');
    const { body } = await select(owner.strong, workspace_id);
    expect(claimsOf(body.access_token).workspace_id).toBe(workspace_id);
    expect(claimsOf((await renewed(owner.strong)).access_token).workspace_id).toBe(workspace_id);
  });

  test('lose the workspace at their next refresh, and immediately in introspection and checks', async () => {
    const { weak } = await person();
    const { workspace_id } = await world.workspace({ owner: weak });
    const { access_token } = (await select(weak, workspace_id)).body;
    const check = async () => {
      const checks = [{ workspace_id, permissions: ['workspace:read'] }];
      return (await world.as(weak).permissions.check({ checks })).body.results[0];
    };
    const introspected = async () =>
      (await backend.sessions.introspect({ token: access_token })).body;
    expect(await introspected()).toMatchObject({ active: true, workspace_id });
    expect(await check()).toMatchObject({ allowed: true });
    await backend.workspaces.update({ workspace_id, require_mfa: true });
    expect(await introspected()).not.toHaveProperty('workspace_id');
    expect(await check()).toEqual({ allowed: false, missing: ['workspace:read'] });
    const next = await renewed({ ...weak, access_token });
    expect(claimsOf(next.access_token)).not.toHaveProperty('workspace_id');
  });
});
