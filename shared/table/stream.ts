import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { toItem } from './item.ts';
import type { MemberItem } from './members.ts';
import type { MailItem } from './mails.ts';
import { mailSortKey, prefixes } from './shape.ts';
import type { UserItem } from './users.ts';
import type { WorkspaceItem } from './workspaces.ts';

/** A change of the table from which something follows. */
export type Change =
  | { kind: 'user-changed'; user: UserItem }
  | { kind: 'member-added'; member: MemberItem }
  | { kind: 'workspace-deleted'; workspace_id: string };

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
  if (!dynamodb.OldImage) {
    const added = Object.values(prefixes).some((prefix) => after.sk.startsWith(prefix));
    return added ? { kind: 'member-added', member: after as MemberItem } : undefined;
  }
  const before = toItem(dynamodb.OldImage as Record<string, AttributeValue>);
  if (after.sk === 'USER') {
    const user = after as UserItem;
    return user.version > (before as UserItem).version ? { kind: 'user-changed', user } : undefined;
  }
  if (after.sk === 'WS') {
    const { deleted_at, workspace_id } = after as WorkspaceItem;
    const deleted = deleted_at !== undefined && (before as WorkspaceItem).deleted_at === undefined;
    return deleted ? { kind: 'workspace-deleted', workspace_id } : undefined;
  }
  return undefined;
}
