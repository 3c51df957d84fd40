import type { Domain, Pattern, QueueSource } from '../domain.ts';

/** One message at a time, so that no mail waits for another. */
export const mailsQueue = {
  queue: 'mails',
  visibility: 90,
  // A person who waits for a mail of an hour ago has asked for another.
  retention: 3_600,
  concurrency: 20,
} satisfies QueueSource;

/** The events of SES that invoke `mail.recordFeedback`: bounces and complaints of mails that this deployment sent. */
export const feedbackPattern = (configurationSet: string) =>
  ({
    source: ['aws.ses'],
    'detail-type': ['Email Bounced', 'Email Complaint Received'],
    detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
  }) satisfies Pattern;

/** Mails that are sent, and those that come back. */
export const mail = {
  endpoints: {},
  jobs: {
    // Waits for the mail service, which has moments.
    'mail.send': {
      grant: {
        get: ['projects', 'users', 'emails', 'mailboxes', 'workspaces'],
        update: ['mails'],
        mailSecret: 'read',
        sendMail: true,
      },
      memory: 512,
      timeout: 60,
      sources: [mailsQueue],
      // A mail that fails for minutes fails the invocation (shared/events/queue-take.ts). A mail is never sent twice, so one
      // that was being sent when the function ended may be lost.
      alarms: [
        {
          on: 'errors',
          id: 'mail.send.errors',
          description: 'mail.send timed out, crashed or failed.',
        },
      ],
    },
    'mail.recordFeedback': {
      grant: { get: ['projects', 'emails', 'mailboxes'], update: ['mailboxes'] },
      memory: 512,
      timeout: 10,
      sources: ['mail-feedback'],
    },
  },
} as const satisfies Domain;
