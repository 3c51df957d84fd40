import { randomUUID } from 'node:crypto';
import { byMember } from '../shared/db/index-attributes.ts';
import { keys } from '../shared/db/keys.ts';
import { canonicalJson } from '../shared/model/canonical-json.ts';
import { lifetimes } from '../shared/model/limits.ts';
import { rawTable } from '../test/support/table.ts';

/** Items that are written straight into the table, as the service would have written them. */

type Item = Record<string, unknown>;
export type Table = ReturnType<typeof rawTable>;

/** The table of this process's environment. */
export const openBenchTable = (): Table =>
  rawTable(
    { endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', accessKeyId: 'local' },
    process.env['TABLE_NAME'] ?? '',
  );

async function stored(table: Table, key: { pk: string; sk: string }): Promise<Item> {
  const item = await table.get(key);
  if (!item) throw new Error(`There is no ${key.pk} ${key.sk}`);
  return item;
}

/** Adds members from one number to another to a workspace, each a copy of its owner with a separate search term. */
export async function addMembers(
  table: Table,
  place: { workspace_id: string; owner: string },
  from: number,
  to: number,
): Promise<void> {
  const { workspace_id, owner } = place;
  const model = await stored(table, keys.member(workspace_id, owner));
  const members = Array.from({ length: to - from }, (_, i) => {
    const number = String(from + i).padStart(12, '0');
    const uid = `0192f0c1-0000-7000-8000-${number}`;
    return [
      {
        ...model,
        ...keys.member(workspace_id, uid),
        ...byMember('accepted', uid, workspace_id),
        user_id: uid,
        role: 'member',
      },
      keys.memberTerm(workspace_id, `person ${number}`, uid),
    ];
  });
  await table.putAll(members.flat());
  await table.update(keys.workspace(workspace_id), { total_member_count: to });
}

/** Makes a user a member of more workspaces, copies of the given one with the same owner. */
export async function addWorkspaces(
  table: Table,
  place: { workspace_id: string; owner: string },
  uid: string,
  count: number,
): Promise<void> {
  const [workspace, model, user] = await Promise.all([
    stored(table, keys.workspace(place.workspace_id)),
    stored(table, keys.member(place.workspace_id, place.owner)),
    stored(table, keys.user(uid)),
  ]);
  const items = Array.from({ length: count }, () => {
    const workspace_id = `wid-${randomUUID()}`;
    return [
      { ...workspace, ...keys.workspace(workspace_id), workspace_id },
      {
        ...model,
        ...keys.member(workspace_id, uid),
        ...byMember('accepted', uid, workspace_id),
        ...{ workspace_id, user_id: uid, role: 'member' },
      },
    ];
  });
  await table.putAll(items.flat());
  const joined = Number(user['workspace_count'] ?? 0) + count;
  await table.update(keys.user(uid), { workspace_count: joined });
}

/** Adds events from one number to another to the feed of a project and to the log of a workspace. */
export async function addEvents(
  table: Table,
  { project_id, workspace_id }: { project_id: string; workspace_id: string },
  from: number,
  to: number,
): Promise<void> {
  const time = new Date().toISOString();
  const expires_at = Math.floor(Date.now() / 1_000) + lifetimes.event;
  const { pk } = keys.workspace(workspace_id);
  const hash = 'q2mXbV0n'.repeat(6).slice(0, 43);
  const events = Array.from({ length: to - from }, (_, i) => {
    const number = from + i + 1;
    const event = canonicalJson({
      ...{ id: `evt-${randomUUID()}`, type: 'workspace.member.role_changed', time },
      ...{ project_id, workspace_id, actor: { kind: 'key', id: '0a1b2c3d' } },
      data: { user_id: randomUUID(), member_id: `mid-${randomUUID()}`, role: 'admin' },
      previous: { role: 'member' },
    });
    const link = { previous_hash: hash, hash, position: number };
    return [
      { ...keys.feedEntry(project_id, number), event, expires_at },
      { ...keys.logEntry(pk, number), event, expires_at, ...link },
    ];
  });
  await table.putAll(events.flat());
  await table.put({ ...keys.feedHead(project_id), position: to });
  const head = { project_id, told: to, number: to, hash, recent: [] };
  await table.put({ ...keys.logHead(pk), ...head });
}
