import { afterAll, beforeEach, expect, test } from 'vitest';
import { changed } from '../faults/fault.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { startWorld } from '../support/world.ts';

// Another request comes exactly between what a request reads and what it writes: the proxy holds the write back.
const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
afterAll(() => faults.close());
beforeEach(() => faults.reset());
const { basic } = world.project;
const writes = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem']);

async function scene() {
  const owner = await world.user({ verified: true });
  const workspace = await world.workspace({ owner });
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const other = await world.user();
  const { workspace_id } = workspace;
  const path = `/workspaces/${workspace_id}`;
  const by = (auth: string) => (method: string, to: string, body?: object) => () =>
    world.call(method, to, auth, body);
  const actions = (auth: string) => {
    const call = by(auth);
    return {
      join: call('POST', '/workspaces/join', { workspace_id, user_id: other.uid }),
      add: call('POST', `${path}/users`, { user_id: other.uid, role: 'member' }),
      invite: call('POST', `${path}/invitations`, { email: other.email, role: 'member' }),
      inviteNew: call('POST', `${path}/invitations`, { email: `n${other.email}`, role: 'member' }),
      promote: call('PUT', `${path}/users/${member.uid}/role`, { role: 'admin' }),
      demoteAdmin: call('PUT', `${path}/users/${admin.uid}/role`, { role: 'member' }),
      setDomains: call('PUT', `${path}/allowed_domains`, { allowed_domains: ['a.com', 'b.com'] }),
      setOthers: call('PUT', `${path}/allowed_domains`, { allowed_domains: ['b.com', 'c.com'] }),
      rename: call('PUT', path, { name: 'New' }),
      create: call('POST', '/workspaces', { name: 'Own', owner_id: other.uid }),
      changeProfile: call('PUT', `/users/${other.uid}`, { display_name: 'Changed' }),
      changeEmail: call('PUT', `/users/${other.uid}`, { email: `c${other.email}` }),
      takeEmail: call('POST', '/users', { email: `c${other.email}` }),
      newUser: call('POST', '/users', { email: `u${other.email}` }),
      getUnknown: call(
        'GET',
        `/users/${other.uid.slice(0, -2)}${other.uid.endsWith('0') ? '11' : '00'}`,
      ),
      remove: by(basic)('DELETE', path),
    };
  };
  return { workspace_id, project: actions(basic), admin: actions(admin.bearer), other };
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
    ['project', 'promote', 'remove', 'not_found'],
    ['admin', 'add', 'remove', 'not_found'],
    ['admin', 'rename', 'remove', 'not_found'],
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

test.each(cases)('%s: %s, and %s in between: %s', async (by, first, between, outcome) => {
  const at = await scene();
  faults.inject(
    async (exchange) => {
      await at.project[between]();
      await changed((body) => body)(exchange);
    },
    // What is counted beside it, by a write of its own, decides nothing here.
    {
      when: ({ operation, body }) =>
        writes.has(operation) && /^(?!.*RATE#)|WS#/.test(JSON.stringify(body)),
    },
  );
  const answer = await at[by][first]();
  expect(answer?.body.code ?? answer?.status).toBe(outcome);
  await expectConsistent(at, between === 'remove');
});

test('person: joins by a domain, and it is taken off the workspace in between: forbidden', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const path = `/workspaces/${workspace_id}/allowed_domains`;
  const allow = (...allowed_domains: string[]) =>
    world.call('PUT', path, basic, { allowed_domains });
  await allow('example.com');
  const { uid, bearer } = await world.user({ verified: true });
  faults.inject(
    async (exchange) => {
      await allow();
      await changed((body) => body)(exchange);
    },
    { when: ({ operation }) => writes.has(operation) },
  );
  const body = { workspace_id, user_id: uid };
  const answer = await world.call('POST', '/workspaces/join', bearer, body);
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  expect(await world.table.get({ pk: `WS#${workspace_id}`, sk: `MEMBER#${uid}` })).toBeUndefined();
});

test('a workspace that the job of a deleted user modifies while it is restored is modified no earlier', async () => {
  const { workspace_id } = await world.workspace();
  const path = `/workspaces/${workspace_id}`;
  await world.call('DELETE', path, basic);
  const modified_at = '2999-01-01T00:00:00.000Z';
  faults.inject(
    async (exchange) => {
      await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { modified_at });
      await changed((body) => body)(exchange);
    },
    { when: ({ operation }) => operation === 'TransactWriteItems' },
  );
  const { status, body } = await world.call('POST', `${path}/restore`, basic);
  expect([status, body]).toMatchObject([200, { workspace_id, modified_at }]);
});

/** Counters, copies and domain items agree with what they are of; of a deleted workspace only its members are kept. */
async function expectConsistent({ workspace_id, other }: Scene, deleted: boolean) {
  // Not in between: a write that is held back for long is sent again.
  if (deleted) await world.drainStream();
  const items = await world.table.query(`WS#${workspace_id}`);
  const keys = items.map(({ sk }) => String(sk));
  if (deleted) {
    // Three members, for whoever restores it: no list finds them.
    const kept = items.filter(({ sk }) => sk !== 'WS');
    expect(keys).toHaveLength(4);
    for (const item of kept) expect(item['by_member_sk']).toBe(`ARCHIVED#MEMBER#${workspace_id}`);
    return;
  }
  const of = (prefix: string) => keys.filter((sk) => sk.startsWith(prefix));
  const uids = [...of('MEMBER#'), ...of('INVITE#')].map((sk) => sk.split('#')[1]);
  expect(new Set(uids).size).toBe(uids.length);
  const workspace = items.find(({ sk }) => sk === 'WS');
  expect(workspace).toMatchObject({
    total_member_count: of('MEMBER#').length,
    pending_member_count: of('INVITE#').length,
    allowed_domains: of('DOMAIN#').map((sk) => sk.split('#')[1]),
  });
  // A copy is at least as new as the user was when it was made: here there was no stream to refresh it.
  const user = await world.table.get({ pk: `USER#${other.uid}`, sk: 'USER' });
  const copies = items.filter(({ user_id }) => user_id === other.uid);
  for (const { profile_version } of copies) expect(profile_version).toBe(user?.['version']);
}
