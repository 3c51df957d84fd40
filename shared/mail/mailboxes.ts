import { getItem } from '../db/batch-loader.ts';
import { update, type Write } from '../db/change.ts';
import { absent, attributesUnchanged, type Condition, exists, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { type HasPendingEvents, withEvents } from '../db/outbox.ts';
import { currentRequest } from '../db/request-context.ts';
import { retryWhileStale } from '../db/retry-stale.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';
import type { EventDraft } from '../model/events.ts';
import { sha256 } from '../model/ids.ts';

/** Feedback from an address of a project; the item exists only after the first feedback. */
export type MailboxItem = Item &
  HasPendingEvents & {
    project_id: string;
    /** Since when no mail is sent to it, and why. */
    stopped_at?: string;
    stopped_because?: StopReason;
    /**
     * When the backend last lifted a stop by confirming the address; feedback about older mails no longer stops mail.
     */
    allowed_at?: string;
    /** Ids of recent feedback, to recognise duplicates. */
    recent: string[];
  };

type StopReason = 'bounced' | 'complained';

/** A bounce or complaint as delivered by the mail service: at least once, in any order. */
export type Feedback = {
  project_id: string;
  /** Recipient of the mail. */
  email: string;
  /** The mail service's id of the feedback. */
  id: string;
  /** When the mail was sent. */
  sent_at: string;
  event: EventDraft;
  /** Why mail to the address stops; undefined for temporary problems. */
  stops: StopReason | undefined;
};

/**
 * How many ids of feedback of one address are remembered. Duplicates arrive within a day, in which an address gets
 * fewer mails than this.
 */
const dedupeWindow = 40;

/** Feedback of an address; undefined if there was none. */
export const getMailbox = (project_id: string, email: string): Promise<MailboxItem | undefined> =>
  getItem<MailboxItem>(keys.mailbox(project_id, email));

/** Whether mail to an address has been stopped. */
export async function isStopped(project_id: string, email: string): Promise<boolean> {
  return (await getMailbox(project_id, email))?.stopped_at !== undefined;
}

/** Records feedback on its address and emits an event, exactly once for each feedback, in any order. */
export async function recordFeedback(feedback: Feedback): Promise<void> {
  const { project_id, email, event, stops, sent_at } = feedback;
  const { now } = currentRequest();
  const id = sha256(feedback.id).slice(0, 12);
  await retryWhileStale(async () => {
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
    await updateItem(
      keys.mailbox(project_id, email),
      withEvents(changes, event),
      mailboxUnchanged(mailbox),
    );
  });
}

/**
 * Removes the recorded events of an address from its item. They name the address and its user, and the item stays when
 * the user is deleted. An event that has been added since the item was read stays until it is recorded too.
 */
export async function removeRecordedEvents({ pk, sk, event_count }: MailboxItem): Promise<void> {
  const recorded = where('attribute_exists(#events) AND #event_count = :recorded', {
    recorded: event_count,
  });
  await ifConditionHolds(updateItem({ pk, sk }, { remove: ['events'] }, recorded));
}

/** Requires that no further feedback arrived and the backend has not confirmed the address meanwhile. */
function mailboxUnchanged(mailbox: MailboxItem | undefined): Condition {
  if (!mailbox) return absent;
  return attributesUnchanged(mailbox, ['event_count', 'allowed_at']);
}

/**
 * The write that resumes mail to an address that the backend confirms. None if mail was not stopped, so that repeating
 * it is free: feedback about an earlier mail that is still under way then stops mail, until the backend confirms again.
 */
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
  return { mailbox: update({ pk, sk }, changes, exists) };
}
