import { getItem } from '../db/batch-loader.ts';
import { and, type Condition, ConditionFailed, update, type Write, where } from '../db/change.ts';
import { pause } from '../db/client.ts';
import type { Item } from '../db/item.ts';
import { type HasPendingEvents, withEvents } from '../db/outbox.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { updateItem } from '../db/transaction.ts';
import type { EventDraft } from '../model/events.ts';
import { sha256 } from '../model/ids.ts';

/** What came back from an address of a project; there is no such item before something has. */
export type MailboxItem = Item &
  HasPendingEvents & {
    project_id: string;
    /** Since when nothing is mailed there, and why. */
    stopped_at?: string;
    stopped_because?: StopReason;
    /** When the back end vouched for the address last: what comes back of older mails stops nothing any more. */
    allowed_at?: string;
    /** By which the last feedback is known again. */
    recent: string[];
  };

type StopReason = 'bounced' | 'complained';

/** One bounce or complaint, as the mail service tells it: at least once, in any order. */
export type Feedback = {
  project_id: string;
  /** Where the mail went. */
  email: string;
  /** The mail service's own name of it. */
  id: string;
  /** When the mail was sent. */
  sent_at: string;
  fact: EventDraft;
  /** Why nothing more is to be mailed there; undefined for what may pass. */
  stops: StopReason | undefined;
};

/** How much feedback of one address is remembered. What comes twice does so within a day, in which it gets fewer mails. */
const dedupeWindow = 40;

/** What is noted of an address; undefined where nothing ever came back. */
export const getMailbox = (project_id: string, email: string): Promise<MailboxItem | undefined> =>
  getItem<MailboxItem>(keys.mailbox(project_id, email));

/** Whether mail to an address has been stopped. */
export async function isStopped(project_id: string, email: string): Promise<boolean> {
  return (await getMailbox(project_id, email))?.stopped_at !== undefined;
}

/** Notes feedback on its address and tells it as an event, once however often and in which order it comes. */
export async function recordFeedback(feedback: Feedback): Promise<void> {
  const { project_id, email, fact, stops, sent_at } = feedback;
  const { now, deadline, signal } = currentRequest();
  const id = sha256(feedback.id).slice(0, 12);
  for (let attempt = 0; ; attempt += 1) {
    const mailbox = await getMailbox(project_id, email);
    const { recent = [], allowed_at = '', stopped_at = now.toISOString() } = mailbox ?? {};
    if (recent.includes(id)) return;
    const stopping = stops && sent_at > allowed_at;
    const changes = {
      set: {
        project_id,
        recent: [...recent, id].slice(-dedupeWindow),
        ...(stopping && { stopped_at, stopped_because: stops }),
      },
    };
    try {
      await updateItem(
        keys.mailbox(project_id, email),
        withEvents(changes, fact),
        unchanged(mailbox),
      );
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await pause(attempt, deadline, signal, error);
    }
  }
}

/** Holds while nothing more came back, and the back end has not vouched for the address. */
function unchanged(mailbox: MailboxItem | undefined): Condition {
  if (!mailbox) return where('attribute_not_exists(#pk)');
  const { event_count, allowed_at } = mailbox;
  return and(
    where('#event_count = :seen_count', { seen_count: event_count }),
    allowed_at === undefined
      ? where('attribute_not_exists(#allowed_at)')
      : where('#allowed_at = :seen_at', { seen_at: allowed_at }),
  );
}

/** The write by which mail goes again to an address that the back end vouches for; none where it never stopped. */
export async function allowMailAgain(
  project_id: string,
  email: string,
  now: Date,
): Promise<Record<string, Write>> {
  const mailbox = await getMailbox(project_id, email);
  if (mailbox?.stopped_at === undefined) return {};
  const changes = {
    set: { allowed_at: now.toISOString() },
    remove: ['stopped_at', 'stopped_because'],
  };
  const { pk, sk } = mailbox;
  return { mailbox: update({ pk, sk }, changes, where('attribute_exists(#pk)')) };
}
