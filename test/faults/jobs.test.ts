import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import type { QueueFed } from '../../lib/functions.ts';
import { sessionPrefix } from '../../shared/db/key-prefixes.ts';
import { keys } from '../../shared/db/keys.ts';
import { eventSource } from '../../shared/model/events.ts';
import { userKey } from '../support/api-keys.ts';
import { startReceiver, webhookTools } from '../support/webhooks.ts';
import { exhaustJob, type Job, recordsOf } from './jobs.ts';
import { startScene } from './scene.ts';

const scene = await startScene();
afterAll(() => scene.close());
const { world } = scene;
/** Milliseconds: hanging calls take long, and there are about forty. */
const timeout = 600_000;
const { basic } = world.project;
const call = (method: string, path: string, body?: object) => () =>
  world.call({ method, path, auth: basic, body });

/** A workspace with an owner, two members and an invitation. */
async function crowd() {
  const workspace = await world.workspace({ owner: await world.user({ verified: true }) });
  const member = await world.member(workspace);
  await world.member(workspace, 'admin');
  await world.invited(workspace);
  return { path: `/workspaces/${workspace.workspace_id}`, workspace, member };
}

/** As in a project with second factors, which this one has not. */
const requireMfa = ({ workspace_id }: { workspace_id: string }) =>
  world.table.update(keys.workspace(workspace_id), {
    mfa_required_at: new Date().toISOString(),
    modified_at: new Date().toISOString(),
  });

const receiver = await startReceiver();
const { make, event } = await webhookTools(world);
/** Makes jobs of a function that the stream invokes after a change, which `prepare` returns. */
const byStream =
  (by: QueueFed) =>
  (
    name: string,
    prepare: () => Promise<() => Promise<unknown>>,
    inGroup = (queued: SQSEvent) => queued,
  ): Job => ({
    ...{ name, by },
    prepare: async () => inGroup(await recordsOf(scene, by, await prepare())),
  });
const consumed = byStream('stream.consume');
const mailed = byStream('mail.send');

/** The message in the group of continuations. */
const continued = ({ Records }: SQSEvent): SQSEvent => ({
  Records: Records.map((each) => ({
    ...each,
    attributes: { ...each.attributes, MessageGroupId: 'project#0' },
  })),
});

const restored = async () => {
  const { path } = await crowd();
  await call('DELETE', path)();
  return call('POST', `${path}/restore`);
};

const jobs: Job[] = [
  consumed('a new member', async () => {
    const { workspace } = await crowd();
    return () => world.member(workspace);
  }),
  consumed('a changed profile', async () => {
    const { member } = await crowd();
    await world.workspace({ owner: member });
    return call('PUT', `/users/${member.uid}`, { display_name: 'Ada' });
  }),
  consumed('a deleted workspace', async () => call('DELETE', (await crowd()).path)),
  consumed('a restored workspace', restored),
  consumed('a restored workspace, continued', restored, continued),
  consumed('a workspace that begins to require a second factor', async () => {
    const { workspace } = await crowd();
    return () => requireMfa(workspace);
  }),
  consumed('a deleted user', async () => {
    const { member } = await crowd();
    await world.member((await crowd()).workspace, 'member', member);
    return call('DELETE', `/users/${member.uid}`);
  }),
  consumed('a session that was renewed on another day', async () => {
    const { uid } = await world.user();
    const [session] = await world.table.query(keys.user(uid).pk, sessionPrefix);
    const renewed = { ...session, rotated_at: '2026-01-02T08:00:00.000Z' };
    return () => world.table.put(renewed);
  }),
  consumed('the first use of an API key', async () => {
    const made = await userKey(world, await world.user());
    return () => world.as(made.bearer).users.getMe();
  }),
  mailed('an invitation by mail', async () => {
    const { path } = await crowd();
    const body = { email: 'invited@example.net', role: 'member' };
    return call('POST', `${path}/invitations`, body);
  }),
  mailed('a mail about a second factor', async () => {
    const { workspace, member } = await crowd();
    await requireMfa(workspace);
    const mail_id = randomUUID();
    const { workspace_id } = workspace;
    const { email: to, uid: user_id } = member;
    const { project_id } = world.project;
    const created_at = new Date().toISOString();
    const expires_at = Math.ceil(Date.now() / 1_000) + 86_400;
    return () =>
      world.table.put({
        ...{ ...keys.mail(mail_id), mail_id, project_id, kind: 'second_factor_required', to },
        ...{ workspace_id, user_id, created_at, expires_at },
      });
  }),
  {
    name: 'an event for a webhook',
    by: 'webhooks.deliver',
    prepare: async () => {
      await make(receiver.at().url);
      const detail = event();
      return { source: eventSource, 'detail-type': detail.type, detail };
    },
  },
];

/** Not executed, and executed without a response: a job cannot distinguish more. `npm run faults` runs the others. */
const names = [
  '500',
  'reset after',
  'late call',
  'cancelled: TransactionConflict',
  'partial batch',
];

test.each(jobs)('$name: is completed after every fault', { timeout }, async (job) => {
  const { calls, wrong } = await exhaustJob(scene, job, names);
  expect(calls).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});
