import type { Event } from '../events.ts';
import { limits } from '../limits.ts';
import { readNewest } from './event-log.ts';
import type { InvitationItem } from './invitations.ts';
import type { Item } from './item.ts';
import type { JoinRequestItem } from './join-requests.ts';
import type { MemberItem } from './members.ts';
import { getPassword, type PasswordItem } from './passwords.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { listSessions, type SessionItem } from './sessions.ts';
import { archivedPrefix, joinRequestPrefix, type Key, keys, prefixes } from './shape.ts';
import type { UserItem } from './users.ts';
import type { WorkspaceItem } from './workspaces.ts';

/** An item of a person in a workspace, beside it; none where it is purged. */
export type Held<T> = { item: T; workspace: WorkspaceItem | undefined };

/** Everything that is held on one person, as it lies in the table. */
export type HeldOnUser = {
  user: UserItem;
  password: PasswordItem | undefined;
  sessions: SessionItem[];
  memberships: Held<MemberItem>[];
  invitations: Held<InvitationItem>[];
  joinRequests: Held<JoinRequestItem>[];
  /** The newest events, oldest first; `more` where there are older ones. */
  log: { events: Event[]; more: boolean };
};

/** Reads everything that is held on a person, also in workspaces that were deleted and not purged yet. */
export async function readHeldOn(user: UserItem, now: Date): Promise<HeldOnUser> {
  const { pk, uid } = user;
  const [password, sessions, memberships, invitations, joinRequests, log] = await Promise.all([
    getPassword(uid),
    listSessions(uid, now),
    readHeld<MemberItem>(pk, prefixes.accepted),
    readHeld<InvitationItem>(pk, prefixes.pending),
    readHeld<JoinRequestItem>(pk, joinRequestPrefix),
    readNewest(pk, { events: limits.exportedEvents, bytes: limits.exportedEventBytes }),
  ]);
  return { user, password, sessions, memberships, invitations, joinRequests, log };
}

/** The index finds them; whether they are there is read in the table. */
async function readHeld<T extends Item & { workspace_id: string }>(
  partition: string,
  prefix: string,
): Promise<Held<T>[]> {
  const ranges = await Promise.all(
    [prefix, `${archivedPrefix}${prefix}`].map((each) =>
      query<Key>({ index: 'by-member', partition, prefix: each }),
    ),
  );
  const items = await Promise.all(
    ranges.flatMap((range) => range.items).map(({ pk, sk }) => getItem<T>({ pk, sk })),
  );
  return Promise.all(
    items
      .filter((item) => item !== undefined)
      .map(async (item) => ({
        item,
        workspace: await getItem<WorkspaceItem>(keys.workspace(item.workspace_id)),
      })),
  );
}
