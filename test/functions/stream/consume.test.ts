/** @module-tag alone */
import { expect, test, vi } from 'vitest';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { logged } from '../../support/log.ts';
import { queued } from '../../support/queued.ts';
import { type Change, failedOf, streamRecord } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

type Item = Record<string, unknown>;

const world = await startWorld();
const { project, as } = world;
const handler = await fromSource('stream.consume');
/** Milliseconds that the function reserves at the end of its timeout; with only this it does nothing. */
const reserve = 5_000;
world.permissions.useStream('stream.consume');

/** Passes changes to the function. Resolves with the positions of those that it reported as failed. */
async function consume(changes: Change[], time = 60_000): Promise<string[]> {
  const records = changes.map(streamRecord);
  return failedOf(await invoke('stream.consume', handler, queued(records), time));
}

const userItem = async (uid: string): Promise<Item> =>
  (await world.table.get({ pk: `USER#${uid}`, sk: 'USER' })) ?? {};
const itemsOf = (workspace_id: string) => world.table.query(`WS#${workspace_id}`);

/** Changes a user over HTTP. Resolves with the stream record. */
async function changeUser(uid: string, body: object): Promise<Change> {
  const before = await userItem(uid);
  await as(project).users.update({ uid, ...body });
  return { before, after: await userItem(uid) };
}

/** The names and e-mails of a workspace's members with a status, as in the list. */
async function shown(workspace_id: string, status = 'accepted') {
  const { body } = await as(project).members.list({ workspace_id, status });
  return body.result.map(({ display_name, email }: Item) => [display_name, email]);
}

/** Deletes a workspace of some hundred items over HTTP. Resolves with the stream record. */
async function deleteLarge(): Promise<Change & { workspace_id: string }> {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const invited = await world.invited(workspace);
  const domains = { allowed_domains: ['a.com', 'b.com'] };
  await as(project).workspaces.setAllowedDomains({ workspace_id, ...domains });
  const template = await world.table.get({ pk: `WS#${workspace_id}`, sk: `INVITE#${invited.uid}` });
  const more = Array.from({ length: 230 }, (_, i) => ({
    ...template,
    sk: `${i % 2 ? 'MEMBER' : 'INVITE'}#${i}`,
    user_id: `${i}`,
  }));
  await Promise.all(more.map((item) => world.table.put(item)));
  const key = { pk: `WS#${workspace_id}`, sk: 'WS' };
  const before = await world.table.get(key);
  await as(project).workspaces.delete({ workspace_id });
  return { workspace_id, before, after: await world.table.get(key) };
}

/** The deletion of a user with one membership that the index does not show yet; retried for so many seconds. */
async function waiting(patience: number): Promise<{ before: Item; after: Item }> {
  const { uid } = await world.user();
  const before = await userItem(uid);
  const after = {
    ...before,
    deleted_at: new Date().toISOString(),
    workspace_count: 1,
    patient_until: Math.floor(Date.now() / 1_000) + patience,
  };
  await world.table.put(after);
  return { before, after };
}

const archived = async (workspace_id: string) =>
  (await itemsOf(workspace_id)).filter(({ by_member_sk }) =>
    String(by_member_sk).startsWith('ARCHIVED#'),
  ).length;

test('an interrupted deletion is reported as failed, and a retry ends in the same state', async () => {
  const { workspace_id, ...change } = await deleteLarge();
  expect(await consume([change], reserve)).toEqual(['0']);
  const done: number[] = [];
  for (let time = 4; time < 2_000; time *= 1.5) {
    const failed = await consume([change], reserve + time);
    done.push(await archived(workspace_id));
    if (failed.length === 0) break;
    expect(failed).toEqual(['0']);
  }
  // A change is reported as done only when it is done.
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.at(-1)).toBe((await itemsOf(workspace_id)).length - 1);
  const ended = await itemsOf(workspace_id);
  expect(await consume([change])).toEqual([]);
  expect(await itemsOf(workspace_id)).toEqual(ended);
});

test("a changed profile is copied to every membership and invitation of the user, and no other user's", async () => {
  const one = await world.workspace({ name: 'One' });
  const two = await world.workspace({ name: 'Two' });
  const ada = await world.member(one, 'admin');
  await world.invited(two, 'admin', ada);
  const other = await world.member(one);
  const before = await world.table.get({ pk: `WS#${one.workspace_id}`, sk: `MEMBER#${other.uid}` });
  const change = await changeUser(ada.uid, { display_name: 'Ada', email: 'ada@new.com' });
  expect(await shown(one.workspace_id)).toContainEqual(['', ada.email]);
  expect(await consume([change])).toEqual([]);
  expect(await shown(one.workspace_id)).toContainEqual(['Ada', 'ada@new.com']);
  expect(await shown(two.workspace_id, 'pending')).toEqual([['Ada', ada.email]]);
  // Role, id, inviter and times of the membership stay.
  const joined = await as(project).members.join({
    workspace_id: one.workspace_id,
    user_id: ada.uid,
  });
  expect(joined.body).toEqual({ ...ada.member, email: 'ada@new.com' });
  expect(
    await world.table.get({ pk: `WS#${one.workspace_id}`, sk: `MEMBER#${other.uid}` }),
  ).toEqual(before);
});

test('an older change never overwrites a newer copy, in whatever order they arrive', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const email = (name: string) => ({ display_name: name, email: `${name}@late.com` });
  const older = await changeUser(owner.uid, email('older'));
  const newer = await changeUser(owner.uid, email('newer'));
  expect(await consume([newer, older, newer, older])).toEqual([]);
  expect(await shown(workspace_id)).toEqual([['newer', 'newer@late.com']]);
  const read = await as(project).workspaces.get({ workspace_id });
  expect(read.body.owner_email).toBe('newer@late.com');
  const before = await itemsOf(workspace_id);
  expect(await consume([older])).toEqual([]);
  expect(await itemsOf(workspace_id)).toEqual(before);
});

test('a member who joins between a change and its processing keeps the newer profile', async () => {
  const workspace = await world.workspace();
  const ada = await world.user();
  const change = await changeUser(ada.uid, { display_name: 'Before' });
  await changeUser(ada.uid, { display_name: 'Now' });
  await world.member(workspace, 'member', ada);
  await consume([change]);
  expect(await shown(workspace.workspace_id)).toContainEqual(['Now', ada.email]);
});

test('owner_email follows only the e-mail of the owner', async () => {
  const workspace = await world.workspace();
  const admin = await world.member(workspace, 'admin');
  const read = async () =>
    (await as(project).workspaces.get({ workspace_id: workspace.workspace_id })).body;
  const before = await read();
  await consume([await changeUser(admin.uid, { email: 'admin@moved.com' })]);
  expect(await read()).toEqual(before);
  await consume([await changeUser(workspace.owner.uid, { email: 'owner@moved.com' })]);
  expect(await read()).toEqual({ ...before, owner_email: 'owner@moved.com' });
});

test('an interrupted copy to many memberships is reported as failed, and a retry finishes it', async () => {
  const ada = await world.user();
  const workspaces = await Promise.all(Array.from({ length: 30 }, () => world.workspace()));
  await Promise.all(workspaces.map((workspace) => world.member(workspace, 'member', ada)));
  const change = await changeUser(ada.uid, { display_name: 'Everywhere' });
  expect(await consume([change], reserve)).toEqual(['0']);
  await consume([change], reserve + 20);
  expect(await consume([change])).toEqual([]);
  for (const { workspace_id } of workspaces)
    expect(await shown(workspace_id)).toContainEqual(['Everywhere', ada.email]);
});

test('a sign-in changes no copy', async () => {
  const workspace = await world.workspace();
  const { uid } = await world.member(workspace);
  const items = await itemsOf(workspace.workspace_id);
  const before = await userItem(uid);
  await world.session(uid);
  expect(await consume([{ before, after: await userItem(uid) }])).toEqual([]);
  expect(await itemsOf(workspace.workspace_id)).toEqual(items);
});

test('a change that waits for an index blocks later changes only for a limited time', async () => {
  const workspace = await world.workspace();
  const ada = await world.member(workspace);
  const last = await changeUser(ada.uid, { display_name: 'Last' });
  const deleted = await waiting(0);
  expect(await consume([deleted, last])).toEqual([]);
  expect(await userItem(String(deleted.after['uid']))).toHaveProperty('completed_at');
  expect(await shown(workspace.workspace_id)).toContainEqual(['Last', ada.email]);
});

test('a change that DynamoDB rejects is set aside for the operator and blocks nothing, and its events are recorded', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const ada = await world.member(workspace);
  await world.drainStream();
  const { before, after } = await changeUser(owner.uid, { display_name: 'First' });
  const last = await changeUser(ada.uid, { display_name: 'Last' });
  // Larger than an item may be.
  const refused = { before, after: { ...after, version: 99, about_me: 'x'.repeat(410_000) } };
  const letters = world.queues.deadLetters.length;
  const { result: failed, lines } = await logged(() => consume([refused, last]));
  expect(failed).toEqual([]);
  expect(lines).toMatchObject([
    {
      level: 'error',
      operation: 'stream.consume',
      cause: {
        message: `What follows from a change of USER#${owner.uid} USER is refused and is set aside.`,
        cause: { name: 'ValidationException' },
      },
    },
  ]);
  const [letter, ...more] = world.queues.deadLetters.slice(letters);
  expect(more).toEqual([]);
  // What stream.sort takes, once the service can process it.
  expect(JSON.parse(letter ?? '')).toMatchObject({
    continued: true,
    Records: [
      {
        dynamodb: { Keys: { pk: { S: `USER#${owner.uid}` } }, NewImage: { version: { N: '99' } } },
      },
    ],
  });
  expect(await shown(workspace_id)).toEqual([
    ['', owner.email],
    ['Last', ada.email],
  ]);
  const eventIds = ((after?.['events'] ?? []) as { id: string }[]).map(({ id }) => id);
  expect(world.events().map(({ id }) => id)).toEqual(expect.arrayContaining(eventIds));
  const log = await world.table.query(`LOG#USER#${owner.uid}`);
  expect(JSON.stringify(log)).toContain(eventIds[0]);
});

test('a member who was missing from the index at a change of their user gets the new copy later', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace);
  const key = { pk: `WS#${workspace_id}`, sk: `MEMBER#${uid}` };
  const after = await world.table.get(key);
  await changeUser(uid, { display_name: 'Newer' });
  expect(await shown(workspace_id)).not.toContainEqual(['Newer', expect.anything()]);
  expect(await consume([{ after }])).toEqual([]);
  expect(await shown(workspace_id)).toContainEqual(['Newer', expect.anything()]);
});

test('other changes of items have no consequences', async () => {
  const workspace = await world.workspace();
  const { uid } = await world.member(workspace);
  await world.drainStream();
  const all = await world.table.all();
  const user = await userItem(uid);
  const meta = await world.table.get({ pk: `WS#${workspace.workspace_id}`, sk: 'WS' });
  const changes = [
    ...all.flatMap((item) => [
      // Removals of a member, a user or a workspace also remove their lookup items, so they are left out.
      ...(/^(?:MEMBER#.*|USER|WS)$/.test(String(item['sk'])) ? [] : [{ before: item }]),
      { after: item },
      { before: item, after: item },
    ]),
    { before: { ...user, version: 7 }, after: user },
    { before: meta, after: { ...meta, description: 'Changed' } },
    { before: { ...meta, deleted_at: 'x' }, after: { ...meta, deleted_at: 'y' } },
  ];
  expect(await consume(changes)).toEqual([]);
  expect(await world.table.all()).toEqual(all);
});

test('while a change cannot be set aside, it is received again', async () => {
  const { owner } = await world.workspace();
  const { before, after } = await changeUser(owner.uid, { display_name: 'First' });
  const refused = { before, after: { ...after, version: 99, about_me: 'x'.repeat(410_000) } };
  const letters = world.queues.deadLetters.length;
  vi.stubEnv('DEAD_LETTERS_ARN', '');
  expect(await consume([refused])).toHaveLength(1);
  vi.unstubAllEnvs();
  expect(await consume([refused])).toEqual([]);
  expect(world.queues.deadLetters).toHaveLength(letters + 1);
});
