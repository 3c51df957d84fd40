/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { del } from '#shared/db/change.ts';
import { exists } from '#shared/db/condition.ts';
import { byDomain, byMember } from '#shared/db/index-attributes.ts';
import type { Item } from '#shared/db/item.ts';
import { keys } from '#shared/db/keys.ts';
import { query } from '#shared/db/query.ts';
import { transact, updateItem } from '#shared/db/transaction.ts';
import type { PendingEvent } from '#shared/model/events.ts';
import { syncArchive } from '#shared/workspaces/archive.ts';
import { changed } from '../../faults/fault.ts';
import { deaths, dieAtEveryCall, openFaultyTable } from '../../support/faults.ts';
import { failureOf, request } from '../../support/request.ts';

const faults = await openFaultyTable();
let count = 0;
let id = '';
let other = '';
const purge = 4_000_000_000;
const project_id = 'p';
const people = Array.from({ length: 60 }, (_, i) => `u${i}`);
const uidOf = (name: string, of = id) => `${of}-${name}`;
const inTime = <T>(work: () => Promise<T>) => request(work, 20_000);
const follow = () => inTime(() => syncArchive(id));
/** Retries like the stream, because a slow table may fail a record. */
async function followUp(left = 5): Promise<void> {
  const failure = await failureOf(follow());
  if (failure === 'temporarily_unavailable' && left > 1) return followUp(left - 1);
  expect(failure).toBe('done');
}

/** Every item of a workspace by its sort key; no prefix may be empty: DynamoDB refuses it, dynoxide does not. */
async function itemsOf(of = id): Promise<Record<string, Item>> {
  const prefixes = ['WS', 'MEMBER#', 'INVITE#', 'DOMAIN#', 'LINK#', 'REQUEST#', 'API_KEY#'];
  const read = (prefix: string) => query({ partition: keys.workspace(of).pk, prefix });
  const ranges = await inTime(() => Promise.all(prefixes.map(read)));
  return Object.fromEntries(ranges.flatMap(({ items }) => items.map((item) => [item.sk, item])));
}
const counts = () =>
  inTime(() =>
    Promise.all(
      people.map(async (name) => (await getItem(keys.user(uidOf(name))))?.['workspace_count']),
    ),
  );
const set = (changes: Record<string, unknown>, remove: string[] = []) =>
  inTime(() => updateItem(keys.workspace(id), { set: changes, remove }, exists));
const deleteIt = () => set({ deleted_at: 'now', expires_at: purge });
const restoreIt = () => set({ generation: 1 }, ['deleted_at', 'expires_at']);

function seeds(of: string, names = people): Item[] {
  const user = (uid: string): Item => ({
    ...keys.user(uid),
    uid,
    project_id,
    version: 3,
    email: `${uid}@example.com`,
    workspace_count: 1,
  });
  const member = (uid: string): Item => ({
    ...keys.member(of, uid),
    ...byMember('accepted', uid, of),
    user_id: uid,
    member_id: `mid-${uid}`,
    workspace_id: of,
    role: 'member',
    profile: '{}',
    profile_version: 1,
  });
  const invitation = (uid: string, expires_at: number): Item => ({
    ...member(uid),
    ...keys.invitation(of, uid),
    ...byMember('pending', uid, of),
    expires_at,
  });
  const uids = names.map((name) => uidOf(name, of));
  return [
    {
      ...keys.workspace(of),
      workspace_id: of,
      project_id,
      owner_id: uidOf('u0', of),
      allowed_domains: ['a.com', 'b.com'],
      total_member_count: uids.length,
      pending_member_count: 2,
      join_link_count: 2,
      join_request_count: 1,
    },
    ...uids.flatMap((uid) => [user(uid), member(uid)]),
    user(uidOf('early', of)),
    invitation(uidOf('early', of), purge - 1_000),
    user(uidOf('late', of)),
    invitation(uidOf('late', of), purge + 1_000),
    ...['a.com', 'b.com'].map((domain) => ({
      ...keys.domain(of, domain),
      ...byDomain(project_id, domain, of),
    })),
    keys.apiKey(keys.workspace(of), '1'),
    keys.joinLink(of, '1'),
    keys.joinLink(of, '2'),
    { ...keys.joinRequest(of, 'x'), user_id: 'x' },
  ];
}

beforeEach(async () => {
  count += 1;
  id = `wid-${count}`;
  other = `wid-${count}0`;
  await faults.seed([...seeds(id), ...seeds(other)]);
});

/** The state of an archived workspace, however it was archived. */
async function expectArchived() {
  const { WS, ...items } = await itemsOf();
  const uids = people.map((name) => uidOf(name)).toSorted();
  expect(Object.keys(items)).toEqual([
    ...uids.map((uid) => `MEMBER#${uid}`),
    `INVITE#${uidOf('early')}`,
    `INVITE#${uidOf('late')}`,
  ]);
  for (const [sk, item] of Object.entries(items)) {
    const status = sk.split('#')[0];
    expect(item['by_member_sk']).toBe(`ARCHIVED#${status}#${id}`);
  }
  expect(items[`MEMBER#${uidOf('u3')}`]).toMatchObject({ expires_at: purge });
  expect(items[`INVITE#${uidOf('early')}`]).toMatchObject({
    expires_at: purge - 1_000,
    kept_expires_at: purge - 1_000,
  });
  expect(items[`INVITE#${uidOf('late')}`]).toMatchObject({
    expires_at: purge,
    kept_expires_at: purge + 1_000,
  });
  expect(WS).toMatchObject({ join_link_count: 0, join_request_count: 0 });
  expect(await counts()).toEqual(people.map(() => 0));
}

/** The state of a restored workspace: as before, but without join methods, and with current profiles. */
async function expectRestored() {
  const { WS, ...items } = await itemsOf();
  const before = Object.fromEntries(seeds(id).map((item) => [`${item.pk} ${item.sk}`, item]));
  for (const [sk, { profile, profile_version, ...item }] of Object.entries(items)) {
    const {
      profile: _,
      profile_version: __,
      ...seed
    }: Partial<Item> = before[`WS#${id} ${sk}`] ?? {};
    expect(item).toEqual(seed);
    if (sk.startsWith('DOMAIN#')) continue;
    const { user_id } = item;
    expect([profile_version, JSON.parse(String(profile))]).toEqual([
      3,
      { email: `${String(user_id)}@example.com` },
    ]);
  }
  expect(Object.keys(items)).toHaveLength(people.length + 4);
  expect(WS).not.toHaveProperty('deleted_at');
  expect(await counts()).toEqual(people.map(() => 1));
}

describe('the job of a deleted workspace', () => {
  test('archives members and invitations, deletes join methods, and leaves another workspace untouched', async () => {
    const neighbour = await itemsOf(other);
    await deleteIt();
    await followUp();
    await expectArchived();
    expect(await itemsOf(other)).toEqual(neighbour);
  });

  test.each(Object.entries(deaths))(
    'ends in the same state if it dies %s each of its calls',
    async (_, death) => {
      await deleteIt();
      expect(await dieAtEveryCall(faults, death, follow)).toBeGreaterThan(5);
      await expectArchived();
      await followUp();
      await expectArchived();
    },
  );

  test('keeps everything as long as the workspace, if that was restored and deleted again before the job ran', async () => {
    const earlier = purge - 20 * 86_400;
    await set({ deleted_at: 'before', expires_at: earlier });
    await followUp();
    expect((await itemsOf())[`MEMBER#${uidOf('u3')}`]).toMatchObject({ expires_at: earlier });
    await restoreIt();
    await deleteIt();
    await followUp();
    await expectArchived();
    await restoreIt();
    await followUp();
    await expectRestored();
  });

  test('changes nothing if the workspace is live again', async () => {
    const before = await itemsOf();
    await followUp();
    // The domain items are rewritten unchanged.
    expect(await itemsOf()).toEqual(before);
  });

  test('stops if the workspace is restored in the meantime, and the next record undoes its work', async () => {
    await deleteIt();
    let lots = 0;
    const when = ({ operation }: { operation: string }) =>
      operation === 'TransactWriteItems' && (lots += 1) === 2;
    faults.inject(
      async (exchange) => {
        await restoreIt();
        await changed((body) => body)(exchange);
      },
      { when },
    );
    await followUp();
    const halfway = await counts();
    expect(new Set(halfway)).toEqual(new Set([0, 1]));
    await followUp();
    expect(await counts()).toEqual(people.map(() => 1));
    for (const { by_member_sk = '' } of Object.values(await itemsOf()))
      expect(by_member_sk).not.toMatch(/^ARCHIVED#/);
  });

  test('archives the membership of a missing user too', async () => {
    await deleteIt();
    const { item, missing } = { item: keys.member(id, 'nobody'), missing: 'nobody' };
    await faults.seed([
      { ...item, ...byMember('accepted', missing, id), user_id: missing, workspace_id: id },
    ]);
    await followUp();
    const { [`MEMBER#nobody`]: archived } = await itemsOf();
    expect(archived).toMatchObject({ by_member_sk: `ARCHIVED#MEMBER#${id}`, expires_at: purge });
    expect(await counts()).toEqual(people.map(() => 0));
  });

  test('archives and restores several pages of members once each, even if one leaves in a race', async () => {
    // A page has 196 members, and is read while transactions of the previous page are in progress.
    const many = Array.from({ length: 250 }, (_, i) => `m${i}`);
    await faults.seed(seeds(id, many));
    const countsOf = () =>
      inTime(() =>
        Promise.all(
          many.map(async (name) => (await getItem(keys.user(uidOf(name))))?.['workspace_count']),
        ),
      );
    await deleteIt();
    // By now the last page has been read, and a member in it leaves.
    let transactions = 0;
    const when = ({ operation }: { operation: string }) =>
      operation === 'TransactWriteItems' && (transactions += 1) === 4;
    const late = keys.member(id, uidOf('m99'));
    faults.inject(
      async (exchange) => {
        await inTime(() => transact({ late: del(late, exists) }));
        await changed((body) => body)(exchange);
      },
      { when },
    );
    await followUp();
    expect(transactions).toBe(4);
    const gone = many.indexOf('m99');
    expect(await countsOf()).toEqual(many.map((_, i) => (i === gone ? 1 : 0)));
    await restoreIt();
    await followUp();
    expect(await countsOf()).toEqual(many.map(() => 1));
    for (const { by_member_sk = '' } of Object.values(await itemsOf()))
      expect(by_member_sk).not.toMatch(/^ARCHIVED#/);
  });

  test('does nothing once the workspace is purged', async () => {
    id = 'wid-purged';
    await followUp();
    expect(faults.operations()).toEqual(['GetItem']);
  });
});

describe('the job of a workspace that was restored before the job ran', () => {
  const later = { generation: 1 };

  test.each([['never', undefined] as const, ...Object.entries(deaths)])(
    'deletes join methods and keys from before and keeps later ones, if it dies: %s',
    async (_, death) => {
      const before = await itemsOf();
      await deleteIt();
      await restoreIt();
      const made = { ...keys.joinLink(id, '3'), ...later };
      const kept = { ...keys.apiKey(keys.workspace(id), '3'), ...later };
      await faults.seed([made, kept]);
      await set({ join_link_count: 3 });
      if (death) await dieAtEveryCall(faults, death, follow);
      else await followUp();
      const ended = Object.entries(before).filter(([sk]) =>
        /^(?:WS|LINK|REQUEST|API_KEY)/.test(sk),
      );
      const { WS, ...items } = await itemsOf();
      expect(WS).toMatchObject({ join_link_count: 1, join_request_count: 0 });
      const staying = Object.fromEntries(
        Object.entries(before).filter(([sk]) => !ended.some(([each]) => each === sk)),
      );
      expect(items).toEqual({ ...staying, [made.sk]: made, [kept.sk]: kept });
      expect(await counts()).toEqual(people.map(() => 1));
    },
  );

  test('keeps a join request made again while it deletes the earlier one', async () => {
    await deleteIt();
    await restoreIt();
    const again = { ...keys.joinRequest(id, 'x'), user_id: 'x', ...later };
    faults.inject(
      async (exchange) => {
        await faults.seed([again]);
        await changed((body) => body)(exchange);
      },
      {
        when: ({ operation, text }) =>
          operation === 'TransactWriteItems' && text.includes('REQUEST#x'),
      },
    );
    await followUp();
    const { WS, [again.sk]: kept } = await itemsOf();
    expect([kept, WS?.['join_request_count']]).toEqual([again, 1]);
  });
});

describe('the job of a restored workspace', () => {
  beforeEach(async () => {
    await deleteIt();
    await followUp();
    await restoreIt();
  });

  test('restores everything except the join methods', async () => {
    await followUp();
    await expectRestored();
  });

  test.each(Object.entries(deaths))(
    'ends in the same state if it dies %s each of its calls',
    async (_, death) => {
      expect(await dieAtEveryCall(faults, death, follow)).toBeGreaterThan(5);
      await expectRestored();
      await followUp();
      await expectRestored();
    },
  );

  test('removes the membership or invitation of a deleted user, and updates the counts', async () => {
    const gone = [uidOf('u1'), uidOf('late')];
    for (const uid of gone)
      await inTime(() => updateItem(keys.user(uid), { set: { deleted_at: 'now' } }, exists));
    await followUp();
    const { WS, ...items } = await itemsOf();
    expect(Object.keys(items).filter((sk) => gone.some((uid) => sk.endsWith(`#${uid}`)))).toEqual(
      [],
    );
    expect(WS).toMatchObject({
      total_member_count: people.length - 1,
      pending_member_count: 1,
      event_count: 2,
    });
    const [last] = (WS?.['events'] ?? []) as PendingEvent[];
    expect(last).toMatchObject({
      type: 'workspace.invitation.revoked',
      actor: { kind: 'service', id: 'identity-workspace' },
      data: { user_id: uidOf('late') },
    });
  });
});
