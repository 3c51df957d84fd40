import { expect, test } from 'vitest';
import { aMember, expectProblem, expectSame, nowhere } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const join = (workspace_id: string, user_id: string, auth = project.basic, join_token?: string) =>
  world.call('POST', '/workspaces/join', auth, { workspace_id, user_id, join_token });
const itemsOf = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => sk);
const linkTo = async (workspace_id: string, given: object = {}, auth = project.basic) =>
  (await world.call('POST', `/workspaces/${workspace_id}/join_links`, auth, given)).body;
const useCount = async (workspace_id: string) => {
  const path = `/workspaces/${workspace_id}/join_links`;
  return (await world.call('GET', path, project.basic)).body.result[0]?.use_count;
};
const factsOf = async (workspace_id: string) => {
  const item = await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' });
  return (item ?? {})['events'];
};

test('201 by a join link, whoever one is; again it is the same membership and costs no use', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { token } = await linkTo(workspace_id, { max_uses: 2 }, owner.bearer);
  const ada = await world.user();
  const { status, body } = await join(workspace_id, ada.uid, ada.bearer, token);
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, ada.user, owner.user, { modified_at: body.created_at }),
  );
  expect(await factsOf(workspace_id)).toMatchObject([
    { type: 'workspace.member.joined', data: { user_id: ada.uid, via: 'join_link' } },
  ]);
  for (const auth of [ada.bearer, project.basic]) {
    const again = await join(workspace_id, ada.uid, auth, token);
    expect([again.status, again.body]).toEqual([200, body]);
  }
  expect(await useCount(workspace_id)).toBe(1);
  const bob = await world.user();
  expect((await join(workspace_id, bob.uid, project.basic, token)).status).toBe(201);
  expect(await useCount(workspace_id)).toBe(2);
});

test('400 by a link that is used up, revoked, expired, of another workspace or none: one answer', async () => {
  const [here, there] = [await world.workspace(), await world.workspace()];
  const { workspace_id } = here;
  const ada = await world.user();
  const [usedUp, expired, revoked] = [
    await linkTo(workspace_id, { max_uses: 1 }),
    await linkTo(workspace_id),
    await linkTo(workspace_id),
  ];
  const { uid } = await world.user();
  await join(workspace_id, uid, project.basic, usedUp.token);
  const key = { pk: `WS#${workspace_id}`, sk: `LINK#${expired.link_id}` };
  await world.table.update(key, { expires_at: Math.floor(Date.now() / 1_000) });
  const path = `/workspaces/${workspace_id}/join_links/${revoked.link_id}`;
  await world.call('DELETE', path, project.basic);
  const { token: good } = await linkTo(workspace_id);
  const forged = `${good.slice(0, -1)}${good.endsWith('A') ? 'E' : 'A'}`;
  const elsewhere = (await linkTo(there.workspace_id)).token;
  const unknown = `jl_${'A'.repeat(43)}.${'A'.repeat(43)}`;
  const misspelled = `jl_${'A'.repeat(42)}B.${'A'.repeat(43)}`;
  const answer = await join(nowhere, ada.uid, ada.bearer, good);
  expectProblem(answer, 'join_link_invalid');
  const others = [forged, elsewhere, unknown, misspelled];
  for (const token of [usedUp.token, expired.token, revoked.token, ...others])
    expectSame(await join(workspace_id, ada.uid, ada.bearer, token), answer);
  expect((await join(workspace_id, ada.uid, project.basic, forged)).body.code).toBe(
    'join_link_invalid',
  );
  expect((await join(workspace_id, ada.uid, ada.bearer, good)).status).toBe(201);
});

test('403 to a person who is gone while their session is not yet, by a link or without one', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid, bearer } = await world.invited(workspace, 'admin');
  const { token } = await linkTo(workspace_id);
  await world.table.delete({ pk: `USER#${uid}`, sk: 'USER' });
  for (const by of [token, undefined])
    expectProblem(await join(workspace_id, uid, bearer, by), 'forbidden');
});

test('400 by a link for the allowed domains, unless the verified e-mail is in one, whatever its mode', async () => {
  const { workspace_id } = await world.workspace();
  const { token } = await linkTo(workspace_id, { restrict_to_allowed_domains: true });
  const path = `/workspaces/${workspace_id}/allowed_domains/linked.com`;
  const ada = await world.user({ email: 'ada@linked.com', verified: true });
  expectProblem(await join(workspace_id, ada.uid, ada.bearer, token), 'join_link_invalid');
  await world.call('PUT', path, project.basic, { mode: 'suggest' });
  const eve = await world.user({ email: 'eve@linked.com' });
  const sub = await world.user({ email: 'eve@x.linked.com', verified: true });
  for (const { uid, bearer } of [eve, sub])
    expectProblem(await join(workspace_id, uid, bearer, token), 'join_link_invalid');
  expect((await join(workspace_id, ada.uid, ada.bearer, token)).status).toBe(201);
});

test('a link that makes admins is good only while its maker owns the workspace', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ofOwner = await linkTo(workspace_id, { role: 'admin' }, owner.bearer);
  const ofProject = await linkTo(workspace_id, { role: 'admin' });
  const people = [await world.user(), await world.user(), await world.user()];
  const [one, two, three] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  expect((await join(workspace_id, one.uid, one.bearer, ofOwner.token)).body.role).toBe('admin');
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { owner_id: one.uid });
  expectProblem(await join(workspace_id, two.uid, two.bearer, ofOwner.token), 'join_link_invalid');
  expect((await join(workspace_id, three.uid, three.bearer, ofProject.token)).body.role).toBe(
    'admin',
  );
});

test("400 by a person's link while its maker is no admin, for whomever, with the maker the first", async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const path = (uid: string) => `/workspaces/${workspace_id}/users/${uid}`;
  const role = (uid: string, to: string) =>
    world.call('PUT', `${path(uid)}/role`, owner.bearer, { role: to });
  const suspend = (uid: string, suspended: boolean) =>
    world.call('PUT', `${path(uid)}/suspension`, owner.bearer, { suspended });
  const eve = await world.member(workspace, 'admin');
  const { token } = await linkTo(workspace_id, {}, eve.bearer);
  const ada = await world.user();
  const refused = async (uid: string, auth: string) =>
    expectProblem(await join(workspace_id, uid, auth, token), 'join_link_invalid');
  for (const [end, resume] of [
    [() => role(eve.uid, 'member'), () => role(eve.uid, 'admin')],
    [() => suspend(eve.uid, true), () => suspend(eve.uid, false)],
  ] as const) {
    await end();
    for (const auth of [ada.bearer, project.basic]) await refused(ada.uid, auth);
    await resume();
  }
  expect((await join(workspace_id, ada.uid, ada.bearer, token)).status).toBe(201);
  await world.call('DELETE', path(eve.uid), owner.bearer);
  const ben = await world.user();
  for (const { uid, bearer } of [eve, ben]) await refused(uid, bearer);
  await refused(eve.uid, project.basic);
  // One of the back end's depends on nobody.
  const { token: other } = await linkTo(workspace_id);
  expect((await join(workspace_id, ben.uid, ben.bearer, other)).status).toBe(201);
});

test('201 an invited person who comes by a link keeps the higher role of the two', async () => {
  for (const [invited, role] of [
    ['admin', 'member'],
    ['member', 'admin'],
  ] as const) {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const { token } = await linkTo(workspace_id, { role });
    const verified = await world.user({ email: `both.${role}@example.com`, verified: true });
    const ada = await world.invited(workspace, invited, verified);
    const { body } = await join(workspace_id, ada.uid, ada.bearer, token);
    expect(body).toMatchObject({ member_id: ada.member.member_id, role: 'admin' });
    expect(await itemsOf(workspace_id)).not.toContain(`INVITE#${ada.uid}`);
  }
});

test('201 whoever has not proven the e-mail that was invited gets by a link what the link gives', async () => {
  const workspace = await world.workspace();
  const { token } = await linkTo(workspace.workspace_id);
  const eve = await world.invited(workspace, 'admin', await world.user());
  const { body } = await join(workspace.workspace_id, eve.uid, eve.bearer, token);
  expect(body.role).toBe('member');
});

test('403 membership_suspended to a suspended member, also by a link', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { token } = await linkTo(workspace_id);
  const { uid, bearer } = await world.member(workspace);
  const key = { pk: `WS#${workspace_id}`, sk: `MEMBER#${uid}` };
  await world.table.update(key, { suspended_at: new Date().toISOString() });
  for (const by of [undefined, token])
    expectProblem(await join(workspace_id, uid, bearer, by), 'membership_suspended');
  expect(await useCount(workspace_id)).toBe(0);
});
