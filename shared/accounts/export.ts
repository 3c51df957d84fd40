import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import { type ApiKeyItem, isUnexpired, listStoredKeys } from '../api-keys/items.ts';
import { getKeyUses } from '../api-keys/key-use.ts';
import type { SignInObstacles } from '../contract/user-export.ts';
import { getItem } from '../db/batch-loader.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { joinRequestPrefix, prefixes } from '../db/key-prefixes.ts';
import { keys, workspaceIdOf } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { type LogPage, readNewest } from '../events/log.ts';
import { type ConfirmedFactor, factorOf } from '../factors/factors.ts';
import { areKeptFor, type ProviderTokensItem } from '../identity/identities/provider-tokens.ts';
import { getPassword, type PasswordItem } from '../identity/passwords/passwords.ts';
import { listStoredSessions } from '../identity/sessions/stored-sessions.ts';
import { getUserMetadata } from '../identity/users/user-metadata.ts';
import type { UserItem } from '../identity/users/users.ts';
import type { MetadataItem } from '../metadata/stored.ts';
import type { Event } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { type PasskeyItem, passkeysOf } from '../passkeys/passkeys.ts';
import { asInvitation, isFor } from '../workspaces/invitations/invitations.ts';
import type { InvitationItem, MemberItem, WorkspaceItem } from '../workspaces/items.ts';
import type { JoinRequestItem } from '../workspaces/joining/join-requests.ts';
import { readObstacles } from './sign-in-obstacles.ts';

/** A user's item in a workspace, with the workspace; undefined if it is purged. */
export type StoredPlace<T> = { item: T; workspace: WorkspaceItem | undefined };

/** An API key, with the day of its last use. */
export type StoredKey = { key: ApiKeyItem; last_used_on: string | undefined };

/** A page of all data stored on one user. */
export type StoredUserData = {
  user: UserItem;
  /** The identity providers of which tokens are kept. */
  tokensKept: ReadonlySet<string>;
  /** Only in the first page, like the sessions. */
  password: PasswordItem | undefined;
  metadata: MetadataItem | undefined;
  passkeys: PasskeyItem[];
  factor: ConfirmedFactor | undefined;
  obstacles: SignInObstacles;
  /** Those that have ended too, as long as they are stored. */
  sessions: SessionItem[];
  apiKeys: StoredKey[];
  memberships: StoredPlace<MemberItem>[];
  invitations: StoredPlace<InvitationItem>[];
  joinRequests: StoredPlace<JoinRequestItem>[];
  /** The newest events, oldest first. `more`: older ones follow in the next page. */
  log: { events: Event[]; more: boolean };
  /** Where the next page starts. Undefined on the last page. */
  next: string | undefined;
};

/** The parts of a cursor, in this order: a position in each range of the index, then one in the log. */
const ranges = [prefixes.accepted, prefixes.pending, joinRequestPrefix].flatMap((prefix) => [
  { prefix, archived: '' },
  { prefix, archived: archivedPrefix },
]);
type Range = (typeof ranges)[number];

/** The position of a range or log that was read to its end. */
const ended = '-';

/**
 * Reads a page of all data stored on a user, including workspaces that are deleted but not purged. The number of items
 * from each list is limited.
 *
 * @param options.after the cursor of the previous page
 * @param options.caller who asks
 */
export async function readUserExport(
  user: UserItem,
  { after, caller }: { after: string | undefined; caller: ProjectCaller | PersonCaller },
  now: Date,
): Promise<StoredUserData> {
  const { pk, uid } = user;
  const positions = after?.split(' ') ?? [];
  const first = after === undefined;
  const [
    password,
    metadata,
    passkeys,
    factor,
    obstacles,
    sessions,
    apiKeys,
    tokensKept,
    log,
    ...lists
  ] = await Promise.all([
    first ? getPassword(uid) : undefined,
    first && user.has_metadata ? getUserMetadata(uid) : undefined,
    first ? passkeysOf(user) : [],
    first ? factorOf(user) : undefined,
    first && caller.kind === 'project' ? readObstacles(user, now) : {},
    first ? readSessions(uid, now) : [],
    first ? readKeys(uid, now) : [],
    first ? tokensKeptOf(user, now) : new Set<string>(),
    readLog(pk, positions[ranges.length]),
    ...ranges.map((range, i) => readEntries(uid, range, positions[i])),
  ]);
  const places = [...lists.map(({ next }) => next), log.more ? String(log.next) : ended];
  const entriesIn = <T>(kind: string) =>
    ranges.flatMap(({ prefix }, i) =>
      prefix === kind ? (lists[i]?.entries ?? []) : [],
    ) as StoredPlace<T>[];
  return {
    user,
    password,
    metadata,
    passkeys,
    factor,
    obstacles,
    sessions,
    apiKeys,
    tokensKept,
    log,
    memberships: entriesIn(prefixes.accepted),
    // One that was sent to a mailbox which the user no longer has is not theirs to read, nor is its message.
    invitations: entriesIn<InvitationItem>(prefixes.pending)
      .map((entry) => ({ ...entry, item: asInvitation(entry.item) }))
      .filter(({ item }) => isFor(item, user)),
    joinRequests: entriesIn(joinRequestPrefix),
    next: places.some((place) => place !== ended) ? places.join(' ') : undefined,
  };
}

/** The sessions that have not expired. One that was revoked or is idle keeps its item until then. */
async function readSessions(uid: string, now: Date): Promise<SessionItem[]> {
  const stored = await listStoredSessions(uid);
  return stored.filter(({ expires_at }) => expires_at > epochSeconds(now));
}

/** A user without keys pays for no read of their uses. */
async function readKeys(uid: string, now: Date): Promise<StoredKey[]> {
  const stored = (await listStoredKeys('user', uid)).filter((key) => isUnexpired(key, now));
  if (stored.length === 0) return [];
  const uses = await getKeyUses(uid);
  return stored.map((key) => ({ key, last_used_on: uses.get(key.key_id) }));
}

async function tokensKeptOf(user: UserItem, now: Date): Promise<Set<string>> {
  const { project_id, uid, identities = {} } = user;
  const read = await Promise.all(
    Object.entries(identities).map(async ([provider, account]) => {
      const { issuer, subject } = account;
      const kept = await getItem<ProviderTokensItem>(
        keys.providerTokens(project_id, issuer, subject),
      );
      return kept && areKeptFor(uid, kept, now) ? [provider] : [];
    }),
  );
  return new Set(read.flat());
}

async function readLog(partition: string, position: string | undefined): Promise<LogPage> {
  if (position === ended) return { events: [], more: false, next: 0 };
  const max = { events: limits.exportedEvents, bytes: limits.exportedEventBytes };
  return readNewest(partition, max, position === undefined ? undefined : Number(position));
}

/** The index finds the items; the consistent read of the table decides. */
async function readEntries(
  uid: string,
  range: Range,
  position: string | undefined,
): Promise<{ entries: StoredPlace<Item>[]; next: string }> {
  if (position === ended) return { entries: [], next: ended };
  const { items: found } = await query({
    index: 'by-member',
    partition: keys.user(uid).pk,
    prefix: `${range.archived}${range.prefix}`,
    // One more item, which only shows that there is another page.
    limit: limits.exportedOfEach + 1,
    ...(position !== undefined && { after: placeIn(range, uid, position) }),
  });
  const page = found.slice(0, limits.exportedOfEach);
  const last = page.at(-1);
  const items = await Promise.all(
    page.map(({ pk, sk }) => getItem<Item & { workspace_id: string }>({ pk, sk })),
  );
  const entries = await Promise.all(
    items
      .filter((item) => item !== undefined)
      .map(async (item) => ({
        item,
        workspace: await getItem<WorkspaceItem>(keys.workspace(item.workspace_id)),
      })),
  );
  return { entries, next: last && found.length > page.length ? workspaceIdOf(last) : ended };
}

/** The key of a user's item in a workspace, in the table and in the index. */
const placeIn = ({ prefix, archived }: Range, uid: string, workspace_id: string) => ({
  pk: keys.workspace(workspace_id).pk,
  sk: `${prefix}${uid}`,
  by_member_pk: keys.user(uid).pk,
  by_member_sk: `${archived}${prefix}${workspace_id}`,
});
