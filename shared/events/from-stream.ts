import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Item, toItem } from '../db/item.ts';
import type { HasPendingEvents } from '../db/outbox.ts';
import { keys, mailboxSortKey } from '../db/schema.ts';
import { type Event, type EventType, eventFields, type PendingEvent } from '../model/events.ts';
import { changedFrom, toEventUser, toEventWorkspace } from './views.ts';

/** One event that a change of the table tells. */
export type StreamedEvent = {
  /** The partition of the item that told it, in whose log it belongs. */
  partition: string;
  /** How many the item had told with it. */
  count: number;
  event: Event;
  /** Whether the item is deleted by now: so is its log, in time. */
  deleted: boolean;
};

/** The sort keys of the items that tell. */
const sortKeysWithEvents = new Set([keys.user('').sk, keys.workspace('').sk, mailboxSortKey]);

type Image = Item & HasPendingEvents & { project_id: string };

/** The events that a stream record brings: those that its write told, numbered as the item counts them. */
export function eventsIn({ dynamodb }: DynamoDBRecord): StreamedEvent[] {
  if (!dynamodb?.NewImage) return [];
  const after = imageOf(dynamodb.NewImage);
  const before = dynamodb.OldImage && imageOf(dynamodb.OldImage);
  if (!sortKeysWithEvents.has(after.sk)) return [];
  const { events = [], event_count = 0 } = after;
  // A write that tells nothing leaves what the last one told.
  if (event_count <= (before?.event_count ?? 0)) return [];
  return events.map((fact, i) => ({
    partition: after.pk,
    count: event_count - events.length + 1 + i,
    event: toEvent(fact, before, after),
    deleted: after['deleted_at'] !== undefined,
  }));
}

function imageOf(image: NonNullable<DynamoDBRecord['dynamodb']>['NewImage']): Image {
  return toItem(image as Record<string, AttributeValue>) as Image;
}

function toEvent(fact: PendingEvent, before: Image | undefined, after: Image): Event {
  const { id, type, time, actor } = fact;
  const shown = viewsOf(after, type);
  const previous = {
    ...(before && formerViews(viewsOf(before, type), shown)),
    ...known(fact.previous),
  };
  return {
    id,
    type,
    time,
    project_id: after.project_id,
    ...(after.sk === keys.workspace('').sk && { workspace_id: String(after['workspace_id']) }),
    actor: { kind: actor.kind, id: actor.id },
    data: { ...shown, ...known(fact.data) },
    ...(Object.keys(previous).length > 0 && { previous }),
  };
}

const names: ReadonlySet<string> = new Set(Object.values(eventFields).flat());

/** Of what a write told only what events may name. */
function known(told: PendingEvent['data'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(told).filter(([name, value]) => names.has(name) && value !== undefined),
  );
}

/** What the images alone tell, as far as events of this type name it. */
type Views = Partial<Record<'user' | 'workspace', Record<string, unknown>>> & { user_id?: string };

function viewsOf(image: Image, type: EventType): Views {
  const named: readonly string[] = eventFields[type];
  if (image.sk === keys.user('').sk)
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
