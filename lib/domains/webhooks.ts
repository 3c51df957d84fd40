import type { Domain } from '../domain.ts';

/** Webhooks of a project, and the delivery of events to them. */
export const webhooks = {
  endpoints: {
    'webhooks.create': { put: ['webhooks'], update: ['webhooks'], secrets: { webhook: 'read' } },
    'webhooks.list': { query: ['webhooks'] },
    'webhooks.get': { get: ['webhooks'] },
    'webhooks.update': { get: ['webhooks'], update: ['webhooks'] },
    'webhooks.delete': { get: ['webhooks'], update: ['webhooks'], delete: ['webhooks'] },
    'webhooks.rotateSecret': {
      get: ['webhooks'],
      update: ['webhooks'],
      secrets: { webhook: 'read' },
    },
    'webhooks.listAttempts': { get: ['webhooks'], query: ['attempts'] },
    'webhooks.redeliver': {
      get: ['webhooks', 'feeds'],
      query: ['feeds'],
      update: ['rates', 'webhooks', 'deliveries'],
      schedule: true,
    },
  },
  jobs: {
    // Waits up to 15 s for each of two attempts to reach a receiver that is not yet failing, and redelivers until its time ends.
    'webhooks.deliver': {
      grant: {
        get: ['webhooks', 'deliveries', 'feeds'],
        query: ['webhooks', 'feeds'],
        put: ['deliveries', 'attempts'],
        update: ['webhooks', 'deliveries'],
        secrets: { webhook: 'read' },
        schedule: true,
      },
      memory: 512,
      timeout: 120,
      sources: ['events', 'schedules'],
      knowsBaseUrl: true,
      limitedBy: 'webhookConcurrency',
    },
  },
} as const satisfies Domain;
