import { beforeAll, expect, test } from 'vitest';
import type { Member } from '#shared/model/workspace-resources.ts';
import { invitationCalls, tokenIn } from '../support/invitations.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, oneOf, oneOf200, times } from './many.ts';

const world = await startWorld();
const { basic } = world.project;
const { invite, resend, end, accept, join, mailsTo, countsOf, workspacesOf } =
  invitationCalls(world);
let owner: Person;
beforeAll(async () => {
  owner = await world.user({ verified: true });
});
const place = () => world.workspace({ owner });
const guestOf = async (workspace: Awaited<ReturnType<typeof place>>) =>
  world.invited(workspace, 'admin', await world.user());
const memberOf = (workspace_id: string, uid: string) =>
  world.table.get({ pk: `WS#${workspace_id}`, sk: `MEMBER#${uid}` });
const onMember = (
  method: string,
  workspace_id: string,
  uid: string,
  verb: string,
  body?: object,
  auth = basic,
) => world.call(method, `/workspaces/${workspace_id}/users/${uid}${verb}`, auth, body);
/** Runs all of these concurrently. */
const atOnce = <T>(...all: (() => Promise<T>)[]) =>
  times(all.length, (i) => (all[i] as () => Promise<T>)());

/** The user's membership counter must equal the memberships. */
async function expectExact(workspace_id: string, ...people: Person[]) {
  const counts = await countsOf(workspace_id);
  for (const { uid } of people)
    expect(await workspacesOf(uid)).toBe((await memberOf(workspace_id, uid)) ? 1 : 0);
  return counts;
}

test('200 concurrent acceptances of one invitation create one member, and get equal responses', async () => {
  const workspace = await place();
  const { workspace_id } = workspace;
  const ada = await guestOf(workspace);
  const tokens = [tokenIn((await mailsTo(ada.email))[0]?.text), tokenIn(ada.link)];
  const answers = await times(200, (i) => accept(tokens[i % 2] ?? '', ada.bearer));
  expect(oneOf200()).toContainEqual(counted(answers));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await expectExact(workspace_id, ada)).toEqual({ members: 2, invitations: 0 });
  const joined = answers[0]?.body as Member;
  expect(joined).toMatchObject({ member_id: ada.member.member_id, role: 'admin' });
});

test('an invitation accepted by the user and the backend concurrently creates one member, whose e-mail is verified', async () => {
  await times(5, async () => {
    const workspace = await place();
    const ada = await guestOf(workspace);
    const token = tokenIn((await mailsTo(ada.email))[0]?.text);
    const answers = await times(20, (i) => accept(token, i % 2 ? basic : ada.bearer));
    // A session started by the backend stays, so both find the member.
    expect(oneOf(20, '201', '200')).toContainEqual(counted(answers));
    expect(await expectExact(workspace.workspace_id, ada)).toEqual({ members: 2, invitations: 0 });
    const { body } = await world.call('GET', `/users/${ada.uid}`, basic);
    expect(body.verified).toEqual({ email: true });
  });
});

test('concurrent acceptance, joining, revocation and resending leave a member or nothing, never both', async () => {
  await times(10, async () => {
    const workspace = await place();
    const { workspace_id } = workspace;
    const ada = await world.invited(workspace);
    const token = tokenIn(ada.link);
    const [accepted, joined, revoked] = await atOnce<{ status: number }>(
      () => accept(token, ada.bearer),
      () => join(workspace_id, ada.uid, ada.bearer),
      () => end(workspace_id, ada.uid),
      () => resend(workspace_id, ada.uid),
    );
    const entered = [accepted, joined].filter((answer) => answer?.status === 201).length;
    expect(entered).toBeLessThanOrEqual(1);
    const member = await memberOf(workspace_id, ada.uid);
    if (!disturbed()) {
      expect(member !== undefined).toBe(entered === 1);
      expect(revoked?.status).toBe(member ? 404 : 200);
    }
    expect(await expectExact(workspace_id, ada)).toEqual({
      members: member ? 2 : 1,
      invitations: 0,
    });
  });
});

test('an e-mail that is invited, revoked and joins concurrently ends once or not at all in the workspace', async () => {
  const workspace = await place();
  const { workspace_id } = workspace;
  const ada = await world.user({ verified: true });
  const given = { email: ada.email, role: 'member', send_mail: false };
  await times(60, (i): Promise<unknown> => {
    if (i % 3 === 0) return invite(workspace_id, given);
    return i % 3 === 1 ? end(workspace_id, ada.uid) : join(workspace_id, ada.uid, ada.bearer);
  });
  await expectExact(workspace_id, ada);
});

test('one of two admins who remove each other concurrently succeeds', async () => {
  await times(10, async () => {
    const workspace = await place();
    const { workspace_id } = workspace;
    const [a, b] = [await world.member(workspace, 'admin'), await world.member(workspace, 'admin')];
    const answers = await atOnce(
      () => onMember('DELETE', workspace_id, b.uid, '', undefined, a.bearer),
      () => onMember('DELETE', workspace_id, a.uid, '', undefined, b.bearer),
    );
    if (!disturbed()) expect(counted(answers)).toEqual({ 200: 1, not_found: 1 });
    expect(await expectExact(workspace_id, a, b)).toEqual({ members: 2, invitations: 0 });
  });
});

test('20 members who leave while 20 others accept are counted exactly', async () => {
  const workspace = await place();
  const { workspace_id } = workspace;
  const leaving = await times(20, () => world.member(workspace));
  const coming = await times(20, () => world.invited(workspace));
  const answers = await times(40, (i): Promise<{ status: number; body: unknown }> => {
    const [out, into] = [leaving[i >> 1], coming[i >> 1]];
    return i % 2 === 0
      ? onMember('DELETE', workspace_id, out?.uid ?? '', '', undefined, out?.bearer)
      : accept(tokenIn(into?.link), into?.bearer);
  });
  if (!disturbed()) expect(counted(answers)).toEqual({ 200: 20, 201: 20 });
  expect(await expectExact(workspace_id, ...leaving, ...coming)).toEqual({
    ...{ members: 21, invitations: 0 },
  });
});
