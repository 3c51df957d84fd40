/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { byMember } from '#shared/db/index-attributes.ts';
import { prefixes } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { type Sending, sendings } from '#shared/db/transport/http.ts';
import { continuationOf, isContinuation, recordsOf } from '#shared/events/queue-sort.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { queued } from '../../support/queued.ts';
import { type Change, failedOf, streamRecord } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

type Item = Record<string, unknown>;

const world = await startWorld();
const { project, as } = world;
const { project_id } = project;
const handler = await fromSource('stream.consume');
world.permissions.useStream('stream.consume');

let handed: { group: string; records: DynamoDBRecord[] }[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  handed = [];
  world.queues.feed('changes', async ({ Records }) => {
    for (const { body, attributes } of Records)
      handed.push({ group: attributes.MessageGroupId ?? '', records: recordsOf(body) });
  });
});
let number = 0;
const recordOf = (before: Change['before'], after: Change['after']) =>
  streamRecord({ before, after }, (number += 1));

/** Delivers records in a message group, and returns whether the message is done. */
async function consume(records: DynamoDBRecord[], group = project_id): Promise<boolean> {
  const answer = await invoke('stream.consume', handler, queued(records, 1, group), 60_000);
  await world.queues.workedOff();
  return failedOf(answer).length === 0;
}

/** Delivers the handed-over messages in their groups. */
const resume = async () => {
  const [{ records, group } = { records: [], group: '' }] = handed.splice(0);
  return consume(records, group);
};

/** Lets five seconds pass while the nth transaction of this work is written. */
async function slowly<T>(nth: number, work: () => Promise<T>): Promise<T> {
  let transactions = 0;
  const pass = (message: unknown) => {
    const { headers } = message as Sending;
    if (headers['x-amz-target'] !== 'DynamoDB_20120810.TransactWriteItems') return;
    transactions += 1;
    if (transactions === nth) vi.setSystemTime(Date.now() + 5_000);
  };
  sendings.subscribe(pass);
  try {
    return await work();
  } finally {
    sendings.unsubscribe(pass);
  }
}

/** A workspace with more members than fit into a transaction, without user items. */
async function crowd() {
  const owner = await world.user({ verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const model = await world.table.get(keys.member(workspace_id, owner.uid));
  const uids = Array.from({ length: 120 }, () => randomUUID());
  await world.table.putAll(
    uids.flatMap((uid) => [
      {
        ...keys.user(uid),
        ...{ uid, project_id, version: 1, workspace_count: 1 },
        email: `${uid}@a.com`,
        verified: { email: true },
      },
      {
        ...model,
        ...keys.member(workspace_id, uid),
        ...byMember('accepted', uid, workspace_id),
        user_id: uid,
        role: 'member',
      },
    ]),
  );
  const key = keys.workspace(workspace_id);
  const change = async (work: () => Promise<unknown>) => {
    const before = await world.table.get(key);
    await work();
    return recordOf(before, await world.table.get(key));
  };
  return {
    workspace_id,
    remove: () => change(() => as(project).workspaces.delete({ workspace_id })),
    restore: () => change(() => as(project).workspaces.restore({ workspace_id })),
    /** As in a project with second factors; this one has none. */
    requireMfa: () =>
      change(async () => world.table.update(key, { mfa_required_at: new Date().toISOString() })),
    /** The recipients of the mails to the members, once per mail. */
    mailed: async () =>
      (await world.table.all()).flatMap(({ sk, to, workspace_id: of }) =>
        sk === 'MAIL' && of === workspace_id ? [to] : [],
      ),
    /** How many members are archived. */
    archived: async () =>
      (await world.table.query(key.pk, prefixes.accepted)).filter(({ by_member_sk }) =>
        String(by_member_sk).startsWith('ARCHIVED#'),
      ).length,
    /** The total of the members' workspace counts. */
    counts: async () =>
      new Set(
        await Promise.all(
          uids.map(async (uid) => (await world.table.get(keys.user(uid)))?.['workspace_count']),
        ),
      ),
  };
}

/** A deleted user whose only membership is not in the index yet. */
async function waiting() {
  const { uid } = await world.user();
  const before = (await world.table.get(keys.user(uid))) ?? {};
  const deleted_at = new Date().toISOString();
  const patient_until = Math.floor(Date.now() / 1_000) + 60;
  const after = { ...before, deleted_at, workspace_count: 1, patient_until };
  await world.table.put(after);
  return { uid, record: recordOf(before, after) };
}

test.each([
  ['before it begins', 1, 0],
  ['after a batch', 2, 49],
])(
  'work that reaches 5 s %s continues in its own group, and its events are recorded once',
  async (_, nth, done) => {
    const { workspace_id, remove, archived, counts } = await crowd();
    const deleted = await remove();
    // The first transaction writes the events.
    expect(await slowly(nth, () => consume([deleted]))).toBe(true);
    expect(await archived()).toBe(done);
    expect(handed).toMatchObject([{ group: expect.stringMatching(`^${project_id}#[0-3]$`) }]);
    expect(await resume()).toBe(true);
    expect(await archived()).toBe(121);
    expect(await counts()).toEqual(new Set([0]));
    expect(handed).toEqual([]);
    const log = await world.table.query(`LOG#WS#${workspace_id}`);
    expect(JSON.stringify(log).split('workspace.deleted')).toHaveLength(2);
  },
);

test('interrupted mails to the members of a workspace continue, each sent once', async () => {
  const { requireMfa, mailed } = await crowd();
  const required = await requireMfa();
  // It has no event, so every transaction is a batch.
  expect(await slowly(1, () => consume([required]))).toBe(true);
  expect(await mailed()).toHaveLength(49);
  expect(handed).toHaveLength(1);
  expect(await resume()).toBe(true);
  expect(handed).toEqual([]);
  const addresses = await mailed();
  expect(addresses).toHaveLength(121);
  expect(new Set(addresses).size).toBe(121);
  // Delivered again, also in the other group, it is done.
  expect(await consume([required])).toBe(true);
  expect(await consume([required], `${project_id}#0`)).toBe(true);
  expect(await mailed()).toHaveLength(121);
});

test('long work that fails is handed over, and the rest of the message is done', async () => {
  const { uid, record } = await waiting();
  const workspace = await world.workspace();
  const ada = await world.member(workspace);
  const before = await world.table.get(keys.user(ada.uid));
  await as(project).users.update({ uid: ada.uid, display_name: 'Last' });
  const renamed = recordOf(before, await world.table.get(keys.user(ada.uid)));
  expect(await consume([record, renamed])).toBe(true);
  const { body } = await as(project).members.list({
    workspace_id: workspace.workspace_id,
    status: 'accepted',
  });
  expect(body.result.map(({ display_name }: Item) => display_name)).toContain('Last');
  // In its own group it is retried until it succeeds.
  const group = handed[0]?.group;
  expect(await consume([record], group)).toBe(false);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await resume()).toBe(true);
  expect(await world.table.get(keys.user(uid))).toHaveProperty('completed_at');
});

test('if the queue refuses the handover, the message is retried', async () => {
  const { record } = await waiting();
  world.queues.failNext({ status: 503, code: 'ServiceUnavailable' }, 3);
  expect(await consume([record])).toBe(false);
  expect(handed).toEqual([]);
  expect(await consume([record])).toBe(true);
  expect(handed).toHaveLength(1);
});

test('continued work follows the current state of the workspace, even after a restore', async () => {
  const { remove, restore, archived, counts } = await crowd();
  const deleted = await remove();
  await slowly(2, () => consume([deleted]));
  const restored = await restore();
  // Both concurrently, and then the late one.
  const group = handed[0]?.group;
  await Promise.all([resume(), consume([restored])]);
  await consume([deleted], group);
  expect(await archived()).toBe(0);
  expect(await counts()).toEqual(new Set([1]));
});

test('a late profile does not bring an e-mail back into a workspace deleted with its owner', async () => {
  const { workspace_id, owner } = await world.workspace();
  const before = await world.table.get(keys.user(owner.uid));
  await as(project).users.update({ uid: owner.uid, display_name: 'Late' });
  const renamed = recordOf(before, await world.table.get(keys.user(owner.uid)));
  await as(project).users.delete({ uid: owner.uid });
  expect(await consume([renamed], `${project_id}#0`)).toBe(true);
  const workspace = await world.table.get(keys.workspace(workspace_id));
  expect(workspace).toMatchObject({ deleted_at: expect.any(String), owner_email: '' });
});

test('two concurrent invocations for one workspace end like one', async () => {
  const { remove, restore, archived, counts } = await crowd();
  const deleted = await remove();
  await Promise.all([consume([deleted]), consume([deleted], `${project_id}#0`)]);
  expect([await archived(), await counts()]).toEqual([121, new Set([0])]);
  const restored = await restore();
  await Promise.all([consume([restored]), consume([restored], `${project_id}#0`)]);
  expect([await archived(), await counts()]).toEqual([0, new Set([1])]);
});

test('the work on a partition is in one group, and that of a project in at most four', () => {
  const at = (pk: string) =>
    continuationOf(recordOf(undefined, { pk, sk: 'WS', project_id })).group;
  const groups = Array.from({ length: 100 }, () => {
    const pk = `WS#wid-${randomUUID()}`;
    expect(at(pk)).toBe(at(pk));
    return at(pk);
  });
  expect(new Set(groups).size).toBe(4);
  expect(groups.every(isContinuation)).toBe(true);
  expect(isContinuation(project_id)).toBe(false);
});
