import * as z from 'zod';
import { type EventField, type EventType, eventFields, eventTypes } from '../model/events.ts';
import { projectId, role, sessionId, timestamp, uid, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { metadata } from '../model/metadata.ts';
import { permission } from '../model/permission.ts';
import { group, pageLimit } from './route.ts';

const text = z.string();

/** A user in an event; unset fields are absent. */
const eventUser = z.object({
  uid,
  email: text,
  verified: z.object({ email: z.boolean(), sms: z.boolean().optional() }),
  display_name: text,
  preferred_username: text,
  name: z.object({ given_name: text, family_name: text, formatted: text }).partial(),
  profile_url: text,
  thumbnail_url: text,
  current_location: text,
  agreed_tos_at: text,
  agreed_sign_up_at: text,
  disabled: z.boolean(),
  external_id: text,
  created_at: text,
  modified_at: text,
});
export type EventUser = z.output<typeof eventUser>;

/** A workspace in an event. */
const eventWorkspace = z.object({
  workspace_id: workspaceId,
  name: text,
  logo_url: text,
  description: text,
  owner_id: uid,
  domains: z.array(z.object({ domain: text, mode: text })),
  created_at: text,
  modified_at: text,
  external_id: text,
  mfa_required_at: text,
  deleted_at: text,
});
export type EventWorkspace = z.output<typeof eventWorkspace>;

const fields = {
  user_id: uid,
  user: eventUser.partial().meta({ id: 'EventUser' }),
  workspace: eventWorkspace.partial().meta({ id: 'EventWorkspace' }),
  fields: z.array(text).meta({ description: 'Fields that were set, as in the request.' }),
  app_metadata: metadata.meta({ description: 'The new value; empty if it was cleared.' }),
  passkey_id: text.meta({ description: 'Id of the passkey.' }),
  provider: text.meta({ description: 'The identity provider.' }),
  count: z.int().meta({ description: 'Number of sessions ended.' }),
  session_id: sessionId,
  method: text.meta({ description: 'How the session was started.' }),
  impersonator: text.meta({ description: 'The person who acts as the user in the session.' }),
  reason: text.meta({ description: 'The reason why this person acts as the user.' }),
  email: text.meta({ description: 'The address that the mail went to.' }),
  bounce_type: z
    .enum(['permanent', 'transient', 'undetermined'])
    .meta({ description: 'permanent: the service sends no more mail to the address.' }),
  mail_kind: text.meta({ description: 'The purpose of the mail, such as sign_up.' }),
  domain: text,
  member_id: text.meta({ description: 'Id of the membership or invitation.' }),
  owner_id: uid,
  role,
  permission,
  description: text.nullable().meta({ description: 'Of the permission.' }),
  permissions: z
    .array(permission)
    .meta({ description: 'The permissions that the role holds itself.' }),
  inherits: z.array(role).meta({ description: 'Roles whose permissions the role also has.' }),
  via: text.meta({ description: 'How the user joined.' }),
  link_id: text.meta({ description: 'Id of the join link.' }),
  key_id: text.meta({ description: 'Id of the API key.' }),
} satisfies Record<EventField, z.ZodType>;

/** Previous values of changed fields; null if unset before. */
const former = {
  ...fields,
  user: orNull(eventUser).meta({ id: 'FormerEventUser' }),
  workspace: orNull(eventWorkspace).meta({ id: 'FormerEventWorkspace' }),
};

function orNull<S extends z.ZodRawShape>(schema: z.ZodObject<S>) {
  const shape = Object.entries(schema.shape).map(([name, part]) => [
    name,
    (part as z.ZodType).nullable().optional(),
  ]);
  return z.object(
    Object.fromEntries(shape) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> },
  );
}

const actor = z
  .object({
    kind: z.enum(['user', 'key', 'api_key', 'service']),
    id: text,
    impersonator: text.optional().meta({ description: 'The person who acted as the user.' }),
    user_id: uid.optional().meta({ description: 'The user whose API key was used.' }),
    workspace_id: workspaceId.optional().meta({
      description: 'The workspace whose API key was used.',
    }),
  })
  .meta({
    id: 'EventActor',
    description:
      "The caller: a user (by uid), the project's backend (by the id of the secret that it used), an API key (by its id) or the service itself.",
  });

const envelope = {
  id: text.meta({
    description: 'The same in every copy of the event: feed, audit log, bus and webhooks.',
    example: 'evt-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06',
  }),
  type: z.enum(Object.keys(eventTypes) as [EventType, ...EventType[]]),
  time: timestamp.meta({ description: 'When it happened.' }),
  project_id: projectId,
  workspace_id: workspaceId.optional(),
  actor,
};

/** An event of any type; `data` and `previous` contain only the fields of its type. */
export const event = z
  .object({
    ...envelope,
    data: z.object(fields).partial(),
    previous: z.object(former).partial().optional(),
  })
  .meta({ id: 'Event' });
export type EventView = z.output<typeof event>;

/** The schema of an event of one type, with the fields of that type. */
export function eventOf(type: EventType) {
  const names: readonly EventField[] = eventFields[type];
  const mask = Object.fromEntries(names.map((name) => [name, true])) as Record<EventField, true>;
  return z.object({
    ...envelope,
    type: z.literal(type),
    data: z.object(fields).pick(mask).partial(),
    previous: z.object(former).pick(mask).partial().optional(),
  });
}

const entry = z
  .object({
    number: z.int().meta({ description: 'Sequence number of the event in the workspace, from 1.' }),
    event,
    previous_hash: text.meta({ description: 'Hash of the previous entry; empty in the first.' }),
    hash: text.meta({
      description:
        'SHA-256, base64url, of the canonical JSON (RFC 8785) of number, event and previous_hash.',
    }),
  })
  .meta({ id: 'LogEntry' });
export type LogEntryView = z.output<typeof entry>;

const after = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'Invalid cursor; use the one in next_cursor')
  .optional()
  .meta({
    description:
      'The next_cursor of the previous page. Omitted or 0: starts at the oldest event that is kept.',
    maxLength: 15,
    example: '0',
  });
const query = z.strictObject({
  after,
  limit: pageLimit(limits.page.max),
});

const page = <T extends z.ZodType>(element: T) =>
  z.object({
    count: z.int().meta({ description: 'Number of events in this page.' }),
    result: z.array(element),
    next_cursor: z
      .string()
      .meta({ description: 'Where to continue, now or later; always present.' }),
    more: z.boolean().meta({ description: 'Whether there are more events already.' }),
    expired: z.int().optional().meta({
      description:
        'Present if events after the cursor are no longer kept: their number. The page continues with the oldest event that is kept, or at the end if no event is kept.',
    }),
  });

export const events = group('events', {
  list: {
    method: 'GET',
    path: '/events',
    summary: 'The feed: every event of the project, oldest first, for 90 days.',
    auth: ['project'],
    query,
    response: page(event),
  },
  listOfWorkspace: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/events',
    summary:
      'The audit log of a workspace: its events, oldest first, each chained to the previous one.',
    auth: ['project', 'access'],
    params: z.strictObject({ workspace_id: workspaceId }),
    query,
    response: page(entry),
    errors: ['not_found', 'forbidden'],
  },
});
