import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { accountKey, presentWindow } from '../../shared/db/rate-limits.ts';
import { limits } from '../../shared/model/limits.ts';
import { doneAfter } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { invitationCalls, tokenIn } from '../support/invitations.ts';
import { preparedAccount } from '../support/prepared.ts';
import { goodPassword, type Started, signInProject } from '../support/sign-in.ts';
import { expectDead } from './scene.ts';

// Another request runs exactly between the reads and the write of a request: the proxy delays the write.
const { faults, world } = await startFaultyWorld();
const asProject = world.as(world.project);
const ours = await signInProject(world);
const { mailsTo, countsOf, workspacesOf } = invitationCalls(world);
let scenes = 0;

/** A workspace with two admins, a member and an invitee with an unverified e-mail. */
async function scene() {
  scenes += 1;
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const ada = await world.invited(workspace, 'admin', await world.user());
  const mailed = tokenIn((await mailsTo(ada.email))[0]?.text);
  const { members, invitations } = world.as(admin);
  const theMember = { workspace_id, user_id: member.uid };
  const theAdmin = { workspace_id, user_id: admin.uid };
  const guest = { workspace_id, user_id: ada.uid };
  const actions = {
    accept: () => world.as(ada).invitations.accept({ token: mailed }),
    acceptLink: () => world.as(ada).invitations.accept({ token: tokenIn(ada.link) }),
    acceptByProject: () => asProject.invitations.accept({ token: mailed }),
    join: () => asProject.members.join(guest),
    add: () => asProject.members.add({ ...guest, role: 'admin' }),
    decline: () => world.as(ada).invitations.end(guest),
    revoke: () => invitations.end(guest),
    resend: () => invitations.resend(guest),
    moveEmail: () => asProject.users.update({ uid: ada.uid, email: `moved${scenes}@example.com` }),
    disable: () => asProject.users.update({ uid: ada.uid, disabled: true }),
    inviteMany: () =>
      invitations.create({
        workspace_id,
        invitations: [{ email: `many${scenes}@example.com`, role: 'member' }],
      }),
    leave: () => world.as(member).members.remove(theMember),
    removeMember: () => members.remove(theMember),
    suspend: () => members.suspend({ ...theMember, suspended: true }),
    resume: () => members.suspend({ ...theMember, suspended: false }),
    promote: () => members.changeRole({ ...theMember, role: 'admin' }),
    demoteAdmin: () => asProject.members.changeRole({ ...theAdmin, role: 'member' }),
    suspendAdmin: () => asProject.members.suspend({ ...theAdmin, suspended: true }),
    removeAdmin: () => asProject.members.remove(theAdmin),
    passOn: async () => {
      await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { owner_id: member.uid });
    },
    delete: () => asProject.workspaces.delete({ workspace_id }),
  };
  return { workspace_id, ada, member, admin, actions };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Action = keyof Scene['actions'];

const cases: [first: Action, between: Action, outcome: string | number][] = [
  ['accept', 'accept', 200],
  ['accept', 'acceptLink', 200],
  ['acceptByProject', 'accept', 200],
  ['accept', 'revoke', 'mail_token_invalid'],
  ['accept', 'decline', 'mail_token_invalid'],
  ['accept', 'resend', 'mail_token_invalid'],
  ['accept', 'join', 'mail_token_invalid'],
  ['accept', 'delete', 'mail_token_invalid'],
  ['accept', 'disable', 'unauthenticated'],
  ['acceptByProject', 'revoke', 'mail_token_invalid'],
  ['decline', 'accept', 'not_found'],
  ['decline', 'revoke', 'not_found'],
  ['decline', 'resend', 200],
  ['revoke', 'accept', 'not_found'],
  ['revoke', 'resend', 200],
  ['revoke', 'demoteAdmin', 'forbidden'],
  ['revoke', 'removeAdmin', 'not_found'],
  ['resend', 'accept', 'not_found'],
  ['resend', 'revoke', 'not_found'],
  ['resend', 'resend', 200],
  ['resend', 'suspendAdmin', 'not_found'],
  ['join', 'accept', 200],
  ['add', 'decline', 201],
  ['inviteMany', 'demoteAdmin', 'forbidden'],
  ['inviteMany', 'inviteMany', 200],
  ['leave', 'removeMember', 'not_found'],
  ['leave', 'suspend', 'not_found'],
  ['leave', 'promote', 200],
  ['leave', 'passOn', 'owner_must_stay'],
  ['leave', 'delete', 'not_found'],
  ['removeMember', 'leave', 'not_found'],
  ['removeMember', 'suspend', 200],
  ['removeMember', 'promote', 200],
  ['removeMember', 'passOn', 'owner_must_stay'],
  ['removeMember', 'demoteAdmin', 'forbidden'],
  ['removeMember', 'removeAdmin', 'not_found'],
  ['suspend', 'promote', 200],
  ['suspend', 'suspend', 200],
  ['suspend', 'leave', 'not_found'],
  ['suspend', 'passOn', 'owner_must_stay'],
  ['suspend', 'suspendAdmin', 'not_found'],
  ['promote', 'suspend', 200],
  ['promote', 'removeMember', 'not_found'],
];

async function run(at: Scene, first: Action, between: Action) {
  faults.inject(
    doneAfter(() => at.actions[between]()),
    // Mail counters are irrelevant here.
    {
      when: ({ operation, body }) =>
        operation === 'TransactWriteItems' ||
        (operation === 'UpdateItem' && !JSON.stringify(body).includes('RATE#')),
    },
  );
  return at.actions[first]();
}

test.each(cases)(
  '%s, with %s between its reads and its write: %s',
  async (first, between, outcome) => {
    const at = await scene();
    const answer = await run(at, first, between);
    expect(answer?.body.code ?? answer?.status).toBe(outcome);
    if (between === 'delete') return;
    await countsOf(at.workspace_id);
    const members = (await world.table.query(`WS#${at.workspace_id}`, 'MEMBER#')).map(
      ({ user_id }) => user_id,
    );
    for (const { uid } of [at.ada, at.member, at.admin])
      expect(await workspacesOf(uid)).toBe(members.includes(uid) ? 1 : 0);
  },
);

test('a concurrent role change and suspension are both stored', async () => {
  for (const [first, between] of [
    ['suspend', 'promote'],
    ['promote', 'suspend'],
  ] as const) {
    const at = await scene();
    await run(at, first, between);
    const { workspace_id, member } = at;
    const { body } = await asProject.members.get({ workspace_id, user_id: member.uid });
    expect(body).toMatchObject({ role: 'admin', suspended: true });
  }
});

test('a token for the former e-mail, accepted while the e-mail changes, does not verify the new one', async () => {
  for (const first of ['accept', 'acceptByProject'] as const) {
    const at = await scene();
    const answer = await run(at, first, 'moveEmail');
    expect(answer?.status).toBe(201);
    const { body } = await asProject.users.get({ uid: at.ada.uid });
    expect(body.verified).toEqual({ email: false });
  }
});

test('a sign-in to a prepared account while its e-mail is proven is ended', async () => {
  const { post, project } = ours;
  const calls = invitationCalls(world, project);
  const owner = await world.user({ project });
  for (const first of ['accept', 'acceptByProject', 'confirm'] as const) {
    const account = await preparedAccount(world, ours, `${first}@prepared.example`);
    const { email, people } = account;
    const { workspace_id } = await world.workspace({ owner });
    const proving = async () => {
      if (first === 'confirm') {
        const { emails } = world.as(people.project);
        await emails.verify();
        const token = await ours.mailed(email);
        return () => emails.confirm({ token });
      }
      await calls.invite(workspace_id, { email, role: 'member' });
      const token = tokenIn((await calls.mailsTo(email))[0]?.text);
      const auth = first === 'accept' ? people.project.bearer : project.basic;
      return () => calls.accept(token, auth);
    };
    const prove = await proving();
    const strangers: { body: Started }[] = [];
    faults.beforeWrite(async () => {
      strangers.push(await post<Started>('/sessions/password', { email, password: goodPassword }));
    });
    expect((await prove()).status).toBeLessThan(300);
    expect(strangers).toMatchObject([{ status: 201 }]);
    await expectDead(world, strangers);
    expect(await account.state()).toEqual(account.expectedState('project'));
  }
});

test('a row of a bulk invitation that is invited after all counts for its mailbox', async () => {
  const { owner, workspace_id } = await world.workspace();
  const [one, two] = [`one.${workspace_id}@example.com`, `two.${workspace_id}@example.com`];
  const invite = (email: string) =>
    asProject.invitations.create({ workspace_id, email, role: 'member', send_mail: false });
  const when = ({ operation, text }: { operation: string; text: string }) =>
    operation === 'TransactWriteItems' && text.includes(two);
  faults.inject(
    doneAfter(() => invite(one)),
    { when },
  );
  faults.inject(
    doneAfter(async () => {
      await asProject.invitations.endByEmail({ workspace_id, email: one });
      await invite(two);
    }),
    { when },
  );
  const invitations = [one, two].map((email) => ({ email, role: 'member' }));
  const { body } = await world.as(owner).invitations.create({ workspace_id, invitations });
  expect(body).toMatchObject({
    results: [{ outcome: 'invited' }, { outcome: 'invitation_exists' }],
  });
  expect([await countedFor(one), await countedFor(two)]).toEqual([1, 0]);
});

test.each([
  {
    name: 'refused as a whole',
    limit: { mail_day: '9999-12-31', mailed_count: limits.invitationMailsPerDay },
    answer: { code: 'too_many_requests' },
    counted: [0, 0, 0],
  },
  {
    name: 'invited as far as there is room',
    limit: { pending_member_count: limits.invitationsPerWorkspace - 1 },
    answer: {
      results: ['invitation_exists', 'invited', 'invitation_limit_reached'].map((outcome) => ({
        outcome,
      })),
    },
    counted: [0, 1, 0],
  },
])('a bulk invitation that is $name counts what it mailed', async ({ limit, answer, counted }) => {
  const { owner, workspace_id } = await world.workspace();
  const emails = ['one', 'two', 'three'].map((name) => `${name}.${workspace_id}@example.com`);
  const [email = ''] = emails;
  faults.inject(
    doneAfter(async () => {
      const mailless = { email, role: 'member', send_mail: false } as const;
      await asProject.invitations.create({ workspace_id, ...mailless });
      await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, limit);
    }),
    { when: ({ operation, text }) => operation === 'TransactWriteItems' && text.includes(email) },
  );
  const invitations = emails.map((each) => ({ email: each, role: 'member' }));
  const { body } = await world.as(owner).invitations.create({ workspace_id, invitations });
  expect(body).toMatchObject(answer);
  expect(await Promise.all(emails.map(countedFor))).toEqual(counted);
});

/** How many invitations that people sent to an e-mail count today. */
async function countedFor(email: string) {
  await faults.quiet();
  const { window } = presentWindow('invitationsToOne', new Date());
  const account = accountKey(world.project.project_id, email);
  return (await world.table.get(keys.rate('invitationsToOne', account, window)))?.['count'];
}
