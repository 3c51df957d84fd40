import * as z from 'zod';
import { type CallFailure, callFailures } from '../model/call-failures.ts';
import { type EventType, eventTypes } from '../model/events.ts';
import { line, paged, timestamp } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { group, pageQuery } from './route.ts';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const webhookId = z
  .string()
  .regex(new RegExp(`^whk-${uuid}$`), 'Must be whk- and a UUID in lower case')
  .meta({
    description: 'Id of a webhook.',
    maxLength: 40,
    example: 'whk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05',
  });
const eventId = z
  .string()
  .regex(new RegExp(`^evt-${uuid}$`), 'Must be evt- and a UUID in lower case')
  .meta({
    description: 'Id of an event.',
    maxLength: 40,
    example: 'evt-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06',
  });
export const eventType = z.enum(Object.keys(eventTypes) as [EventType, ...EventType[]]);

const settings = {
  url: z
    .string()
    .max(limits.url)
    .regex(/^https?:\/\/[\w.~:/?[\]@!$&'()*+,;=%-]+$/, 'Must be an https URL')
    .meta({
      format: 'uri',
      description:
        'The receiver: https, a public host, port 443 or from 1024. In development also http to localhost.',
      example: 'https://example.com/webhooks',
    }),
  event_types: z
    .array(eventType)
    .max(Object.keys(eventTypes).length)
    .refine((types) => new Set(types).size === types.length, 'Must not contain duplicate types')
    .meta({
      description: 'Send only events of these types; empty: every event.',
      uniqueItems: true,
      // Some generators write no valid code for a set of unnamed values.
      override: { items: { $ref: '#/components/schemas/EventType' } },
    }),
  description: line(limits.description),
};

const webhook = z
  .object({
    webhook_id: webhookId,
    url: z.string(),
    event_types: z.array(eventType).meta({ description: 'Empty: every type.' }),
    description: z.string(),
    disabled: z.boolean().meta({ description: 'True: nothing is sent.' }),
    disabled_at: timestamp.optional(),
    disabled_because: z.enum(['request', 'gone', 'failing']).optional().meta({
      description:
        'The backend disabled it; the receiver answered 410; or every attempt failed for five days.',
    }),
    failing_since: timestamp.optional().meta({
      description:
        'When the current run of failures began; absent after a success, and after an update with another `url` or `disabled: false`.',
    }),
    created_at: timestamp,
    modified_at: timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof webhook>;

const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({
      description: 'The key that verifies signatures (Standard Webhooks). It is shown only once.',
    }),
  })
  .meta({ id: 'WebhookWithSecret' });

const attempt = z
  .object({
    event_id: eventId,
    type: eventType,
    attempt: z
      .int()
      .meta({ description: 'The number of the attempt, from 1; a redelivery starts at 1 again.' }),
    attempted_at: timestamp,
    status_code: z.int().optional().meta({ description: 'Any 2xx is a success.' }),
    failure: z
      .enum(Object.keys(callFailures) as [CallFailure, ...CallFailure[]])
      .optional()
      .meta({
        description: `Why there was no answer. ${Object.entries(callFailures)
          .map(([name, meaning]) => `${name}: ${meaning}`)
          .join(' ')}`,
      }),
    next_attempt_at: timestamp.optional(),
  })
  .meta({ id: 'WebhookAttempt' });
export type WebhookAttempt = z.output<typeof attempt>;

const params = z.strictObject({ webhook_id: webhookId });

export const webhooks = group('webhooks', {
  create: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook: events of the project are sent to its URL.',
    auth: ['project'],
    body: z.strictObject({
      url: settings.url,
      event_types: settings.event_types.optional(),
      description: settings.description.optional(),
    }),
    response: webhookWithSecret,
    statuses: [201],
    created: '/webhooks/{webhook_id}',
    errors: ['webhook_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/webhooks',
    summary: `The webhooks of the project, oldest first; at most ${limits.webhooksPerProject}.`,
    auth: ['project'],
    response: paged(webhook),
  },
  get: {
    method: 'GET',
    path: '/webhooks/{webhook_id}',
    summary: 'Get a webhook.',
    auth: ['project'],
    params,
    response: webhook,
    etag: true,
    errors: ['not_found'],
  },
  update: {
    method: 'PUT',
    path: '/webhooks/{webhook_id}',
    summary: 'Change, disable or enable a webhook.',
    auth: ['project'],
    params,
    body: z.strictObject({
      url: settings.url.optional(),
      event_types: settings.event_types.optional(),
      description: settings.description.optional(),
      disabled: z.boolean().optional(),
    }),
    response: webhook,
    etag: true,
    ifMatch: webhook,
    errors: ['not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    summary: 'Delete a webhook; no more events are sent to it.',
    auth: ['project'],
    params,
    response: webhook,
    ifMatch: webhook,
    errors: ['not_found'],
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhooks/{webhook_id}/secret',
    summary: 'Create a new secret; the previous one also signs for one more day.',
    auth: ['project'],
    params,
    response: webhookWithSecret,
    statuses: [201],
    errors: ['not_found'],
  },
  listAttempts: {
    method: 'GET',
    path: '/webhooks/{webhook_id}/attempts',
    summary: 'The delivery attempts of the last 30 days and their results, newest first.',
    auth: ['project'],
    params,
    query: z.strictObject({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
    response: z.object({ count: z.int(), result: z.array(attempt) }),
    errors: ['not_found'],
  },
  redeliver: {
    method: 'POST',
    path: '/webhooks/{webhook_id}/redeliver',
    summary:
      'Redeliver one event, or every event of a time range; one range at a time for each webhook.',
    auth: ['project'],
    params,
    body: z
      .strictObject({
        event_id: eventId.optional(),
        since: timestamp.optional(),
        until: timestamp.optional(),
      })
      .refine(
        ({ event_id, since, until }) =>
          event_id === undefined
            ? since !== undefined && until !== undefined && since <= until
            : since === undefined && until === undefined,
        'Must have event_id, or since and a later until',
      ),
    response: webhook,
    statuses: [202],
    errors: ['not_found', 'webhook_disabled', 'redelivery_in_progress'],
  },
});
