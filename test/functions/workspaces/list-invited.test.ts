import { expect, test } from 'vitest';
import { byMember, byRequester } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { withJoinRequest } from '../../support/join-requests.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { startWorld } from '../../support/world.ts';

const path = '/workspaces/invited/search';

// Separate, because it stores thousands of items, which files that scan a shared table would read too.
const world = await startWorld({});
const { project, as } = world;
const listOf = async ({ bearer }: { bearer: string }) =>
  (await as(bearer).workspaces.listInvited()).body;
const read = async ({ workspace_id }: { workspace_id: string }): Promise<Workspace> =>
  (await as(project).workspaces.get({ workspace_id })).body;
const allow = ({ workspace_id }: { workspace_id: string }, ...allowed_domains: string[]) =>
  as(project).workspaces.setAllowedDomains({ workspace_id, allowed_domains });

test('200 lists the workspaces that the caller is invited to, each with the inviter', async () => {
  const ada = await world.user();
  const one = await world.workspace({ name: 'One', logo: 'https://example.com/l.png' });
  const two = await world.workspace({ name: 'Two' });
  await world.invited(one, 'member', ada);
  const admin = await world.member(two, 'admin');
  const body = { email: ada.email, role: 'admin' };
  await as(admin).invitations.create({ workspace_id: two.workspace_id, ...body });
  await world.workspace({ owner: ada });
  const answer = await as(ada).workspaces.listInvited();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    invited_workspaces: [
      { ...(await read(one)), inviter_email: one.owner_email },
      { ...(await read(two)), inviter_email: admin.email },
    ],
    same_domain_workspaces: [],
    requested_workspaces: [],
  });
});

test('200 lists the workspaces of the project that allow the domain of a verified e-mail', async () => {
  const ada = await world.user({ email: 'ada@Open.com', verified: true });
  const full = await world.workspace({ logo: 'https://example.com/l.png', description: 'Full' });
  const bare = await world.workspace({ name: 'Bare' });
  const sub = await world.workspace({ name: 'Only for people of a subdomain' });
  await allow(full, 'else.com', 'open.com');
  await allow(bare, 'open.com');
  await allow(sub, 'mail.open.com');
  await world.member(full);
  const foreign = await world.newProject();
  const theirs = await world.workspace({ owner: await world.user({ project: foreign }) });
  await as(foreign).workspaces.setAllowedDomains({
    workspace_id: theirs.workspace_id,
    allowed_domains: ['open.com'],
  });
  const shown = { project_id: project.project_id, domain: 'open.com', mode: 'auto' };
  expect(await listOf(ada)).toEqual({
    invited_workspaces: [],
    same_domain_workspaces: [
      {
        ...{ ...shown, workspace_id: full.workspace_id, name: 'Acme', total_member_count: 2 },
        ...{ logo_url: 'https://example.com/l.png', description: 'Full' },
      },
      { ...shown, workspace_id: bare.workspace_id, name: 'Bare', total_member_count: 1 },
    ],
    requested_workspaces: [],
  });
});

test('200 lists workspaces that have proven the domain first, among many that claim it, with their mode', async () => {
  const claims = [await world.workspace(), await world.workspace(), await world.workspace()];
  for (const workspace of claims) await allow(workspace, 'claimed.com');
  const [, , owner] = claims;
  const key = { pk: `WS#${owner?.workspace_id}`, sk: 'WS' };
  const proven_domains = { 'claimed.com': '2026-11-21T08:00:00.000Z' };
  await world.table.update(key, { proven_domains });
  for (const mode of ['off', 'suggest'])
    await as(project).domains.set({
      workspace_id: owner?.workspace_id,
      domain: 'claimed.com',
      mode,
    });
  const model = await world.table.get({
    pk: `WS#${claims[0]?.workspace_id}`,
    sk: 'DOMAIN#claimed.com',
  });
  // A hundred more that exist only in the index.
  for (let i = 0; i < 100; i += 1) {
    const pk = `WS#wid-0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    await world.table.put({ ...model, pk, by_email_sk: pk });
  }
  const ada = await world.user({ email: 'ada@claimed.com', verified: true });
  const { same_domain_workspaces: found, more_same_domain_workspaces: more } = await listOf(ada);
  expect(found).toMatchObject([
    { workspace_id: owner?.workspace_id, domain: 'claimed.com', mode: 'suggest', proven: true },
  ]);
  expect(more).toBe(true);
});

test('200 lists open join requests of the caller, until decided, withdrawn or expired', async () => {
  const ada = await world.user({ email: 'ada@asked.com', verified: true });
  const spaces = [1, 2, 3, 4].map(() => world.workspace({ description: 'Why' }));
  const [open, approved, expired, back] = await Promise.all(spaces);
  if (!open || !approved || !expired || !back) throw new Error('unreachable');
  const requests = [];
  for (const workspace of [open, approved, expired, back]) {
    await allow(workspace, 'asked.com');
    const { workspace_id } = workspace;
    requests.push((await as(ada).joinRequests.create({ workspace_id })).body);
  }
  const of = ({ workspace_id }: { workspace_id: string }) => ({ workspace_id, user_id: ada.uid });
  await as(project).joinRequests.approve(of(approved));
  const key = { pk: `WS#${expired.workspace_id}`, sk: `REQUEST#${ada.uid}` };
  await world.table.update(key, { expires_at: 1 });
  await as(ada).joinRequests.delete(of(back));
  expect((await listOf(ada)).requested_workspaces).toEqual([
    {
      workspace_id: open.workspace_id,
      project_id: project.project_id,
      name: 'Acme',
      description: 'Why',
      total_member_count: 1,
      requested_at: requests[0].created_at,
    },
  ]);
});

test('200 lists no workspace for the domain of an e-mail until it is verified, or once the user no longer has it', async () => {
  await allow(await world.workspace(), 'secret.com');
  const bob = await world.user({ email: 'bob@secret.com' });
  expect((await listOf(bob)).same_domain_workspaces).toEqual([]);
  await as(project).users.create({ email: bob.email, email_verified: true });
  expect((await listOf(bob)).same_domain_workspaces).toHaveLength(1);
  await as(project).users.update({ uid: bob.uid, email: 'bob@elsewhere.com' });
  expect((await listOf(bob)).same_domain_workspaces).toEqual([]);
});

test('200 omits workspaces that are joined, already invited to or closed again', async () => {
  const ada = await world.user({ email: 'ada@mixed.com', verified: true });
  const [joined, invited, closed] = await Promise.all([1, 2, 3].map(() => world.workspace()));
  if (!joined || !invited || !closed) throw new Error('unreachable');
  for (const workspace of [joined, invited, closed]) await allow(workspace, 'mixed.com');
  expect((await listOf(ada)).same_domain_workspaces).toHaveLength(3);
  await world.member(joined, 'member', ada);
  await world.invited(invited, 'member', ada);
  await allow(closed);
  expect(await listOf(ada)).toEqual({
    invited_workspaces: [{ ...(await read(invited)), inviter_email: invited.owner_email }],
    same_domain_workspaces: [],
    requested_workspaces: [],
  });
});

test('200 pages list each invitation once; the first page has the other lists', async () => {
  const ada = await world.user({ email: 'ada@pages.com', verified: true });
  const places = await Promise.all([1, 2, 3, 4, 5].map(() => world.workspace()));
  for (const place of places) await world.invited(place, 'member', ada);
  const open = await world.workspace();
  await allow(open, 'pages.com');
  const all = await as(ada).workspaces.listInvited();
  expect(all.headers.has('link')).toBe(false);
  expect(all.body.invited_workspaces).toHaveLength(5);
  expect(all.body.same_domain_workspaces).toHaveLength(1);
  for (const limit of [1, 2, 5]) {
    const pages = await pagesFrom(world, `${path}?limit=${limit}`, ada.bearer);
    expect(pages).toHaveLength(Math.ceil(5 / limit));
    expect(pages.flatMap(({ body }) => body.invited_workspaces)).toEqual(
      all.body.invited_workspaces,
    );
    expect(pages[0]!.body.same_domain_workspaces).toEqual(all.body.same_domain_workspaces);
    for (const { body } of pages.slice(1))
      expect(body).toMatchObject({ same_domain_workspaces: [], requested_workspaces: [] });
  }
  const other = await world.user();
  const next = nextOf(await as(ada).workspaces.listInvited({ limit: 2 })) ?? '';
  expectInvalid(await world.call('GET', next, other.bearer), '/query/cursor');
  expectInvalid(
    await world.call('GET', `${path}?limit=0&offset=1`, ada.bearer),
    '/query/limit',
    '/query/offset',
  );
});

test('200 finds an invitation behind 1,200 others, on pages of 50 and 100 at most', async () => {
  const ada = await world.user({ verified: true });
  const wanted = await world.workspace({ name: 'Wanted' });
  await world.invited(wanted, 'member', ada);
  const invitation = await world.table.get(keys.invitation(wanted.workspace_id, ada.uid));
  const workspace = await world.table.get(keys.workspace(wanted.workspace_id));
  // The oldest ones, so that they come first; few are unexpired.
  const ended = '2026-01-01T00:00:00.000Z';
  const items = Array.from({ length: 1_200 }, (_, i) => {
    const workspace_id = `wid-0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    const old = { ...invitation, ...keys.invitation(workspace_id, ada.uid), workspace_id };
    const index = byMember('pending', ada.uid, workspace_id);
    return [
      { ...old, ...index, ...(i % 16 > 0 && { invitation_expires_at: ended }) },
      { ...workspace, ...keys.workspace(workspace_id), workspace_id },
    ];
  });
  await world.table.putAll(items.flat());
  // A page of 100 ends with what it reads at most, and one of 50 when it is full.
  for (const limit of [50, 100]) {
    const pages = await pagesFrom(world, `${path}?limit=${limit}`, ada.bearer);
    const found = pages.flatMap(({ body }) => body.invited_workspaces as Workspace[]);
    expect(found).toHaveLength(76);
    expect(new Set(found.map(({ workspace_id }) => workspace_id)).size).toBe(76);
    expect(found.at(-1)).toMatchObject({ name: 'Wanted' });
    for (const { body } of pages) expect(body.invited_workspaces.length).toBeLessThanOrEqual(limit);
  }
});

test('200 omits an accepted invitation, even if the index still has it, and one to a deleted workspace', async () => {
  const workspace = await world.workspace();
  const ada = await world.invited(workspace);
  const { workspace_id } = workspace;
  await as(ada).members.join({ workspace_id, user_id: ada.uid });
  const index = byMember('pending', ada.uid, workspace_id);
  await world.table.put({ pk: 'OUTDATED', sk: ada.uid, ...index, role: 'member' });
  const deleted = await world.workspace();
  await world.invited(deleted, 'member', ada);
  await as(project).workspaces.delete({ workspace_id: deleted.workspace_id });
  expect(await listOf(ada)).toEqual({
    invited_workspaces: [],
    same_domain_workspaces: [],
    requested_workspaces: [],
  });
});

test('200 omits a join request that is gone, even if the index still has it, and one to a deleted workspace', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  const other = await world.workspace();
  const index = byRequester(asker.uid, other.workspace_id);
  await world.table.put({ pk: 'OUTDATED', sk: asker.uid, ...index });
  await as(project).workspaces.delete({ workspace_id });
  expect((await listOf(asker)).requested_workspaces).toEqual([]);
});
