import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { KeyUseItem } from '../api-keys/key-use.ts';
import { type Item, toItem } from '../db/item.ts';
import {
  apiKeyUsePrefix,
  joinRequestPrefix,
  mailboxSortKey,
  mailSortKey,
  prefixes,
  userSortKey,
  workspaceSortKey,
} from '../db/key-prefixes.ts';
import { type DeletedUserItem, isDeletedUser, type UserItem } from '../identity/users/users.ts';
import type { MailboxItem } from '../mail/mailboxes.ts';
import type { MailItem } from '../mail/mails.ts';
import {
  type InvitationItem,
  isArchived,
  type MemberItem,
  type WorkspaceItem,
} from '../workspaces/items.ts';
import type { SecondFactorRequired } from '../workspaces/second-factor-mail.ts';

/** A change of the table that needs processing. */
type TableChange =
  | { kind: 'user-changed'; user: UserItem }
  | { kind: 'user-deleted'; user: DeletedUserItem; email: string | undefined }
  | { kind: 'invitation-added'; invitation: InvitationItem }
  | { kind: 'invitation-expired'; invitation: InvitationItem }
  | { kind: 'request-added'; request: Item & { user_id: string } }
  | { kind: 'key-first-used'; use: KeyUseItem }
  | { kind: 'mailbox-event-added'; mailbox: MailboxItem }
  | {
      kind: 'member-changed';
      before: MemberItem | undefined;
      after: MemberItem | undefined;
      /** True if the member is new, or restored: changes of its user may not have reached it. */
      added: boolean;
    }
  | { kind: 'workspace-deleted' | 'workspace-restored'; workspace_id: string }
  /** A workspace has begun to ask its members for a second factor, or asks from an earlier time on. */
  | ({ kind: 'second-factor-required' } & SecondFactorRequired);

type Images = { before: Item | undefined; after: Item | undefined };

/** The mail in a stream record, if the record inserts one. */
export function insertedMail({ eventName, dynamodb }: DynamoDBRecord): MailItem | undefined {
  if (eventName !== 'INSERT' || !dynamodb?.NewImage) return undefined;
  const item = toItem(dynamodb.NewImage as Record<string, AttributeValue>);
  return item.sk === mailSortKey ? (item as MailItem) : undefined;
}

/** The change that a stream record describes. Undefined if it needs no processing. */
export function changeOf({ dynamodb, userIdentity }: DynamoDBRecord): TableChange | undefined {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map(imageOf);
  const sk = (after ?? before)?.sk ?? '';
  if (sk === userSortKey) return changeOfUser({ before, after });
  if (sk === workspaceSortKey) return changeOfWorkspace({ before, after });
  if (sk.startsWith(prefixes.accepted)) return changeOfMember({ before, after });
  if (sk.startsWith(prefixes.pending))
    // Every deletion but that of the TTL (`Service`) has already updated the workspace's counts.
    return changeOfInvitation({ before, after }, userIdentity?.type === 'Service');
  if (sk.startsWith(joinRequestPrefix) && !before)
    return { kind: 'request-added', request: after as Item & { user_id: string } };
  if (sk.startsWith(apiKeyUsePrefix) && !before)
    return { kind: 'key-first-used', use: after as KeyUseItem };
  // The removal of its events is a change of the item too, from which nothing follows.
  if (sk === mailboxSortKey && after?.['events'] !== undefined)
    return { kind: 'mailbox-event-added', mailbox: after as MailboxItem };
  return undefined;
}

/** The images of a user or workspace before and after a change. Undefined for other items. */
export function directoryChangeOf({ dynamodb }: DynamoDBRecord): Images | undefined {
  const sk = dynamodb?.Keys?.['sk']?.S ?? '';
  if (sk !== userSortKey && sk !== workspaceSortKey) return undefined;
  const { OldImage, NewImage } = dynamodb ?? {};
  return { before: imageOf(OldImage), after: imageOf(NewImage) };
}

type StreamImage = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
const imageOf = (image: StreamImage) => image && toItem(image as Record<string, AttributeValue>);

function changeOfUser({ before, after }: Images): TableChange | undefined {
  if (!before || !after) return undefined;
  const [was, user] = [before as UserItem, after as UserItem];
  if (isDeletedUser(user)) {
    // Its deletion has begun, or begun again.
    const { patient_until = 0, email } = before as Partial<DeletedUserItem & UserItem>;
    return user.patient_until > patient_until ? { kind: 'user-deleted', user, email } : undefined;
  }
  return user.version > was.version ? { kind: 'user-changed', user } : undefined;
}

function changeOfWorkspace({ before, after }: Images): TableChange | undefined {
  if (!before || !after) return undefined;
  const { workspace_id, mfa_required_at: required_at, modified_at } = after as WorkspaceItem;
  const { mfa_required_at: until = '' } = before as WorkspaceItem;
  const [was, is] = [before, after].map((item) => item['deleted_at'] !== undefined);
  // Later than it was is no news to anybody.
  const isSooner = required_at !== undefined && (until === '' || required_at < until);
  if (!is && isSooner) {
    const since = { workspace_id, required_at, changed_at: modified_at };
    return { kind: 'second-factor-required', ...since };
  }
  if (was === is) return undefined;
  return { kind: is ? 'workspace-deleted' : 'workspace-restored', workspace_id };
}

function changeOfMember({ before, after }: Images): TableChange | undefined {
  const added = isAdded({ before, after });
  if (!added && before?.['profile'] === after?.['profile']) return undefined;
  const [was, is] = [before as MemberItem | undefined, after as MemberItem | undefined];
  return { kind: 'member-changed', before: was, after: is, added };
}

function changeOfInvitation({ before, after }: Images, expired: boolean): TableChange | undefined {
  if (isAdded({ before, after }))
    return { kind: 'invitation-added', invitation: after as InvitationItem };
  if (!after && expired)
    return { kind: 'invitation-expired', invitation: before as InvitationItem };
  return undefined;
}

const isAdded = ({ before, after }: Images): boolean =>
  after !== undefined && !isArchived(after) && (before === undefined || isArchived(before));
