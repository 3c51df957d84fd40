/**
 * @module-tag engine
 * @module-tag alone
 */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { changesQueue } from '../../../lib/domains/events.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { queued } from '../../support/queued.ts';
import { anEvent, theService } from '../../support/recorded-events.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

// The consequences when DynamoDB deletes an invitation, long after its expiry: no local engine does that in time.
const world = await startWorld();
const { invite, list, countsOf, eventsOf } = invitationCalls(world);
const handler = await fromSource('stream.consume');
world.permissions.useStream('stream.consume');

type Item = Record<string, unknown>;

/** The former item of a deleted invitation. */
async function gone(email: string) {
  const { workspace_id } = await world.workspace();
  const { body } = await invite(workspace_id, { email, role: 'member' });
  const key = keys.invitation(workspace_id, body.user_id);
  const item = (await world.table.get(key)) ?? {};
  await world.table.delete(key);
  return { workspace_id, item, body };
}

/** Sends the stream function the removal of an item, with its originator. */
async function tell(item: Item, by: object, number = 1) {
  const record = { ...streamRecord({ before: item }, number), ...by };
  const answer = await invoke('stream.consume', handler, queued([record]), 60_000);
  expect(answer).toEqual({ batchItemFailures: [] });
}
const byTimeToLive = {
  userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
};

test('it is counted out and recorded as one event, however often the stream repeats it', async () => {
  const { workspace_id, item, body } = await gone('once@example.com');
  for (let i = 0; i < 3; i += 1) await tell(item, byTimeToLive, i);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  const { user_id, member_id, role } = body;
  expect(await eventsOf(workspace_id)).toEqual([
    anEvent(theService, 'workspace.invitation.expired', { user_id, member_id, role }),
  ]);
});

test('its receipt lasts longer than the stream and its queue can repeat the deletion', async () => {
  const { workspace_id, item } = await gone('stuck@example.com');
  const before = Math.floor(Date.now() / 1_000);
  await tell(item, byTimeToLive);
  const [receipt] = await world.table.query(`WS#${workspace_id}`, 'EXPIRED#');
  expect(receipt?.['expires_at']).toBeGreaterThan(before + 86_400 + changesQueue.retention);
});

test('an invitation that a request deletes is not counted out again', async () => {
  const { workspace_id, item } = await gone('else@example.com');
  const before = await world.table.get(keys.workspace(workspace_id));
  await tell(item, {});
  expect(await world.table.get(keys.workspace(workspace_id))).toEqual(before);
});

test('another invitation of the same user, made in the meantime, stays counted', async () => {
  const email = 'meanwhile@example.com';
  const { workspace_id, item } = await gone(email);
  await invite(workspace_id, { email, role: 'member' });
  await tell(item, byTimeToLive);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  // The second one is removed in the same way.
  const [again] = await world.table.query(`WS#${workspace_id}`, 'INVITE#');
  await world.table.delete({ pk: String(again?.['pk']), sk: String(again?.['sk']) });
  await tell(again ?? {}, byTimeToLive);
  expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 0 });
  expect((await list(workspace_id)).body.total).toBe(0);
});

test('in a deleted workspace nothing is counted, and nothing fails', async () => {
  const { workspace_id, item } = await gone('nowhere@example.com');
  await world.table.delete(keys.workspace(workspace_id));
  await tell(item, byTimeToLive);
  expect(await world.table.get(keys.workspace(workspace_id))).toBeUndefined();
});

test.each([
  ['can still be restored', 3_600, 0],
  ['is about to be purged with its invitations, which have not expired', -1, 1],
])('of a workspace that %s', async (_, left, invitations) => {
  const { workspace_id, item } = await gone(`purged${left}@example.com`);
  const key = keys.workspace(workspace_id);
  const expires_at = Math.floor(Date.now() / 1_000) + left;
  const stored = await world.table.get(key);
  await world.table.put({ ...stored, ...key, deleted_at: 'then', expires_at });
  await tell(item, byTimeToLive);
  expect(await world.table.get(key)).toMatchObject({ pending_member_count: invitations });
});
