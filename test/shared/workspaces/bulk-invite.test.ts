/**
 * @module-tag engine
 * @module-tag proof
 */
import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Role } from '#shared/model/fields.ts';
import { limits, times } from '#shared/model/limits.ts';
import type { Invitation } from '#shared/model/workspace-resources.ts';
import { aLink, anInvitation, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { anEvent } from '../../support/recorded-events.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

// It fills the table with thousands of items, which the files that scan a shared table would read too.
const world = await startWorld({});
const { project } = world;
const { invite, list, end, countsOf, eventsOf, backend } = invitationCalls(world);

type Result = { email: string; role: Role; outcome: string; invitation?: Invitation };
type Bulk = { dry_run: boolean; invited: number; results: Result[] };
type Row = { email: string; role: string; message?: string };
const many = (workspace_id: string, invitations: Row[], more: object = {}, auth = project.basic) =>
  invite<Bulk>(workspace_id, { invitations, ...more }, auth);
const rowsOf = (count: number, name: string): Row[] =>
  Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@example.com`, role: 'member' }));
const outcomes = ({ results }: Bulk) => results.map(({ outcome }) => outcome);
const countsIn = (texts: string[]) =>
  Object.fromEntries(
    [...new Set(texts)].map((each) => [each, texts.filter((x) => x === each).length]),
  );
/** The number of pending mails in the table, by recipient. */
const mailed = async (name: string) => {
  const mails = (await world.table.all()).filter(
    ({ sk, to }) => sk === 'MAIL' && String(to).startsWith(name),
  );
  return countsIn(mails.map(({ to }) => String(to)));
};
const onceEach = (rows: Row[]) => Object.fromEntries(rows.map(({ email }) => [email, 1]));
/** Resends the rows until the time suffices for all of them; returns all outcomes of each. */
async function persist(workspace_id: string, rows: Row[], auth?: string): Promise<string[][]> {
  const came: string[][] = rows.map(() => []);
  do {
    const { status, body } = await many(workspace_id, rows, {}, auth);
    // On a busy machine. The next request finds the completed part.
    if (status === 503) continue;
    expect(status).toBe(200);
    for (const [i, outcome] of outcomes(body).entries()) came[i]?.push(outcome);
  } while (came.some((each) => each.length === 0 || each.at(-1) === 'unprocessed'));
  return came;
}
test('returns a result for each row, in their order, for every outcome', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const member = await world.member(workspace);
  const invited = await world.invited(workspace);
  const ada = await world.user();
  for (let i = 0; i < 10; i += 1) {
    const { body } = await invite(workspace_id, { email: 'often@example.com', role: 'member' });
    await end(workspace_id, body.user_id);
  }
  const rows = [
    { email: ada.email, role: 'admin', message: 'Welcome' },
    { email: member.email, role: 'admin' },
    { email: invited.email, role: 'admin' },
    { email: ada.email.toUpperCase(), role: 'member' },
    { email: 'often@example.com', role: 'member' },
    { email: 'fresh@example.com', role: 'member' },
  ];
  const { status, body } = await many(workspace_id, rows);
  expect(status).toBe(200);
  const link = aLink(workspace_id);
  const fresh = { uid: expect.any(String), email: 'fresh@example.com' };
  expect(body).toEqual({
    dry_run: false,
    invited: 2,
    results: [
      {
        ...{ email: ada.email, role: 'admin', outcome: 'invited' },
        invitation: anInvitation(workspace_id, ada.user, owner.user, {
          ...{ role: 'admin', message: 'Welcome', link },
        }),
      },
      { email: member.email, role: 'admin', outcome: 'already_member' },
      {
        ...{ email: invited.email, role: 'admin', outcome: 'invitation_exists' },
        invitation: {
          ...invited.member,
          ...{ state: 'pending', expires_at: expect.any(String) },
        },
      },
      { email: ada.email.toUpperCase(), role: 'member', outcome: 'duplicate' },
      { email: 'often@example.com', role: 'member', outcome: 'too_many_requests' },
      {
        ...{ email: 'fresh@example.com', role: 'member', outcome: 'invited' },
        invitation: anInvitation(workspace_id, { ...ada.user, ...fresh }, owner.user, { link }),
      },
    ],
  });
  expect(await countsOf(workspace_id)).toEqual({ members: 2, invitations: 3 });
  const actor = await backend();
  expect(await eventsOf(workspace_id)).toEqual(
    body.results.flatMap(({ outcome, invitation }) => {
      if (outcome !== 'invited' || !invitation) return [];
      const { user_id, member_id, role } = invitation;
      return [anEvent(actor, 'workspace.invitation.created', { user_id, member_id, role })];
    }),
  );
  await world.drainStream();
  const settled = world.mails().filter(({ to }) => to === ada.email);
  expect(settled.map(({ text }) => text)).toEqual([expect.stringContaining('“Welcome”')]);
});

test('invites 500 new rows with messages in one request; no row is mailed twice on a retry', async () => {
  const { workspace_id } = await world.workspace();
  const rows = rowsOf(500, 'crowd').map((row) => ({ ...row, message: 'Come in '.repeat(10) }));
  expect(JSON.stringify(rows).length).toBeGreaterThan(limits.body);
  const before = process.cpuUsage();
  const first = await many(workspace_id, rows);
  const { user, system } = process.cpuUsage(before);
  expect([first.status, first.body.invited]).toEqual([200, 500]);
  // Lambda gives a function of 1,024 MB 0.58 of a processor; this also includes the test's own work.
  expect((user + system) / 1_000 / 0.58).toBeLessThan(times.bulkInvitation);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 500 });
  // Sent again, as after a lost response.
  const again = await many(workspace_id, rows);
  expect(countsIn(outcomes(again.body))).toEqual({ invitation_exists: 500 });
  expect(again.status).toBe(200);
  expect(again.body.results.map(({ email }) => email)).toEqual(rows.map(({ email }) => email));
  expect(await mailed('crowd')).toEqual(onceEach(rows));
});

test('invites each row of two concurrent requests once, and mails it once', async () => {
  const { workspace_id } = await world.workspace();
  const rows = rowsOf(60, 'twice');
  const both = await Promise.all([persist(workspace_id, rows), persist(workspace_id, rows)]);
  for (const i of rows.keys()) {
    const settled = both.flatMap((came) => came[i] ?? []).filter((each) => each !== 'unprocessed');
    expect(settled.filter((each) => each === 'invited').length).toBeLessThanOrEqual(1);
    expect(settled).toContain('invitation_exists');
  }
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 60 });
  expect(await mailed('twice')).toEqual(onceEach(rows));
});

test('dry_run returns the outcome of each row and writes nothing', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { email } = await world.member(workspace);
  const rows = [{ email, role: 'member' }, ...rowsOf(2, 'dry'), ...rowsOf(1, 'dry')];
  const before = await world.table.all();
  const { status, body } = await many(workspace_id, rows, { dry_run: true });
  expect(status).toBe(200);
  expect(body).toEqual({
    dry_run: true,
    invited: 2,
    results: rows.map((row, i) => ({
      ...row,
      outcome: ['already_member', 'invited', 'invited', 'duplicate'][i],
    })),
  });
  expect(await world.table.all()).toEqual(before);
});

describe('dry_run and the request have the same outcomes', () => {
  /** The outcomes of the request. Expects the same outcomes of a dry run before it, which writes nothing. */
  async function sameOutcomes(workspace_id: string, rows: Row[], more = {}, auth?: string) {
    const before = await world.table.all();
    const dry = await many(workspace_id, rows, { ...more, dry_run: true }, auth);
    expect(await world.table.all()).toEqual(before);
    const { body } = await many(workspace_id, rows, more, auth);
    expect(outcomes(dry.body)).toEqual(outcomes(body));
    expect(dry.body.invited).toBe(body.invited);
    return countsIn(outcomes(body));
  }
  const setPending = (workspace_id: string, pending_member_count: number) =>
    world.table.update(keys.workspace(workspace_id), { pending_member_count });
  /** Invites an address and revokes the invitation, as often as the daily limit allows. */
  async function exhaust(workspace_id: string, email: string) {
    for (let i = 0; i < 10; i += 1) {
      const { body } = await invite(workspace_id, { email, role: 'member' });
      await end(workspace_id, body.user_id);
    }
  }

  test.each([1, 10, 20, 21, 50])('if %i rows are for the last three places', async (count) => {
    const { workspace_id } = await world.workspace();
    await setPending(workspace_id, 997);
    const rows = rowsOf(count, `places${count}-`);
    const invited = Math.min(3, count);
    expect(await sameOutcomes(workspace_id, rows)).toEqual({
      invited,
      ...(count > 3 && { invitation_limit_reached: count - invited }),
    });
  });

  test.each([0, 23, 47])(
    'if expired invitations make room, with %i rows before them',
    async (at) => {
      const { workspace_id } = await world.workspace();
      const name = `old${at}-`;
      const old = rowsOf(3, name);
      for (const row of old) await invite(workspace_id, { ...row, expires_in: 60 });
      for (const row of rowsOf(2, `open${at}-`)) await invite(workspace_id, row);
      await setPending(workspace_id, 990);
      pass(61_000);
      const rows = rowsOf(47, `new${at}-`);
      rows.splice(at, 0, ...old.slice(0, 2));
      expect(await sameOutcomes(workspace_id, rows)).toEqual({
        invited: 13,
        invitation_limit_reached: 36,
      });
    },
  );

  test('if a new e-mail of a user replaces their invitation, beside a row for the last place', async () => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const { uid } = await world.invited(workspace);
    await world.as(project).users.update({ uid, email: 'moved@example.com' });
    await setPending(workspace_id, 999);
    const rows = [{ email: 'moved@example.com', role: 'member' }, ...rowsOf(1, 'beside')];
    expect(await sameOutcomes(workspace_id, rows)).toEqual({ invited: 2 });
  });

  test('if an address was invited too often, before and after the last place', async () => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const often = ['often-a@example.com', 'often-b@example.com', 'often-c@example.com'];
    for (const email of often) await exhaust(workspace_id, email);
    const [a = '', b = '', c = ''] = often;
    const { email: member } = await world.member(workspace);
    const row = (email: string) => ({ email, role: 'member' });
    const [x, y, z] = rowsOf(3, 'place').map(({ email }) => row(email));
    if (!x || !y || !z) throw new Error('There are three rows.');
    const rows = [row(a), x, row(member), row(b), row(b.toUpperCase()), y, row(c), z, row(member)];
    await setPending(workspace_id, 999);
    expect(await sameOutcomes(workspace_id, rows)).toEqual({
      ...{ already_member: 1, duplicate: 2, invited: 1 },
      ...{ too_many_requests: 2, invitation_limit_reached: 3 },
    });
    await setPending(workspace_id, 1);
    // A backend that sends no mail is not counted; a user is, by another counter.
    const unmailed = { send_mail: false };
    const others = [row(a), row(b)];
    expect(await sameOutcomes(workspace_id, others, unmailed)).toEqual({ invited: 2 });
    expect(await sameOutcomes(workspace_id, [row(c)], unmailed, owner.bearer)).toEqual({
      invited: 1,
    });
  });
});

test('sends no mail with send_mail: false', async () => {
  const { workspace_id } = await world.workspace();
  const rows = rowsOf(3, 'silent');
  const { body } = await many(workspace_id, rows, { send_mail: false, expires_in: 120 });
  expect(outcomes(body)).toEqual(['invited', 'invited', 'invited']);
  for (const { invitation } of body.results) {
    const { expires_at = '', created_at = '', link } = invitation ?? {};
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(120_000);
    expect(link).toEqual(aLink(workspace_id));
  }
  expect(await mailed('silent')).toEqual({});
});

test('if places run out, invites the first rows, and rows that replace an expired invitation', async () => {
  const { workspace_id } = await world.workspace();
  const key = keys.workspace(workspace_id);
  const expired = { email: 'expired@example.com', role: 'member' };
  await invite(workspace_id, { ...expired, expires_in: 60 });
  await world.table.update(key, { pending_member_count: 997 });
  pass(61_000);
  const rows = [expired, ...rowsOf(50, 'room')];
  const { body } = await many(workspace_id, rows);
  expect(body.invited).toBe(4);
  expect(countsIn(outcomes(body))).toEqual({ invited: 4, invitation_limit_reached: 47 });
  expect(outcomes(body).slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'invited'));
  expect((await list(workspace_id)).body.total).toBe(4);
  expect((await world.table.get(key))?.['pending_member_count']).toBe(1_000);
  // No user was created for rejected rows, and their limits were not consumed.
  const made = await world.as(project).users.create({ email: 'room49@example.com' });
  expect(made.status).toBe(201);
  expect(await mailed('room')).toEqual(onceEach(rowsOf(3, 'room')));
});

test('400 for a single invitation beside rows, and invites no row', async () => {
  const { workspace_id } = await world.workspace();
  const one = { email: 'a@example.com', role: 'member', message: 'Hello' };
  const both = await many(workspace_id, rowsOf(1, 'both'), one);
  expectInvalid(both, '/body/email', '/body/role', '/body/message');
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
});

/** Texts without repetitions, which do not compress. */
const noise = (length: number) =>
  Array.from({ length }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('');
const keyed = (workspace_id: string, invitations: Row[]) => ({
  method: 'POST',
  path: `/workspaces/${workspace_id}/invitations`,
  auth: project.basic,
  body: { invitations, send_mail: false },
  headers: { 'idempotency-key': randomUUID() },
});

test('400 names each row with an unknown role, and invites no row', async () => {
  const { workspace_id, owner } = await world.workspace();
  const rows = ['member', 'ghost', 'admin', 'ws-ghost', 'ghost'].map((role, i) => ({
    email: `ghost${i}@example.com`,
    role,
  }));
  const wrong = [1, 3, 4].map((i) => `/body/invitations/${i}/role`);
  for (const auth of [project.basic, owner.bearer])
    expectInvalid(await many(workspace_id, rows, {}, auth), ...wrong);
  expect(await mailed('ghost')).toEqual({});
});

test('with an Idempotency-Key, 500 rows with long messages get a response, and a retry the same one', async () => {
  const { workspace_id } = await world.workspace();
  const rows = rowsOf(499, 'wordy');
  for (let i = 0; i < rows.length; i += 20) {
    const some = rows.slice(i, i + 20).map((row) => ({ ...row, message: noise(500) }));
    const { body } = await many(workspace_id, some, { send_mail: false });
    expect(body.invited).toBe(some.length);
  }
  const call = keyed(workspace_id, [...rows, ...rowsOf(1, 'one-more')]);
  const first = await world.call<Bulk>(call);
  expect([first.status, first.body.invited]).toEqual([200, 1]);
  for (const { outcome, invitation } of first.body.results.slice(0, -1)) {
    expect([outcome, invitation?.member_id]).toEqual(['invitation_exists', expect.any(String)]);
    expect(invitation).not.toHaveProperty('message');
    expect(invitation).not.toHaveProperty('link');
  }
  expect(first.body.results.at(-1)?.invitation?.link).toEqual(aLink(workspace_id));
  const again = await world.call<Bulk>(call);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test('with an Idempotency-Key, the largest body has a response that fits its record', async () => {
  const { workspace_id } = await world.workspace();
  const bare = rowsOf(500, 'x'.repeat(50));
  const left = limits.bulkInvitationBody - JSON.stringify({ invitations: bare }).length;
  const length = Math.floor((left / bare.length - '"message":"",'.length) / 3);
  const call = keyed(
    workspace_id,
    bare.map((row) => ({ ...row, message: noise(length) })),
  );
  const size = Buffer.byteLength(JSON.stringify(call.body));
  expect(size).toBeGreaterThan(limits.bulkInvitationBody - 2_000);
  const first = await world.call<Bulk>(call);
  expect([first.status, first.body.invited]).toEqual([200, 500]);
  const again = await world.call<Bulk>(call);
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test.each([1, 2, 45])(
  'with an Idempotency-Key, a response to %i rows that does not fit is refused before anything is written',
  async (count) => {
    const { workspace_id } = await world.workspace();
    const call = keyed(workspace_id, rowsOf(count, `large${count}-`));
    const { sealedAnswer } = limits;
    const settings = limits as { sealedAnswer: number };
    settings.sealedAnswer = 400;
    const before = await world.table.query(`WS#${workspace_id}`);
    const refused = await world.call(call);
    settings.sealedAnswer = sealedAnswer;
    expectProblem(refused, 'content_too_large');
    expect(await world.table.query(`WS#${workspace_id}`)).toEqual(before);
    // The key is free again.
    expect((await world.call<Bulk>(call)).body.invited).toBe(count);
  },
);
