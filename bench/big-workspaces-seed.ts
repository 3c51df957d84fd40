import { type DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../local/engine/engine.ts';
import { createTable } from '../local/engine/table.ts';
import { tableName } from '../local/environment.ts';
import { byEmail, byMember } from '../shared/db/index-attributes.ts';
import { keys } from '../shared/db/keys.ts';
import { tableSchema } from '../shared/db/table-schema.ts';
import { newMemberId, newUid, newWorkspaceId } from '../shared/model/ids.ts';
import { projectProfile } from '../shared/workspaces/members/profile-projection.ts';
import { rawTable } from '../test/support/table.ts';

const now = new Date();
const at = now.toISOString();

export const big = 'big';
export const other = 'other';
/** Users who change during the measured operations, by project. */
export const bystanders = { [big]: newUid(now), [other]: newUid(now) };

/**
 * Writes data into a data folder that would take long through the API: a workspace with many members, and a user who is
 * a member of many workspaces. The table has no stream meanwhile, so these writes cause no further work.
 */
export async function seed(
  folder: string,
  { members, memberships }: Record<'members' | 'memberships', number>,
) {
  const engine = await startEngine(folder);
  const { endpoint } = engine;
  const raw = rawTable({ endpoint, accessKeyId: 'local' }, tableName);
  await createTable(raw.client, tableName);
  await setStream(raw.client, false);
  const owner = userOf(big, { workspace_count: 1, owned_workspace_count: 1 });
  const host = userOf(big, { workspace_count: memberships, owned_workspace_count: memberships });
  const ada = userOf(big, { workspace_count: memberships });
  const people = Array.from({ length: members - 1 }, () => userOf(big, { workspace_count: 1 }));
  const crowd = workspaceOf(owner, members);
  const places = Array.from({ length: memberships }, () => workspaceOf(host, 2));
  const items = [owner, ...people].map((user) => memberOf(crowd.workspace_id, user));
  await raw.putAll([
    ...Object.entries(bystanders).map(([project_id, uid]) => userOf(project_id, { uid })),
    ...[owner, host, ada, ...people],
    ...[crowd, ...places],
    ...items,
    ...places.flatMap(({ workspace_id }) =>
      [host, ada].map((user) => memberOf(workspace_id, user)),
    ),
  ]);
  await setStream(raw.client, true);
  raw.client.destroy();
  await engine.close();
  return {
    workspace_id: crowd.workspace_id,
    /** The member who comes last in the order of keys. */
    last:
      items
        .map(({ pk, sk }) => ({ pk, sk }))
        .toSorted((a, b) => (a.sk < b.sk ? -1 : 1))
        .at(-1) ?? crowd,
    ada: ada.uid,
    places: places.map(({ workspace_id }) => workspace_id).toSorted(),
  };
}

async function setStream(client: DynamoDBClient, StreamEnabled: boolean): Promise<void> {
  const StreamSpecification = {
    StreamEnabled,
    ...(StreamEnabled && { StreamViewType: tableSchema.stream }),
  };
  await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
}

function userOf(
  project_id: string,
  given: { uid?: string; workspace_count?: number; owned_workspace_count?: number },
) {
  const { uid = newUid(now) } = given;
  const email = `${uid}@example.com`;
  return {
    ...keys.user(uid),
    ...byEmail(project_id, email),
    ...{ uid, project_id, email, version: 1, workspace_count: 0, owned_workspace_count: 0 },
    verified: { email: true },
    wallet: { address: `0x${'a'.repeat(40)}`, type: 'service' },
    display_name: 'Ada Lovelace',
    ...{ created_at: at, modified_at: at },
    ...given,
  };
}

type User = ReturnType<typeof userOf>;

function workspaceOf(owner: User, total_member_count: number) {
  const workspace_id = newWorkspaceId(now);
  return {
    ...keys.workspace(workspace_id),
    ...{ workspace_id, project_id: owner.project_id, name: 'Big', allowed_domains: [] },
    ...{ owner_id: owner.uid, owner_email: owner.email, owner_version: 1 },
    ...{ total_member_count, pending_member_count: 0, created_at: at, modified_at: at },
  };
}

function memberOf(workspace_id: string, user: User) {
  const { uid, project_id, owned_workspace_count, version } = user;
  return {
    ...keys.member(workspace_id, uid),
    ...byMember('accepted', uid, workspace_id),
    ...{ member_id: newMemberId(now), workspace_id, project_id, user_id: uid },
    role: owned_workspace_count > 0 ? 'admin' : 'member',
    ...{ inviter_id: '', inviter_email: '', created_at: at, modified_at: at },
    ...{ profile: projectProfile(user), profile_version: version },
  };
}
