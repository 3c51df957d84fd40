import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { tokenIn } from '../../support/invitations.ts';
import { countersIn, recountFeed } from '../../support/recount-statistics.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const get = (project: TestProject, days?: number) =>
  world.as(project).stats.get(days === undefined ? {} : { days });
const dayAgo = (days: number, from = Date.now()) =>
  new Date(from - days * 86_400_000).toISOString().slice(0, 10);
const quiet = {
  new_users: 0,
  active_users: 0,
  sign_ins: {},
  sign_in_failures: {},
  lockouts: 0,
  invitations_created: 0,
  invitations_accepted: 0,
};

/** The current statistics of the project. */
async function statistics(project: TestProject, days?: number) {
  await world.drainStream();
  const { status, body } = await get(project, days);
  expect(status).toBe(200);
  return body;
}

/** Stores the counters of a day, so many days ago. */
const counted = ({ project_id }: TestProject, days: number, counts: Record<string, number>) =>
  world.table.put({ ...keys.statsDay(project_id, dayAgo(days)), ...counts, expires_at: 2 ** 31 });

const since = ({ project_id }: TestProject, days: number, more: object = {}) =>
  world.table.update(keys.statsTotals(project_id), {
    counted_since: `${dayAgo(days)}T12:00:00.000Z`,
    ...more,
  });

test('200 a new project is counted since its creation, with zeros', async () => {
  const project = await world.newProject();
  const stored = await world.table.get(keys.project(project.project_id));
  expect(await statistics(project)).toEqual({
    counted_since: stored?.['created_at'],
    totals: { users: 0, workspaces: 0, members: 0 },
    days: [{ date: dayAgo(0), ...quiet }],
    months: [{ month: dayAgo(0).slice(0, 7), active_users: 0 }],
  });
});

test('200 counts users, sign-ins by method, active users once, invitations and current totals', async () => {
  const project = await world.newProject();
  const ada = await world.user({ project, verified: true });
  const grace = await world.user({ project, verified: true });
  await world.session(ada.uid, project);
  const engines = await world.workspace({ owner: ada });
  const gone = await world.workspace({ owner: ada });
  const invited = await world.invited(engines, 'member', grace);
  await world.as(grace).invitations.accept({ token: tokenIn(invited.link) });
  const removed = await world.member(engines);
  await world.member(gone);
  await world.invited(gone);
  await world.as(project).workspaces.delete({ workspace_id: gone.workspace_id });
  await world.as(project).users.delete({ uid: removed.uid });
  const body = await statistics(project);
  expect(body.totals).toEqual({ users: 4, workspaces: 1, members: 2 });
  expect(body.days.at(-1)).toEqual({
    date: dayAgo(0),
    new_users: 5,
    active_users: 5,
    sign_ins: { project: 6 },
    sign_in_failures: {},
    lockouts: 0,
    invitations_created: 2,
    invitations_accepted: 1,
  });
  expect(body.months).toEqual([{ month: dayAgo(0).slice(0, 7), active_users: 5 }]);
  await world.as(project).workspaces.restore({ workspace_id: gone.workspace_id });
  expect((await statistics(project)).totals).toEqual({ users: 4, workspaces: 2, members: 4 });
  const of = async (pk: string) => world.table.query(pk);
  const feed = await of(keys.feedHead(project.project_id).pk);
  expect(countersIn(await of(keys.statsTotals(project.project_id).pk))).toEqual(recountFeed(feed));
});

test('200 lists the last days, oldest first, including empty days; months count from their first day', async () => {
  const project = await world.newProject();
  await since(project, 365);
  await counted(project, 89, { new_users: 7, first_active_in_month: 1, active_users: 3 });
  await counted(project, 90, { new_users: 9 });
  await counted(project, 400, { new_users: 11 });
  await counted(project, 1, { sign_ins_idpw: 3, sign_ins_myHidp: 4 });
  // It counts for the month even where it is before the days that are shown.
  const first = `${dayAgo(89).slice(0, 7)}-01`;
  const key = keys.statsDay(project.project_id, first);
  const before = await world.table.get(key);
  await world.table.put({ ...before, ...key, first_active_in_month: 5 });
  const { days, months } = await statistics(project, 90);
  expect(days.map(({ date }: { date: string }) => date)).toEqual(
    Array.from({ length: 90 }, (_, i) => dayAgo(89 - i)),
  );
  expect(days[0]).toMatchObject({ new_users: 7, active_users: 3 });
  expect(days.at(-2)).toEqual({ ...quiet, date: dayAgo(1), sign_ins: { idpw: 3, 'my-idp': 4 } });
  expect(months[0]).toEqual({
    month: dayAgo(89).slice(0, 7),
    active_users: first === dayAgo(89) ? 5 : 6,
  });
  expect((await statistics(project)).days).toHaveLength(30);
  expect((await statistics(project, 1)).days).toEqual([{ date: dayAgo(0), ...quiet }]);
});

test('200 an older project is counted from its next event on, without totals', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  const person = await world.user({ project });
  await world.drainStream();
  // The state that a release before 0.10.0 left.
  for (const { pk, sk } of await world.table.query(keys.statsTotals(project_id).pk))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  const { counted: _, ...head } = (await world.table.get(keys.feedHead(project_id))) ?? {};
  await world.table.put(head);
  expect(await statistics(project)).toEqual({ days: [], months: [] });
  const begun = new Date().toISOString();
  await world.session(person.uid, project);
  const body = await statistics(project);
  expect(body).toEqual({
    counted_since: expect.any(String),
    days: [{ ...quiet, date: dayAgo(0), sign_ins: { project: 1 } }],
    months: [{ month: dayAgo(0).slice(0, 7), active_users: 0 }],
  });
  expect(String(body.counted_since) >= begun).toBe(true);
});

test('200 counting restarts if an older release recorded events in between', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  await since(project, 5);
  const person = await world.user({ project });
  await world.drainStream();
  await world.table.update(keys.feedHead(project_id), { counted: 1 });
  expect((await statistics(project)).days).toHaveLength(6);
  await world.session(person.uid, project);
  const { days, totals } = await statistics(project);
  expect([days.length, totals]).toEqual([1, undefined]);
});

test('200 sums the partial counters of a day and of the totals', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  await since(project, 365);
  const parts = Array.from({ length: 8 }, (_, part) => part);
  const put = (key: object, counts: object) => world.table.put({ ...key, ...counts });
  // The day before the requested range is left out completely.
  for (const part of parts)
    for (const days of [0, 40]) {
      const day = dayAgo(days);
      await put(keys.statsDay(project_id, day, part), { new_users: 1, sign_ins_idpw: part });
      await put(keys.statsFailures(project_id, day, part), { failures_idpw: 2, lockouts: 1 });
    }
  for (const part of parts.slice(1)) await put(keys.statsTotals(project_id, part), { users: part });
  await world.table.update(keys.statsTotals(project_id), { users: 10 });
  const { totals, days } = await statistics(project, 1);
  expect(totals?.users).toBe(38);
  expect(days).toEqual([
    {
      ...quiet,
      ...{ date: dayAgo(0), new_users: 8, lockouts: 8 },
      ...{ sign_ins: { idpw: 28 }, sign_in_failures: { idpw: 16 } },
    },
  ]);
});

test('200 counts failed sign-ins by method, with or without an account, but not refusals by a rate limit', async () => {
  const { project, project_id, code, signUp } = await signInProject(world);
  const { email } = await signUp('ada@example.com');
  const ask = (path: string, body: object) =>
    world.call('POST', path, undefined, { project_id, ...body });
  for (const each of [email, 'nobody@example.com'])
    expect((await ask('/sessions/password', { email: each, password: 'wrong' })).status).toBe(401);
  const { challenge_id, code: right } = await code('grace@example.com');
  const other = right === '000000' ? '111111' : '000000';
  const wrong = await ask('/sessions/code', { challenge_id, code: other });
  expect(wrong.status).toBe(401);
  await world.table.update(keys.passwordTries({ project_id, email }), { total: 99, w0: 0 });
  expect((await ask('/sessions/password', { email, password: 'wrong' })).status).toBe(401);
  expect((await ask('/sessions/password', { email, password: 'wrong' })).status).toBe(403);
  const { days } = await statistics(project, 1);
  expect(days[0]).toMatchObject({ sign_in_failures: { idpw: 3, email_code: 1 }, lockouts: 1 });
});

test('200 counts nothing of another project', async () => {
  const [one, other] = [await world.newProject(), await world.newProject()];
  const ada = await world.user({ project: one });
  await world.workspace({ owner: ada });
  await world.drainStream();
  expect((await statistics(other)).totals).toEqual({ users: 0, workspaces: 0, members: 0 });
  expect((await statistics(one)).totals).toEqual({ users: 1, workspaces: 1, members: 1 });
  expect((await statistics(other)).days).toEqual([{ date: dayAgo(0), ...quiet }]);
});
