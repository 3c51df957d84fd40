import { randomUUID } from 'node:crypto';

/** An SES event as an EventBridge rule passes it to its target, with the fields of `detail` that the service reads. */
export type MailEvent = {
  version: '0';
  id: string;
  'detail-type': 'Email Bounced' | 'Email Complaint Received';
  source: 'aws.ses';
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: Record<string, unknown>;
};

/** The fields of an accepted mail that its events contain. */
type Accepted = {
  message_id: string;
  received_at: string;
  to: string;
  configurationSet: string;
  tags: Record<string, string>;
};

/** The feedback for the addresses of SES's mailbox simulator, which accept a label: `bounce+7@…`. */
const outcomes: Record<string, object> = {
  bounce: { eventType: 'Bounce', bounce: { bounceType: 'Permanent', bounceSubType: 'General' } },
  suppressionlist: {
    eventType: 'Bounce',
    bounce: { bounceType: 'Permanent', bounceSubType: 'Suppressed' },
  },
  ooto: { eventType: 'Bounce', bounce: { bounceType: 'Transient', bounceSubType: 'General' } },
  complaint: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' } },
};

/**
 * The event caused by a mail to an address of SES's mailbox simulator, such as bounce@simulator.amazonses.com;
 * undefined for other addresses, which are delivered.
 */
export function eventAfter(mail: Accepted): MailEvent | undefined {
  const [, name = ''] = /^([a-z]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(mail.to) ?? [];
  const outcome = outcomes[name.toLowerCase()] as Record<string, unknown> | undefined;
  if (!outcome) return undefined;
  const isBounce = outcome['eventType'] === 'Bounce';
  const part = isBounce ? 'bounce' : 'complaint';
  const recipients = isBounce ? 'bouncedRecipients' : 'complainedRecipients';
  const timestamp = new Date().toISOString();
  const tags = { 'ses:configuration-set': mail.configurationSet, ...mail.tags };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': isBounce ? 'Email Bounced' : 'Email Complaint Received',
    source: 'aws.ses',
    account: '000000000000',
    time: timestamp.replace(/\.\d+/, ''),
    region: 'local',
    resources: [`arn:aws:ses:local:000000000000:configuration-set/${mail.configurationSet}`],
    detail: {
      ...outcome,
      [part]: {
        ...(outcome[part] as object),
        feedbackId: randomUUID(),
        timestamp,
        [recipients]: [{ emailAddress: mail.to }],
      },
      mail: {
        timestamp: mail.received_at,
        messageId: mail.message_id,
        destination: [mail.to],
        tags: Object.fromEntries(Object.entries(tags).map(([tag, value]) => [tag, [value]])),
      },
    },
  };
}
