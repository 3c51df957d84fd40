import * as z from 'zod';

/** A bounce or complaint about a mail. */
export type Returned = {
  /** The mail service's id of the feedback. */
  id: string;
  project_id: string;
  mail_kind: string;
  /** Recipient of the mail, and when it was sent. */
  email: string;
  sent_at: string;
} & ({ type: 'bounced'; bounce_type: BounceType } | { type: 'complained' });

type BounceType = 'permanent' | 'transient' | 'undetermined';

const one = z.tuple([z.string()]);
/** The fields of an SES event that the service reads. The tags are those set when the mail was sent. */
const event = z.object({
  detail: z.object({
    mail: z.object({
      timestamp: z.iso.datetime(),
      // Each mail has exactly one recipient; the recipients that a complaint names are a guess.
      destination: one,
      tags: z.object({ project_id: one, mail_kind: one }),
    }),
    bounce: z.object({ feedbackId: z.string(), bounceType: z.string() }).optional(),
    complaint: z
      .object({ feedbackId: z.string(), complaintFeedbackType: z.string().nullish() })
      .optional(),
  }),
});

/** Only `Permanent` is final: a full mailbox or an out-of-office reply is temporary. */
const bounceTypes: Record<string, BounceType> = { Permanent: 'permanent', Transient: 'transient' };

/** Reads an SES event; undefined unless it is a bounce or complaint. Throws if it does not match the schema. */
export function readFeedback(message: unknown): Returned | undefined {
  const { mail, bounce, complaint } = event.parse(message).detail;
  const [email] = mail.destination;
  const [project_id] = mail.tags.project_id;
  const [mail_kind] = mail.tags.mail_kind;
  const about = { project_id, mail_kind, email, sent_at: mail.timestamp };
  if (bounce) {
    const bounce_type = bounceTypes[bounce.bounceType] ?? 'undetermined';
    return { ...about, id: bounce.feedbackId, type: 'bounced', bounce_type };
  }
  // Some providers also report that a mail was moved out of the spam folder.
  if (!complaint || complaint.complaintFeedbackType === 'not-spam') return undefined;
  return { ...about, id: complaint.feedbackId, type: 'complained' };
}
