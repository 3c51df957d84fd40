import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Item, toItem } from './item.ts';
import { isArchived } from './lots.ts';
import type { MemberItem } from './members.ts';
import type { MailItem } from './mails.ts';
import { joinRequestPrefix, mailSortKey, prefixes } from './shape.ts';
import { type DeletedUserItem, isDeletedUser } from './user-deletion.ts';
import type { UserItem } from './users.ts';
import type { WorkspaceItem } from './workspaces.ts';

/** A change of the table from which something follows. */
export type Change =
  | { kind: 'user-changed'; user: UserItem }
  | { kind: 'user-deleted'; user: DeletedUserItem }
  | { kind: 'member-added'; member: MemberItem }
  | { kind: 'request-added'; request: Item & { user_id: string } }
  | { kind: 'workspace-deleted' | 'workspace-restored'; workspace_id: string };

/** The mail that a stream record brings, if it is a new one. */
export function mailOf({ eventName, dynamodb }: DynamoDBRecord): MailItem | undefined {
  if (eventName !== 'INSERT' || !dynamodb?.NewImage) return undefined;
  const item = toItem(dynamodb.NewImage as Record<string, AttributeValue>);
  return item.sk === mailSortKey ? (item as MailItem) : undefined;
}

/** What a stream record tells, or undefined where nothing follows from it. */
export function changeOf({ dynamodb }: DynamoDBRecord): Change | undefined {
  if (!dynamodb?.NewImage) return undefined;
  const after = toItem(dynamodb.NewImage as Record<string, AttributeValue>);
  const before = dynamodb.OldImage && toItem(dynamodb.OldImage as Record<string, AttributeValue>);
  if (after.sk === 'USER') return before && changeOfUser(before as UserItem, after as UserItem);
  if (after.sk === 'WS') return before && changeOfWorkspace(before, after as WorkspaceItem);
  if (Object.values(prefixes).some((prefix) => after.sk.startsWith(prefix))) {
    // Restored is as good as new: whatever became of its user meanwhile may have been missed.
    const added = !before || (isArchived(before) && !isArchived(after));
    return added ? { kind: 'member-added', member: after as MemberItem } : undefined;
  }
  if (!before && after.sk.startsWith(joinRequestPrefix))
    return { kind: 'request-added', request: after as Item & { user_id: string } };
  return undefined;
}

function changeOfUser(before: UserItem, user: UserItem): Change | undefined {
  if (isDeletedUser(user))
    return isDeletedUser(before) ? undefined : { kind: 'user-deleted', user };
  return user.version > before.version ? { kind: 'user-changed', user } : undefined;
}

function changeOfWorkspace(before: Item, after: WorkspaceItem): Change | undefined {
  const { workspace_id } = after;
  const [was, is] = [before, after].map((item) => item['deleted_at'] !== undefined);
  if (was === is) return undefined;
  return { kind: is ? 'workspace-deleted' : 'workspace-restored', workspace_id };
}
