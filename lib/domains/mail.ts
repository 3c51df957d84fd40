import { lifetimes } from '../../shared/model/limits.ts';
import type { Domain, Pattern, QueueSource } from '../domain.ts';

/** One message at a time, so that no mail waits for another. */
export const mailsQueue = {
  queue: 'mails',
  batchSize: 1,
  visibility: 90,
  // As long as any mail is worth sending, so that SES may fail for days: mail.send drops what has become too old and
  // notes it (shared/identity/sign-in/mail-worth.ts), and a mail whose item is gone cannot be sent. SQS keeps messages
  // for 14 days at most.
  retention: lifetimes.mail,
  concurrency: 20,
} satisfies QueueSource;

/** The SES events that invoke `mail.recordFeedback`: bounces and complaints of mails of this deployment. */
export const feedbackPattern = (configurationSet: string) =>
  ({
    source: ['aws.ses'],
    'detail-type': ['Email Bounced', 'Email Complaint Received'],
    detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
  }) satisfies Pattern;

/** Sending mails, and their bounces and complaints. */
export const mail = {
  endpoints: {},
  jobs: {
    // Waits for the mail service, which is slow at times.
    'mail.send': {
      grant: {
        get: ['projects', 'users', 'emails', 'mailboxes', 'workspaces'],
        update: ['mails', 'rates'],
        secrets: { mail: 'read' },
        sendMail: true,
      },
      memory: 512,
      timeout: 60,
      sources: [mailsQueue],
      // For links to the pages of the service.
      knowsBaseUrl: true,
      // A mail that fails for minutes fails the invocation (shared/events/queue-take.ts), and one that is lost because
      // of the sender or the account does so once (shared/mail/lost.ts).
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
