/** @module-tag engine */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import {
  aMember,
  expectProblem,
  expectSame,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import type { Caller } from '../../support/routes.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const backend = world.as(project);
const join = (workspace_id: string, who: Person, join_token?: string, by: Caller = who) =>
  world.as(by).members.join({ workspace_id, user_id: who.uid, join_token });
const itemsOf = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => sk);
const linkTo = async (workspace_id: string, given: object = {}, by: Caller = project) =>
  (await world.as(by).joinLinks.create({ workspace_id, ...given })).body;
const useCount = async (workspace_id: string) =>
  (await backend.joinLinks.list({ workspace_id })).body.result[0]?.use_count;

test('201 by a join link for any user; a retry returns the same membership and costs no use', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { token } = await linkTo(workspace_id, { max_uses: 2 }, owner);
  const ada = await world.user();
  const { status, body } = await join(workspace_id, ada, token);
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, { modified_at: body.created_at }),
  );
  const item = await world.table.get(keys.workspace(workspace_id));
  expect(item?.['events']).toMatchObject([
    { type: 'workspace.member.joined', data: { user_id: ada.uid, via: 'join_link' } },
  ]);
  for (const by of [ada, project]) {
    const again = await join(workspace_id, ada, token, by);
    expect([again.status, again.body]).toEqual([200, body]);
  }
  expect(await useCount(workspace_id)).toBe(1);
  const bob = await world.user();
  expect((await join(workspace_id, bob, token, project)).status).toBe(201);
  expect(await useCount(workspace_id)).toBe(2);
});

test('400 by a link that is used up, revoked, expired, of another workspace or unknown, in the same words', async () => {
  const [here, there] = [await world.workspace(), await world.workspace()];
  const { workspace_id } = here;
  const ada = await world.user();
  const [usedUp, expired, revoked] = [
    await linkTo(workspace_id, { max_uses: 1 }),
    await linkTo(workspace_id),
    await linkTo(workspace_id),
  ];
  await join(workspace_id, await world.user(), usedUp.token);
  const expires_at = Math.floor(Date.now() / 1_000);
  await world.table.update(keys.joinLink(workspace_id, expired.link_id), { expires_at });
  await backend.joinLinks.revoke({ workspace_id, link_id: revoked.link_id });
  const { token: good } = await linkTo(workspace_id);
  const forged = `${good.slice(0, -1)}${good.endsWith('A') ? 'E' : 'A'}`;
  const elsewhere = (await linkTo(there.workspace_id)).token;
  const unknown = `jl_${'A'.repeat(43)}.${'A'.repeat(43)}`;
  const misspelled = `jl_${'A'.repeat(42)}B.${'A'.repeat(43)}`;
  const answer = await join(unknownWorkspaceId, ada, good);
  expectProblem(answer, 'join_link_invalid');
  const others = [forged, elsewhere, unknown, misspelled];
  for (const token of [usedUp.token, expired.token, revoked.token, ...others])
    expectSame(await join(workspace_id, ada, token), answer);
  expectProblem(await join(workspace_id, ada, forged, project), 'join_link_invalid');
  expect((await join(workspace_id, ada, good)).status).toBe(201);
});

test('403 for a deleted user whose session still works, with a link and without', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const ada = await world.invited(workspace, 'admin');
  const { token } = await linkTo(workspace_id);
  await world.table.delete(keys.user(ada.uid));
  for (const by of [token, undefined])
    expectProblem(await join(workspace_id, ada, by), 'forbidden');
});

test("400 by a link for allowed domains, unless the user's verified e-mail is in one, whatever its mode", async () => {
  const { workspace_id } = await world.workspace();
  const { token } = await linkTo(workspace_id, { restrict_to_allowed_domains: true });
  const ada = await world.user({ email: 'ada@linked.com', verified: true });
  expectProblem(await join(workspace_id, ada, token), 'join_link_invalid');
  await backend.domains.set({ workspace_id, domain: 'linked.com', mode: 'suggest' });
  const eve = await world.user({ email: 'eve@linked.com' });
  const sub = await world.user({ email: 'eve@x.linked.com', verified: true });
  for (const each of [eve, sub])
    expectProblem(await join(workspace_id, each, token), 'join_link_invalid');
  expect((await join(workspace_id, ada, token)).status).toBe(201);
});

test('a link that makes admins works only while its creator owns the workspace', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ofOwner = await linkTo(workspace_id, { role: 'admin' }, owner);
  const ofProject = await linkTo(workspace_id, { role: 'admin' });
  const [one, two] = [await world.user(), await world.user()];
  expect((await join(workspace_id, one, ofOwner.token)).body.role).toBe('admin');
  await world.table.update(keys.workspace(workspace_id), { owner_id: one.uid });
  expectProblem(await join(workspace_id, two, ofOwner.token), 'join_link_invalid');
  expect((await join(workspace_id, two, ofProject.token)).body.role).toBe('admin');
});

test('400 by a link whose creator is no longer an admin, for any user, the creator included', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { members } = world.as(owner);
  const eve = await world.member(workspace, 'admin');
  const { token } = await linkTo(workspace_id, {}, eve);
  const ada = await world.user();
  const refused = async (who: Person, by: Caller = who) =>
    expectProblem(await join(workspace_id, who, token, by), 'join_link_invalid');
  const maker = { workspace_id, user_id: eve.uid };
  const disable = async (disabled: boolean) => {
    await world.as(project).users.update({ uid: eve.uid, disabled });
    await world.drainStream();
  };
  for (const [end, resume] of [
    [
      () => members.changeRole({ ...maker, role: 'member' }),
      () => members.changeRole({ ...maker, role: 'admin' }),
    ],
    [
      () => members.suspend({ ...maker, suspended: true }),
      () => members.suspend({ ...maker, suspended: false }),
    ],
    [() => disable(true), () => disable(false)],
  ] as const) {
    await end();
    for (const by of [ada, project]) await refused(ada, by);
    await resume();
  }
  expect((await join(workspace_id, ada, token)).status).toBe(201);
  await members.remove(maker);
  const ben = await world.user();
  // Disabling the user has ended her session.
  for (const each of [await world.session(eve.uid), ben]) await refused(each);
  await refused(eve, project);
  // A link created by the backend does not depend on a user.
  const { token: other } = await linkTo(workspace_id);
  expect((await join(workspace_id, ben, other)).status).toBe(201);
});

test('201 an invited user who joins by a link keeps the higher of the two roles', async () => {
  for (const [invited, role] of [
    ['admin', 'member'],
    ['member', 'admin'],
  ] as const) {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const { token } = await linkTo(workspace_id, { role });
    const verified = await world.user({ email: `both.${role}@example.com`, verified: true });
    const ada = await world.invited(workspace, invited, verified);
    const { body } = await join(workspace_id, ada, token);
    expect(body).toMatchObject({ member_id: ada.member.member_id, role: 'admin' });
    expect(await itemsOf(workspace_id)).not.toContain(`INVITE#${ada.uid}`);
  }
});

test('201 a user who has not verified the invited e-mail gets the role of the link', async () => {
  const workspace = await world.workspace();
  const { token } = await linkTo(workspace.workspace_id);
  const eve = await world.invited(workspace, 'admin', await world.user());
  const { body } = await join(workspace.workspace_id, eve, token);
  expect(body.role).toBe('member');
});

test('403 membership_suspended for a suspended member, with a link too', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { token } = await linkTo(workspace_id);
  const ada = await world.member(workspace);
  const suspended_at = new Date().toISOString();
  await world.table.update(keys.member(workspace_id, ada.uid), { suspended_at });
  for (const by of [undefined, token])
    expectProblem(await join(workspace_id, ada, by), 'membership_suspended');
  expect(await useCount(workspace_id)).toBe(0);
});
