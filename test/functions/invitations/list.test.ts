import { expect, test } from 'vitest';
import { lifetimes } from '#shared/model/limits.ts';
import { anInvitation, expectProblem } from '../../support/expectations.ts';
import { pagesFrom } from '../../support/paging.ts';
import type { Caller } from '../../support/routes.ts';
import { pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const invite = (workspace_id: string, body: object, auth: Caller = project) =>
  as(auth).invitations.create({ workspace_id, ...body });

/** A workspace with invitations that expire in a minute, and some that do not. */
async function scene() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const guests = [await world.user(), await world.user(), await world.user()];
  for (const [i, { email }] of guests.entries()) {
    const expires_in = i === 0 ? 60 : 3_600;
    await invite(workspace_id, { email, role: 'admin', message: 'Hello', expires_in });
  }
  const shown = ({ user }: Person, state: 'pending' | 'expired' = 'pending') =>
    anInvitation(workspace_id, user, owner.user, { role: 'admin', message: 'Hello', state });
  return { workspace, workspace_id, owner, guests: guests as [Person, Person, Person], shown };
}

test('200 lists pending invitations for managers, by age of the user and without links', async () => {
  const { workspace, workspace_id, owner, guests, shown } = await scene();
  const admin = await world.member(workspace, 'admin');
  for (const auth of [project.basic, owner.bearer, admin.bearer])
    for (const state of [undefined, 'pending']) {
      const { status, headers, body } = await as(auth).invitations.list({ workspace_id, state });
      expect(status).toBe(200);
      expect(body).toEqual({ total: 3, count: 3, result: guests.map((guest) => shown(guest)) });
      expect(headers.has('link')).toBe(false);
    }
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body).toEqual({
    total: 0,
    count: 0,
    result: [],
  });
});

test('200 lists an expired invitation only as expired, and never for the invitee', async () => {
  const { workspace_id, guests, shown } = await scene();
  const [late, ...others] = guests;
  pass(61_000);
  const pending = others.map((guest) => shown(guest));
  expect((await as(project).invitations.list({ workspace_id })).body).toEqual({
    total: 2,
    count: 2,
    result: pending,
  });
  const expired = [shown(late, 'expired')];
  expect((await as(project).invitations.list({ workspace_id, state: 'expired' })).body).toEqual({
    ...{ total: 1, count: 1, result: expired },
  });
  const members = await as(project).members.list({ workspace_id, status: 'pending' });
  expect(members.body).toMatchObject({ total: 2, count: 2 });
  const invited = await as(late).workspaces.listInvited();
  expect(invited.body.invited_workspaces).toEqual([]);
  expectProblem(await as(late).members.join({ workspace_id, user_id: late.uid }), 'forbidden');
});

test('200 omits an invitation that expired 30 days ago, and it cannot be resent', async () => {
  const { workspace_id, guests } = await scene();
  const [{ uid: user_id }] = guests;
  const expired = () => as(project).invitations.list({ workspace_id, state: 'expired' });
  pass(lifetimes.expiredInvitation * 1_000);
  expect((await expired()).body).toMatchObject({ count: guests.length });
  pass(120_000);
  expect((await expired()).body).toEqual({ total: 2, count: 2, result: expect.any(Array) });
  expectProblem(await as(project).invitations.resend({ workspace_id, user_id }), 'not_found');
});

test('200 pages by offset and by cursor list each once, with the exact total', async () => {
  const { workspace_id, owner, guests, shown } = await scene();
  const all = guests.map((guest) => shown(guest));
  const page = async (query: object) =>
    (await as(project).invitations.list({ workspace_id, ...query })).body;
  expect(await page({ offset: 1, limit: 1 })).toEqual({ total: 3, count: 1, result: [all[1]] });
  expect(await page({ offset: 3 })).toEqual({ total: 3, count: 0, result: [] });
  for (const limit of [1, 2, 3]) {
    const path = `/workspaces/${workspace_id}/invitations?limit=${limit}`;
    const pages = await pagesFrom(world, path, owner.bearer);
    expect(pages).toHaveLength(Math.ceil(3 / limit));
    expect(pages.flatMap(({ body }) => body.result)).toEqual(all);
  }
});
