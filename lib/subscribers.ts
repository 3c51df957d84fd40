import type { Pattern } from './feeds.ts';
import type { FunctionName } from '../shared/contract/functions.ts';

/** The functions that every event on the bus invokes, with EventBridge's envelope around it. */
export const subscribers = ['webhooks.deliver'] as const satisfies readonly FunctionName[];

/** Which events of SES invoke `mail.recordFeedback`: what comes back of mails that this deployment has sent. */
export const feedbackPattern = (configurationSet: string) =>
  ({
    source: ['aws.ses'],
    'detail-type': ['Email Bounced', 'Email Complaint Received'],
    detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
  }) satisfies Pattern;
