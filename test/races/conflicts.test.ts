import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelled, exception, type Fault, lostAnswers } from '../faults/fault.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { tokenIn } from '../support/invitations.ts';
import { startWorld } from '../support/world.ts';

// What no local engine does by itself: transactions that conflict, and answers to writes that never arrive.
const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
afterAll(() => faults.close());
beforeEach(() => faults.reset());
const { basic } = world.project;

const writes = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem']);
const when = ({ operation }: { operation: string }) => writes.has(operation);
const conflict: Fault = (exchange) =>
  exchange.operation === 'TransactWriteItems'
    ? cancelled('TransactionConflict')(exchange)
    : exception('TransactionConflictException')(exchange);

let count = 0;
/** A workspace with a member, an invited person and somebody else. */
async function scene() {
  count += 1;
  const workspace = await world.workspace({ owner: await world.user({ verified: true }) });
  const [member, invited] = [await world.member(workspace), await world.invited(workspace)];
  const { workspace_id, owner } = workspace;
  const path = `/workspaces/${workspace_id}`;
  const uid = `0192f0c1-7c1e-7cc2-b0ac-${String(count).padStart(12, '0')}`;
  return {
    path,
    workspace_id,
    owner,
    member,
    invited,
    other: await world.user(),
    uid,
    email: `new${count}@example.com`,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Request = [method: string, path: string, body?: unknown];

/** Every request that writes, and its status. */
const requests: [string, number, (scene: Scene) => Request][] = [
  ['users.create', 201, ({ email }) => ['POST', '/users', { email }]],
  ['users.get', 201, ({ uid }) => ['GET', `/users/${uid}`]],
  ['users.update', 200, ({ other }) => ['PUT', `/users/${other.uid}`, { about_me: 'x' }]],
  [
    'users.update of the e-mail',
    200,
    ({ other, email }) => ['PUT', `/users/${other.uid}`, { email }],
  ],
  ['sessions.create', 201, ({ other }) => ['POST', '/sessions', { uid: other.uid }]],
  [
    'workspaces.create',
    201,
    ({ other }) => ['POST', '/workspaces', { name: 'x', owner_id: other.uid }],
  ],
  ['workspaces.update', 200, ({ path }) => ['PUT', path, { name: 'x' }]],
  [
    'workspaces.setAllowedDomains',
    200,
    ({ path }) => ['PUT', `${path}/allowed_domains`, { allowed_domains: ['a.com'] }],
  ],
  ['workspaces.delete', 200, ({ path }) => ['DELETE', path]],
  [
    'members.join',
    201,
    ({ workspace_id, other }) => ['POST', '/workspaces/join', { workspace_id, user_id: other.uid }],
  ],
  [
    'members.join of an invited person',
    201,
    ({ workspace_id, invited }) => [
      'POST',
      '/workspaces/join',
      { workspace_id, user_id: invited.uid },
    ],
  ],
  [
    'members.add',
    201,
    ({ path, other }) => ['POST', `${path}/users`, { user_id: other.uid, role: 'admin' }],
  ],
  [
    'members.changeRole',
    200,
    ({ path, member }) => ['PUT', `${path}/users/${member.uid}/role`, { role: 'admin' }],
  ],
  [
    'invitations.create',
    201,
    ({ path, other }) => ['POST', `${path}/invitations`, { email: other.email, role: 'member' }],
  ],
  [
    'invitations.create of a new user',
    201,
    ({ path, email }) => ['POST', `${path}/invitations`, { email, role: 'member' }],
  ],
  [
    'invitations.create of several',
    200,
    ({ path, email, other }) => [
      'POST',
      `${path}/invitations`,
      { invitations: [email, other.email].map((each) => ({ email: each, role: 'member' })) },
    ],
  ],
  [
    'invitations.resend',
    200,
    ({ path, invited }) => ['POST', `${path}/invitations/${invited.uid}/resend`],
  ],
  ['invitations.end', 200, ({ path, invited }) => ['DELETE', `${path}/invitations/${invited.uid}`]],
  [
    'invitations.endByEmail',
    200,
    ({ path, invited }) => ['DELETE', `${path}/invitations?email=${invited.email}`],
  ],
  [
    'invitations.accept',
    201,
    ({ invited }) => ['POST', '/invitations/accept', { token: tokenIn(invited.link) }],
  ],
  ['members.remove', 200, ({ path, member }) => ['DELETE', `${path}/users/${member.uid}`]],
  [
    'members.suspend',
    200,
    ({ path, member }) => ['PUT', `${path}/users/${member.uid}/suspension`, { suspended: true }],
  ],
];

/** What the workspace counts is what is there. */
async function expectExact({ workspace_id }: Scene) {
  const items = await world.table.query(`WS#${workspace_id}`);
  const many = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix)).length;
  expect(items.find(({ sk }) => sk === 'WS')).toMatchObject({
    total_member_count: many('MEMBER#'),
    pending_member_count: many('INVITE#'),
  });
}

describe.each(requests)('%s', (_, status, make) => {
  test('succeeds through conflicts that pass', async () => {
    const at = await scene();
    const [method, path, body] = make(at);
    faults.inject(conflict, { times: 3, when });
    expect((await world.call(method, path, basic, body)).status).toBe(status);
    await expectExact(at);
  });

  test('succeeds once although its answer is lost', async () => {
    const at = await scene();
    const [method, path, body] = make(at);
    for (const fault of ['reset after it was done', 'half an answer', 'a 500 after it was done'])
      faults.inject(lostAnswers[fault] as Fault, { when });
    expect((await world.call(method, path, basic, body)).status).toBe(status);
    await expectExact(at);
  });
});

test('conflicts that last are temporarily unavailable, never the fault of the client', async () => {
  const scenes = await Promise.all(requests.map(() => scene()));
  const before = await world.table.all();
  faults.inject(conflict, { times: Infinity, when });
  const answers = await Promise.all(
    requests.map(([, , make], i) => {
      const [method, path, body] = make(scenes[i] as Scene);
      return world.call(method, path, basic, body);
    }),
  );
  for (const answer of answers) {
    expectProblem(answer, 'temporarily_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  faults.reset();
  expect(await world.table.all()).toEqual(before);
});

test('a refresh whose answer is lost rotates once', async () => {
  const { refresh_token, access_token } = await world.user();
  const refresh = () =>
    world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, {
      accessToken: access_token,
    });
  faults.inject(lostAnswers['reset after it was done'] as Fault, { when });
  const first = await refresh();
  expect(first.status).toBe(200);
  expect((await refresh()).body).toEqual(first.body);
});
