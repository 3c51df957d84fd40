import * as z from 'zod';

/** What came back of a mail. */
export type Returned = {
  /** The mail service's own name of it. */
  id: string;
  project_id: string;
  mail_kind: string;
  /** Where the mail went, and when it was sent. */
  email: string;
  sent_at: string;
} & ({ type: 'bounced'; bounce_type: BounceType } | { type: 'complained' });

type BounceType = 'permanent' | 'transient' | 'undetermined';

const one = z.tuple([z.string()]);
/** Of an event of SES what the service reads. The tags are those that the mail was sent with. */
const event = z.object({
  detail: z.object({
    mail: z.object({
      timestamp: z.iso.datetime(),
      // A mail of ours goes to one address; the recipients that a complaint names are a guess.
      destination: one,
      tags: z.object({ project_id: one, mail_kind: one }),
    }),
    bounce: z.object({ feedbackId: z.string(), bounceType: z.string() }).optional(),
    complaint: z
      .object({ feedbackId: z.string(), complaintFeedbackType: z.string().nullish() })
      .optional(),
  }),
});

/** Only the first is for good: a full mailbox, or a note that somebody is out of office, passes. */
const bounceTypes: Record<string, BounceType> = { Permanent: 'permanent', Transient: 'transient' };

/** What an event of SES says of a mail; undefined where it is no bounce or complaint. Throws where it does not fit. */
export function readFeedback(given: unknown): Returned | undefined {
  const { mail, bounce, complaint } = event.parse(given).detail;
  const [email] = mail.destination;
  const [project_id] = mail.tags.project_id;
  const [mail_kind] = mail.tags.mail_kind;
  const about = { project_id, mail_kind, email, sent_at: mail.timestamp };
  if (bounce) {
    const bounce_type = bounceTypes[bounce.bounceType] ?? 'undetermined';
    return { ...about, id: bounce.feedbackId, type: 'bounced', bounce_type };
  }
  // Some providers also tell that a mail was taken out of the spam folder.
  if (!complaint || complaint.complaintFeedbackType === 'not-spam') return undefined;
  return { ...about, id: complaint.feedbackId, type: 'complained' };
}
