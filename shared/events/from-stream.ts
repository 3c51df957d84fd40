import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Item, toItem } from '../db/item.ts';
import {
  mailboxSortKey,
  rolesVersionSortKey,
  userSortKey,
  workspaceSortKey,
} from '../db/key-prefixes.ts';
import type { HasPendingEvents } from '../db/outbox.ts';
import {
  type Actor,
  type Event,
  type EventType,
  eventFields,
  type PendingEvent,
} from '../model/events.ts';
import type { Totals } from '../stats/count-events.ts';
import { totalsOf } from './totals.ts';
import { changedFrom, toEventUser, toEventWorkspace } from './views.ts';

/** One event that a change of the table carries. */
export type StreamedEvent = {
  /** The partition of the item that carries it. The event belongs to the log of that partition. */
  partition: string;
  /** The `event_count` of the item, up to and including this event. */
  count: number;
  event: Event;
  /** True if the item is deleted. Its log then expires too. */
  deleted: boolean;
  /** What the item adds to the totals of its project after the write. */
  totals: Totals | undefined;
};

/** The sort keys of the items that carry events. */
const sortKeysWithEvents = new Set([
  ...[userSortKey, workspaceSortKey],
  ...[mailboxSortKey, rolesVersionSortKey],
]);

type Image = Item & HasPendingEvents & { project_id: string };

/** The events of a stream record: those that its write added, numbered by the item's `event_count`. */
export function eventsIn({ dynamodb }: DynamoDBRecord): StreamedEvent[] {
  if (!dynamodb?.NewImage) return [];
  const after = imageOf(dynamodb.NewImage);
  const before = dynamodb.OldImage && imageOf(dynamodb.OldImage);
  if (!sortKeysWithEvents.has(after.sk)) return [];
  const { events = [], event_count = 0 } = after;
  // A write without events leaves those of the previous write on the item.
  if (event_count <= (before?.event_count ?? 0)) return [];
  return events.map((pending, i) => ({
    partition: after.pk,
    count: event_count - events.length + 1 + i,
    event: toEvent(pending, before, after),
    deleted: after['deleted_at'] !== undefined,
    totals: totalsOf(after),
  }));
}

function imageOf(image: NonNullable<DynamoDBRecord['dynamodb']>['NewImage']): Image {
  return toItem(image as Record<string, AttributeValue>) as Image;
}

function toEvent(pending: PendingEvent, before: Image | undefined, after: Image): Event {
  const { id, type, time, actor } = pending;
  const views = viewsOf(after, type);
  const data = { ...views, ...allowedFields(pending.data) };
  const previous = {
    ...(before && formerViews(viewsOf(before, type), views)),
    ...differing(allowedFields(pending.previous), data),
  };
  return {
    id,
    type,
    time,
    project_id: after.project_id,
    ...(after.sk === workspaceSortKey && { workspace_id: String(after['workspace_id']) }),
    actor: actorOf(actor),
    data,
    ...(Object.keys(previous).length > 0 && { previous }),
  };
}

function actorOf({ kind, id, impersonator, user_id, workspace_id }: Actor): Actor {
  return {
    kind,
    id,
    ...(impersonator !== undefined && { impersonator }),
    ...(user_id !== undefined && { user_id }),
    ...(workspace_id !== undefined && { workspace_id }),
  };
}

/** Of the previous values that a write names, those that it has changed. */
const differing = (previous: Record<string, unknown>, data: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(previous).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(data[name]),
    ),
  );

const names: ReadonlySet<string> = new Set(Object.values(eventFields).flat());

/** The data of a pending event, reduced to the fields that events may contain. Metadata is stored as JSON text. */
function allowedFields(values: PendingEvent['data'] = {}): Record<string, unknown> {
  const { app_metadata } = values;
  const read = typeof app_metadata === 'string' ? { app_metadata: JSON.parse(app_metadata) } : {};
  return Object.fromEntries(
    Object.entries({ ...values, ...read }).filter(
      ([name, value]) => names.has(name) && value !== undefined,
    ),
  );
}

/** The part of an event that comes from the item images, limited to what its type contains. */
type Views = Partial<Record<'user' | 'workspace', Record<string, unknown>>> & { user_id?: string };

function viewsOf(image: Image, type: EventType): Views {
  // After a rollback a later version's event may come, which this one does not know.
  const byType: Partial<Record<string, readonly string[]>> = eventFields;
  const named = byType[type] ?? [];
  if (image.sk === userSortKey)
    return {
      user_id: String(image['uid']),
      ...(named.includes('user') && { user: toEventUser(image) }),
    };
  return named.includes('workspace') ? { workspace: toEventWorkspace(image) } : {};
}

function formerViews(before: Views, after: Views): Views {
  const user = before.user && after.user && changedFrom(before.user, after.user);
  const workspace =
    before.workspace && after.workspace && changedFrom(before.workspace, after.workspace);
  return { ...(user && { user }), ...(workspace && { workspace }) };
}
