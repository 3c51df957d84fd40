import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { accountKey, presentWindow } from '#shared/db/rate-limits.ts';
import { doneAfter } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import type { Caller } from '../support/routes.ts';
import type { Person } from '../support/world.ts';

// Another request runs exactly between the reads and the write of a request: the proxy delays the write.
const { faults, world } = await startFaultyWorld();
const asProject = world.as(world.project);
const writes = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem']);

async function scene() {
  const owner = await world.user({ verified: true });
  const workspace = await world.workspace({ owner });
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const other = await world.user();
  const { workspace_id } = workspace;
  const user_id = other.uid;
  const unknown = `${user_id.slice(0, -2)}${user_id.endsWith('0') ? '11' : '00'}`;
  const actions = (by: Caller) => {
    const { members, invitations, workspaces, users } = world.as(by);
    const invite = (email: string) => () =>
      invitations.create({ workspace_id, email, role: 'member' });
    const setRole = (person: Person, role: string) => () =>
      members.changeRole({ workspace_id, user_id: person.uid, role });
    const setDomains =
      (...allowed_domains: string[]) =>
      () =>
        workspaces.setAllowedDomains({ workspace_id, allowed_domains });
    const makeUser = (email: string) => () => users.create({ email });
    const changeUser = (fields: object) => () => users.update({ uid: user_id, ...fields });
    return {
      join: () => members.join({ workspace_id, user_id }),
      add: () => members.add({ workspace_id, user_id, role: 'member' }),
      invite: invite(other.email),
      inviteNew: invite(`n${other.email}`),
      promote: setRole(member, 'admin'),
      demoteAdmin: setRole(admin, 'member'),
      setDomains: setDomains('a.com', 'b.com'),
      setOthers: setDomains('b.com', 'c.com'),
      rename: () => workspaces.update({ workspace_id, name: 'New' }),
      label: () => workspaces.update({ workspace_id, external_id: workspace_id }),
      create: () => workspaces.create({ name: 'Own', owner_id: user_id }),
      changeProfile: changeUser({ display_name: 'Changed' }),
      changeEmail: changeUser({ email: `c${other.email}` }),
      takeEmail: makeUser(`c${other.email}`),
      newUser: makeUser(`u${other.email}`),
      getUnknown: () => users.get({ uid: unknown }),
      remove: () => asProject.workspaces.delete({ workspace_id }),
      handOver: () => asProject.ownership.offer({ workspace_id, user_id: admin.uid }),
    };
  };
  return { workspace_id, project: actions(world.project), admin: actions(admin), other };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Action = keyof Scene['project'];

const cases: [by: 'project' | 'admin', first: Action, between: Action, outcome: string | number][] =
  [
    ['project', 'join', 'remove', 'not_found'],
    ['project', 'add', 'remove', 'not_found'],
    ['project', 'invite', 'remove', 'not_found'],
    ['project', 'inviteNew', 'remove', 'not_found'],
    ['project', 'setDomains', 'remove', 'not_found'],
    ['project', 'rename', 'remove', 'not_found'],
    ['project', 'label', 'remove', 'not_found'],
    ['project', 'promote', 'remove', 'not_found'],
    ['admin', 'add', 'remove', 'not_found'],
    ['admin', 'rename', 'remove', 'not_found'],
    ['project', 'remove', 'remove', 'not_found'],
    ['project', 'remove', 'handOver', 200],
    ['admin', 'add', 'demoteAdmin', 'forbidden'],
    ['admin', 'invite', 'demoteAdmin', 'forbidden'],
    ['admin', 'inviteNew', 'demoteAdmin', 'forbidden'],
    ['admin', 'promote', 'demoteAdmin', 'forbidden'],
    ['project', 'join', 'join', 200],
    ['project', 'add', 'join', 200],
    ['project', 'join', 'invite', 201],
    ['project', 'add', 'invite', 201],
    ['project', 'invite', 'add', 'already_member'],
    ['project', 'invite', 'invite', 'invitation_exists'],
    ['project', 'inviteNew', 'inviteNew', 'invitation_exists'],
    ['project', 'label', 'label', 200],
    ['project', 'label', 'rename', 200],
    ['project', 'promote', 'promote', 200],
    ['project', 'join', 'changeProfile', 201],
    ['project', 'invite', 'changeProfile', 201],
    ['project', 'invite', 'changeEmail', 201],
    ['project', 'create', 'changeEmail', 201],
    ['project', 'setDomains', 'setOthers', 200],
    ['project', 'newUser', 'newUser', 200],
    ['project', 'getUnknown', 'getUnknown', 200],
    ['project', 'changeEmail', 'takeEmail', 'email_taken'],
    ['project', 'changeEmail', 'changeProfile', 200],
  ];

test.each(cases)(
  '%s: %s, with %s between its reads and its write: %s',
  async (by, first, between, outcome) => {
    const at = await scene();
    faults.inject(
      doneAfter(() => at.project[between]()),
      // Counters written separately are ignored here.
      {
        when: ({ operation, body }) =>
          writes.has(operation) && /^(?!.*RATE#)|WS#/.test(JSON.stringify(body)),
      },
    );
    const answer = await at[by][first]();
    expect(answer?.body.code ?? answer?.status).toBe(outcome);
    await expectConsistent(at, [first, between].includes('remove'));
  },
);

test('a join by an allowed domain is forbidden if the domain is removed in between', async () => {
  const { workspace_id } = await world.workspace();
  const allow = (...allowed_domains: string[]) =>
    asProject.workspaces.setAllowedDomains({ workspace_id, allowed_domains });
  await allow('example.com');
  const ada = await world.user({ verified: true });
  faults.inject(
    doneAfter(() => allow()),
    { when: ({ operation }) => writes.has(operation) },
  );
  const answer = await world.as(ada).members.join({ workspace_id, user_id: ada.uid });
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  expect(
    await world.table.get({ pk: `WS#${workspace_id}`, sk: `MEMBER#${ada.uid}` }),
  ).toBeUndefined();
});

test('a member invites a user of a verified domain that the workspace loses in between', async () => {
  const { workspace_id, owner } = await world.workspace();
  const ada = await world.user({ email: 'ada@lost.example', verified: true });
  const prove = (proven_domains?: object) =>
    world.table.update(keys.workspace(workspace_id), { proven_domains });
  await prove({ 'lost.example': '2026-11-21T08:00:00.000Z' });
  faults.inject(
    doneAfter(() => prove()),
    { when: ({ operation }) => operation === 'TransactWriteItems' },
  );
  const add = { workspace_id, user_id: ada.uid, role: 'member' };
  const { status, body } = await world.as(owner).members.add(add);
  expect([status, body.status]).toEqual([201, 'pending']);
});

test.each(['a backend', 'a member'])(
  'an invitation that %s sends twice at once counts once towards the limit of the address',
  async (by) => {
    const { workspace_id, owner } = await world.workspace();
    const { uid: user_id, email } = await world.user();
    const { invitations } = asProject;
    const { members } = world.as(owner);
    const invite = () =>
      by === 'a backend'
        ? invitations.create({ workspace_id, email, role: 'member' })
        : members.add({ workspace_id, user_id, role: 'member' });
    faults.inject(doneAfter(invite), {
      when: ({ operation }) => operation === 'TransactWriteItems',
    });
    expect((await invite()).status).toBe(by === 'a backend' ? 409 : 200);
    const rate = 'invitationsToOne';
    const subject = `${accountKey(world.project.project_id, email)}${by === 'a backend' ? ' by the backend' : ''}`;
    const { window } = presentWindow(rate, new Date());
    expect(await world.table.get(keys.rate(rate, subject, window))).toMatchObject({ count: 1 });
  },
);

test('a user whose e-mail changes in between creates a workspace with the new one', async () => {
  const own = await world.newProject({ workspace_creation: 'anyone' });
  const { uid, bearer } = await world.user({ project: own });
  const email = 'ada@changed.example';
  faults.inject(
    doneAfter(() => world.as(own).users.update({ uid, email })),
    { when: ({ operation }) => operation === 'TransactWriteItems' },
  );
  const { status, body } = await world.as(bearer).workspaces.create({ name: 'Own' });
  expect([status, body.owner_email]).toEqual([201, email]);
});

test('a restored workspace that the deletion job of a user modifies in between keeps the later modified_at', async () => {
  const { workspace_id } = await world.workspace();
  await asProject.workspaces.delete({ workspace_id });
  const modified_at = '2999-01-01T00:00:00.000Z';
  faults.beforeWrite(() =>
    world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { modified_at }),
  );
  const { status, body } = await asProject.workspaces.restore({ workspace_id });
  expect([status, body]).toMatchObject([200, { workspace_id, modified_at }]);
});

/** Counters, denormalised copies and domain items must be consistent; only members of a deleted workspace stay. */
async function expectConsistent({ workspace_id, other }: Scene, deleted: boolean) {
  // Not in between: a write that is delayed for long is retried.
  if (deleted) await world.drainStream();
  const items = await world.table.query(`WS#${workspace_id}`);
  const sortKeys = items.map(({ sk }) => String(sk));
  if (deleted) {
    // Three members, kept for a restore: no list shows them.
    const kept = items.filter(({ sk }) => sk !== 'WS');
    expect(sortKeys).toHaveLength(4);
    for (const item of kept) expect(item['by_member_sk']).toBe(`ARCHIVED#MEMBER#${workspace_id}`);
    return;
  }
  const of = (prefix: string) => sortKeys.filter((sk) => sk.startsWith(prefix));
  const uids = [...of('MEMBER#'), ...of('INVITE#')].map((sk) => sk.split('#')[1]);
  expect(new Set(uids).size).toBe(uids.length);
  const workspace = items.find(({ sk }) => sk === 'WS');
  expect(workspace).toMatchObject({
    total_member_count: of('MEMBER#').length,
    pending_member_count: of('INVITE#').length,
    allowed_domains: of('DOMAIN#').map((sk) => sk.split('#')[1]),
  });
  // A copy is at least as new as the user at its creation; no stream has refreshed it here.
  const user = await world.table.get({ pk: `USER#${other.uid}`, sk: 'USER' });
  const copies = items.filter(({ user_id }) => user_id === other.uid);
  for (const { profile_version } of copies) expect(profile_version).toBe(user?.['version']);
}
