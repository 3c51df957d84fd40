import { getItem } from '../db/batch-loader.ts';
import { assert, del, put, update, type Write } from '../db/change.ts';
import {
  and,
  attributesUnchanged,
  type Condition,
  exists,
  existsUndeleted,
  where,
} from '../db/condition.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import { epochSeconds } from '../db/item.ts';
import {
  apiKeyPrefix,
  domainPrefix,
  joinLinkPrefix,
  joinRequestPrefix,
  prefixes,
} from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { retryWhileStale } from '../db/retry-stale.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { findUser, type UserItem, userUnchanged } from '../identity/users/users.ts';
import { forEachBatch } from './batched-transactions.ts';
import { domainItem, domainsUnchanged } from './domains/allowed-domains.ts';
import {
  type ArchivableItem,
  type DeletedWorkspaceItem,
  type EndingItem,
  isArchived,
  isDeleted,
  isSinceRestored,
  type WorkspaceItem,
} from './items.ts';
import { decrementMemberships } from './members/membership-transaction.ts';
import { projectProfile } from './members/profile-projection.ts';
import { removeOrphan } from './members/remove-orphan.ts';

/**
 * Archives or restores the items of a workspace, according to its current state and not to the stream record that
 * started this. May be interrupted and run again: each item records whether it is archived, and each transaction
 * requires that state of the workspace. If the state changes meanwhile, the stream record of that change continues the
 * work.
 */
export async function syncArchive(workspace_id: string): Promise<void> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  // DynamoDB has purged it.
  if (!workspace) return;
  await (isDeleted(workspace) ? archive(workspace) : unarchive(workspace));
}

const deleted = where('attribute_exists(#deleted_at)');

/** Workspaces deleted by old versions have no expiry and cannot be restored; their items expire two days from now. */
const purgedAt = ({ expires_at }: Partial<DeletedWorkspaceItem>): number =>
  expires_at ?? epochSeconds(currentRequest().now) + 2 * 86_400;

/** What the archive jobs need of a member or an invitation: a quarter of its bytes. */
const archivable = ['user_id', 'by_member_sk', 'expires_at', 'kept_expires_at'] as const;

/**
 * Archives the members and invitations, which can be restored. Deletes domain items, join links, join requests and API
 * keys.
 */
async function archive(workspace: DeletedWorkspaceItem): Promise<void> {
  const { workspace_id } = workspace;
  const until = purgedAt(workspace);
  // Archived by an earlier deletion, after which no job has restored it, it would expire before the workspace.
  const predicate = (item: ArchivableItem) =>
    !isArchived(item) || item.expires_at !== expiriesOf(item, until).expires_at;
  for (const prefix of Object.values(prefixes))
    await forEachBatch<ArchivableItem>(
      workspace_id,
      { prefix, attributes: archivable, state: deleted, predicate },
      (batch, unknown) =>
        writesOf(batch, (item) => ({
          [`item ${item.sk}`]: archiving(item, until),
          ...(prefix === prefixes.accepted &&
            !isArchived(item) &&
            !unknown.has(item.user_id) && {
              [`user ${item.user_id}`]: decrementMemberships(item.user_id),
            }),
        })),
    );
  if (workspace.has_metadata) await keepMetadata(workspace_id, deleted, until);
  await end(workspace_id, [domainPrefix, ...endingPrefixes], deleted, () => true, exists);
}

/** The items that end with a deletion of their workspace, whether or not it is restored. */
const endingPrefixes = [joinLinkPrefix, joinRequestPrefix, apiKeyPrefix];

/** The counters of items on their workspace. */
const counters: Partial<Record<string, 'join_link_count' | 'join_request_count'>> = {
  [joinLinkPrefix]: 'join_link_count',
  [joinRequestPrefix]: 'join_request_count',
};

/** Deletes items of a workspace, if they are `still` as they were wanted, and counts those that it counts. */
async function end(
  workspace_id: string,
  kinds: readonly string[],
  state: Condition,
  predicate: (item: EndingItem) => boolean,
  still: Condition,
): Promise<void> {
  for (const prefix of kinds) {
    const counter = counters[prefix];
    await forEachBatch<EndingItem>(
      workspace_id,
      { prefix, attributes: ['generation'], state, predicate },
      (batch) => ({
        ...writesOf(batch, ({ pk, sk }) => ({
          [`item ${sk}`]: del({ pk, sk }, still),
          ...(prefix === apiKeyPrefix && {
            [`use ${sk}`]: del(keys.apiKeyUse(workspace_id, sk.slice(apiKeyPrefix.length))),
          }),
        })),
        ...(counter && {
          workspace: update(
            keys.workspace(workspace_id),
            { increment: { [counter]: -batch.length } },
            state,
          ),
        }),
      }),
    );
  }
}

/** An archived item keeps its own expiry if that is earlier, and stores the original for the restore. */
function expiriesOf(item: ArchivableItem, until: number) {
  const own = isArchived(item) ? item.kept_expires_at : item.expires_at;
  return { expires_at: Math.min(own ?? until, until), kept_expires_at: own };
}

/** Archives one item. */
function archiving(item: ArchivableItem, until: number): Write {
  const { pk, sk, by_member_sk } = item;
  const archived_sk = isArchived(item) ? by_member_sk : `${archivedPrefix}${by_member_sk}`;
  return update(
    { pk, sk },
    { set: { by_member_sk: archived_sk, ...expiriesOf(item, until) } },
    archivalUnchanged(item),
  );
}

async function unarchive(workspace: WorkspaceItem): Promise<void> {
  const { workspace_id } = workspace;
  for (const prefix of Object.values(prefixes)) {
    const orphans: ArchivableItem[] = [];
    await forEachBatch<ArchivableItem>(
      workspace_id,
      { prefix, attributes: archivable, state: existsUndeleted, predicate: isArchived },
      async (batch) => {
        const users = await Promise.all(batch.map(({ user_id }) => findUser(user_id)));
        orphans.push(...batch.filter((_, i) => !users[i]));
        return writesOf(batch, (item, i) => {
          const user = users[i];
          return user ? restoring(item, user, prefix === prefixes.accepted) : {};
        });
      },
    );
    for (const orphan of orphans) await removeOrphan(orphan);
  }
  if (workspace.has_metadata) await keepMetadata(workspace_id, existsUndeleted, undefined);
  // Those that the job of the deletion had not come to. A counter is an upper bound of what is stored.
  const stored = endingPrefixes.filter((prefix) => {
    const counter = counters[prefix];
    return counter === undefined || (workspace[counter] ?? 0) > 0;
  });
  const { generation = 0 } = workspace;
  // Somebody may ask to join again meanwhile, at the key of the request that has ended.
  const ended = where('attribute_not_exists(#generation) OR #generation < :generation', {
    generation,
  });
  const predicate = (item: EndingItem) => !isSinceRestored(item, workspace);
  await end(workspace_id, stored, existsUndeleted, predicate, and(exists, ended));
  await restoreDomains(workspace);
}

/** Lets the metadata expire with its deleted workspace, or not any more. Does nothing if there is none by now. */
async function keepMetadata(
  workspace_id: string,
  state: Condition,
  expires_at: number | undefined,
): Promise<void> {
  const changes = expires_at === undefined ? { remove: ['expires_at'] } : { set: { expires_at } };
  await ifConditionHolds(
    transact({
      workspace: assert(keys.workspace(workspace_id), state),
      metadata: update(keys.workspaceMetadata(workspace_id), changes, exists),
    }),
  );
}

/**
 * True while the item is archived, or not, as it was read. Its kept expiry too: a restored invitation may be resent, and
 * so expire later, before this job restores the item.
 */
const archivalUnchanged = (item: ArchivableItem): Condition =>
  attributesUnchanged(item, ['by_member_sk', 'kept_expires_at']);

/** Restores one item. The profile copy is rebuilt, because no job refreshed it while it was archived. */
function restoring(item: ArchivableItem, user: UserItem, accepted: boolean): Record<string, Write> {
  const { pk, sk, by_member_sk, kept_expires_at: expires_at } = item;
  const changes = {
    set: {
      by_member_sk: by_member_sk.slice(archivedPrefix.length),
      profile: projectProfile(user),
      profile_version: user.version,
      expires_at,
    },
    remove: ['kept_expires_at', ...(expires_at === undefined ? ['expires_at'] : [])],
  };
  const counting = { increment: { workspace_count: 1 } };
  return {
    [`item ${sk}`]: update({ pk, sk }, changes, archivalUnchanged(item)),
    [`user ${user.uid}`]: accepted
      ? update(keys.user(user.uid), counting, userUnchanged(user))
      : assert(keys.user(user.uid), userUnchanged(user)),
  };
}

/** Writes the index items by which users of the allowed domains find the workspace. */
const restoreDomains = ({ workspace_id }: WorkspaceItem): Promise<void> =>
  retryWhileStale(async () => {
    const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
    if (!workspace || isDeleted(workspace) || workspace.allowed_domains.length === 0) return;
    const { allowed_domains } = workspace;
    const condition = and(existsUndeleted, domainsUnchanged(workspace));
    await transact({
      workspace: assert(keys.workspace(workspace_id), condition),
      ...writesOf(allowed_domains, (domain) => ({ [domain]: put(domainItem(workspace, domain)) })),
    });
  });

function writesOf<T>(all: readonly T[], writes: (each: T, i: number) => Record<string, Write>) {
  return Object.assign({}, ...all.map(writes)) as Record<string, Write>;
}
