import { afterEach, expect, test, vi } from 'vitest';
import {
  anInvitation,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { expectCursorBound, pagesFrom } from '../../support/paging.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { invite, list, pathOf, join } = invitationCalls(world);
const later = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
afterEach(() => {
  vi.useRealTimers();
});

/** A workspace with invitations that end in a minute, and some that do not. */
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

test('200 the pending ones, by age of the user, without their links, to whoever manages', async () => {
  const { workspace, workspace_id, owner, guests, shown } = await scene();
  const admin = await world.member(workspace, 'admin');
  for (const auth of [project.basic, owner.bearer, admin.bearer])
    for (const query of ['', 'state=pending']) {
      const { status, headers, body } = await list(workspace_id, query, auth);
      expect(status).toBe(200);
      expect(body).toEqual({ total: 3, count: 3, result: guests.map((guest) => shown(guest)) });
      expect(headers.has('link')).toBe(false);
    }
  expect((await list(workspace_id, 'state=expired')).body).toEqual({
    total: 0,
    count: 0,
    result: [],
  });
});

test('200 what has expired is no longer pending, counts nowhere and is invisible to the invitee', async () => {
  const { workspace_id, guests, shown } = await scene();
  const [late, ...others] = guests;
  later(61);
  const pending = others.map((guest) => shown(guest));
  expect((await list(workspace_id)).body).toEqual({ total: 2, count: 2, result: pending });
  const expired = [shown(late, 'expired')];
  expect((await list(workspace_id, 'state=expired')).body).toEqual({
    ...{ total: 1, count: 1, result: expired },
  });
  const path = `/workspaces/${workspace_id}/users?status=pending`;
  const members = await world.call('GET', path, project.basic);
  expect(members.body).toMatchObject({ total: 2, count: 2 });
  const invited = await world.call('GET', '/workspaces/invited/search', late.bearer);
  expect(invited.body.invited_workspaces).toEqual([]);
  expectProblem(await join(workspace_id, late.uid, late.bearer), 'forbidden');
});

test('200 pages by offset and by cursor, each once, with the exact total', async () => {
  const { workspace_id, owner, guests, shown } = await scene();
  const all = guests.map((guest) => shown(guest));
  const page = async (query: string) => (await list(workspace_id, query)).body;
  expect(await page('offset=1&limit=1')).toEqual({ total: 3, count: 1, result: [all[1]] });
  expect(await page('offset=3')).toEqual({ total: 3, count: 0, result: [] });
  for (const limit of [1, 2, 3]) {
    const path = `${pathOf(workspace_id)}?limit=${limit}`;
    const pages = await pagesFrom(world, path, owner.bearer);
    expect(pages).toHaveLength(Math.ceil(3 / limit));
    expect(pages.flatMap(({ body }) => body.result)).toEqual(all);
  }
});

test('400 a cursor is good for its own caller and query alone', async () => {
  const { workspace_id, owner } = await scene();
  await expectCursorBound(world, `${pathOf(workspace_id)}?limit=1`, owner.bearer, {
    elsewhere: [`${pathOf(workspace_id)}?state=expired`],
    others: [project.basic],
  });
});

test('403 to a plain member', async () => {
  const { workspace, workspace_id } = await scene();
  const { bearer } = await world.member(workspace);
  expectProblem(await list(workspace_id, '', bearer), 'forbidden');
});

test('404 for strangers and the invited, here and of another project: the very answer of a missing one', async () => {
  const { workspace_id, guests } = await scene();
  const foreign = await world.newProject();
  for (const auth of [foreign.basic, (await world.user()).bearer, guests[1].bearer]) {
    const answer = await list(workspace_id, '', auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await list(nowhere, '', auth));
  }
});

test('400 names every wrong parameter', async () => {
  expectInvalid(
    await list('x', 'state=gone&offset=-1&limit=0&role=admin'),
    ...['/path/workspace_id', '/query/state', '/query/offset', '/query/limit', '/query/role'],
  );
});

test('401 without a credential', async () => {
  expectProblem(await world.call('GET', pathOf(nowhere)), 'unauthenticated');
});
