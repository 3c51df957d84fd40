import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import { doneAfter } from '../faults/fault.ts';
import { type MadeKey, userKey, workspaceKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { changeNames, changeScene } from '../support/key-changes.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';

// A key ends exactly between the reads and the write of a request with it: the proxy delays the write.
const { faults, world } = await startFaultyWorld();
const { as, table } = world;

/** A key of this kind, and the requests with it that change a workspace. */
async function keyScene(kind: 'user' | 'workspace', given: object = {}) {
  const { workspace, requests } = await changeScene(world);
  const { workspace_id, owner } = workspace;
  const key =
    kind === 'user'
      ? await userKey(world, owner, given)
      : await workspaceKey(world, workspace, { role: 'admin', ...given });
  const holder = kind === 'user' ? keys.user(owner.uid) : keys.workspace(workspace_id);
  const endings = {
    'is revoked': async () => {
      const revoked = await (kind === 'user'
        ? as(owner).apiKeys.revoke({ key_id: key.key_id })
        : as(world.project).workspaceKeys.revoke({ workspace_id, key_id: key.key_id }));
      expect(revoked.status).toBe(200);
    },
    expires: () =>
      table.update(keys.apiKey(holder, key.key_id), { ends_at: '2020-01-01T00:00:00.000Z' }),
  };
  return { workspace, key, requests: requests(key.bearer, 'admin'), endings };
}
type Scene = Awaited<ReturnType<typeof keyScene>>;

/** The state that the requests would change: the workspace without its events, and its contents. */
const standing = async ({
  workspace: { workspace_id },
}: Pick<Scene, 'workspace'>): Promise<string[]> =>
  (await table.query(`WS#${workspace_id}`))
    .filter(({ sk }) => !String(sk).startsWith('API_KEY#'))
    .map((item) => canonicalJson({ ...item, events: [], event_count: 0 }));

const endingsOf = { user: ['is revoked'], workspace: ['is revoked', 'expires'] } as const;

describe.each(['user', 'workspace'] as const)('a key of a %s', (kind) => {
  test.each(
    changeNames.flatMap((action) => endingsOf[kind].map((ending) => [action, ending] as const)),
  )('%s, and the key %s in between: gets 401, and writes nothing', async (action, ending) => {
    const scene = await keyScene(kind);
    const before = await standing(scene);
    faults.beforeWrite(scene.endings[ending]);
    const { length } = faults.calls;
    expectProblem(await scene.requests[action](), 'unauthenticated');
    expect(await standing(scene)).toEqual(before);
    const mine = faults.calls.slice(length).filter((call) => isHeld(call, scene.key));
    // The transaction is rejected. A rename is retried once before, because the revocation changed the workspace.
    expect(mine.length).toBeLessThanOrEqual(action === 'renames' ? 2 : 1);
    expect(mine.length).toBeGreaterThan(0);
  });
});

test.each(['leaves', 'declines', 'withdraws'] as const)(
  'a user who %s with a key that is revoked in between gets 401, and nothing is written',
  async (action) => {
    const { workspace, member, guest, asker } = await changeScene(world);
    const { workspace_id } = workspace;
    const who = { leaves: member, declines: guest, withdraws: asker }[action];
    const own = { workspace_id, user_id: who.uid };
    const act = ({ bearer }: MadeKey) => {
      const { members, invitations, joinRequests } = as(bearer);
      return {
        leaves: () => members.remove(own),
        declines: () => invitations.end(own),
        withdraws: () => joinRequests.delete(own),
      }[action]();
    };
    const key = await userKey(world, who);
    const before = await standing({ workspace });
    faults.beforeWrite(() => as(who).apiKeys.revoke({ key_id: key.key_id }));
    expectProblem(await act(key), 'unauthenticated');
    expect(await standing({ workspace })).toEqual(before);
    expect((await act(await userKey(world, who))).status).toBe(200);
  },
);

test.each(changeNames)(
  'a change by a key that %s stays after the key is revoked',
  async (action) => {
    const scene = await keyScene('workspace', { expires_in: 3_600 });
    const before = await standing(scene);
    expect((await scene.requests[action]()).status).toBeLessThan(300);
    expect(await standing(scene)).not.toEqual(before);
    await scene.endings['is revoked']();
    expectProblem(await scene.requests[action](), 'unauthenticated');
  },
);

test('a key revoked between two chunks of invitations invites no more, and the response lists the first chunk', async () => {
  const { workspace, key, endings } = await keyScene('workspace');
  const { workspace_id } = workspace;
  const rows = Array.from({ length: 45 }, (_, row) => ({
    ...{ email: `chunk${row}@x.example`, role: 'member' },
  }));
  let writes = 0;
  faults.inject(doneAfter(endings['is revoked']), {
    when: ({ operation }) => {
      if (operation === 'TransactWriteItems') writes += 1;
      return writes === 2;
    },
  });
  const { status, body } = await as(key.bearer).invitations.create({
    ...{ workspace_id, invitations: rows, send_mail: false },
  });
  expect([status, body.invited]).toEqual([200, 20]);
  const unprocessed = body.results.filter(
    ({ outcome }: { outcome: string }) => outcome === 'unprocessed',
  );
  expect(unprocessed).toHaveLength(25);
  const stored = await table.query(`WS#${workspace_id}`, 'INVITE#');
  expect(stored.filter(({ mailbox }) => String(mailbox).startsWith('chunk'))).toHaveLength(20);
});

test('a password reset by mail revokes a key that is created in between, with its event', async () => {
  const home = await signInProject(world);
  const email = 'ada@keys-between.example.com';
  const ada = await home.signUp(email, goodPassword);
  await home.post('/passwords/forgotten', { email });
  const token = await home.mailed(email);
  let late: MadeKey | undefined;
  const create = async () => {
    late = await userKey(world, ada);
  };
  faults.beforeWrite(create);
  const set = await home.post('/passwords', { token, password: `${goodPassword}!` });
  expect(set.status).toBe(201);
  expectProblem(await as(late?.bearer ?? '').users.getMe(), 'unauthenticated');
  const { events } = (await table.get(keys.user(ada.uid))) ?? {};
  const ends = { type: 'user.api_key.revoked', data: { key_id: late?.key_id } };
  expect(events).toContainEqual(expect.objectContaining(ends));
});

/** Whether a call is a transaction that checks this key. */
const isHeld = ({ operation, body }: (typeof faults.calls)[number], { key_id }: MadeKey): boolean =>
  operation === 'TransactWriteItems' &&
  JSON.stringify(body).includes('key_now') &&
  JSON.stringify(body).includes(key_id);

test('the last use of a key that is written after its revocation is deleted with the user', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  faults.inject(
    doneAfter(async () => expect((await as(ada).apiKeys.revoke({ key_id })).status).toBe(200)),
    { when: ({ operation }) => operation === 'PutItem' },
  );
  expect((await as(bearer).users.getMe()).status).toBe(200);
  const uses = async () =>
    (await table.query(keys.apiKeyUse(ada.uid, '').pk)).map(({ sk }) => String(sk));
  const late = keys.apiKeyUse(ada.uid, key_id).sk;
  expect(await uses()).toContain(late);
  expect((await as(ada).users.delete({ uid: ada.uid })).status).toBe(200);
  await world.drainStream();
  expect(await uses()).not.toContain(late);
});
