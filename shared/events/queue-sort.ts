import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { LinkPurpose } from '../access/projects.ts';
import { mailSortKey, prefixes } from '../db/key-prefixes.ts';
import type { Key } from '../db/keys.ts';
import type { MailKind } from '../mail/mails.ts';
import { escapedJson } from '../model/json-object.ts';
import { pack } from '../model/pack.ts';
import { isInconsequential } from './inconsequential.ts';
import { isOfSession, renewalOf } from './renewals.ts';

/** `changes`: records that need processing. `mails`: mails to send. */
export type QueueName = 'changes' | 'mails';

/** Stream records of one project, in order, for the functions behind the queues. */
export type Message = {
  queue: QueueName;
  /** Messages of one group are processed in sequence, groups in parallel. */
  group: string;
  /** Equal for equal records, so that SQS drops a message that is sent twice. */
  deduplication: string;
  body: string;
};

/** Limits of one message. A record larger than `bytes` gets a message of its own. */
const maxRecords = { elements: 25, bytes: 200_000 };
/** What SQS takes. */
const maxBytes = 1_000_000;

/** The mails that somebody asked for a moment ago and waits for. */
const awaited: ReadonlySet<MailKind> = new Set(
  Object.keys({
    sign_in_code: true,
    sign_in_link: true,
    sign_up: true,
    reset_password: true,
    verify_email: true,
    change_email: true,
  } satisfies Record<LinkPurpose | 'sign_in_code', true>) as MailKind[],
);

/**
 * Groups that share the mails of one project, and are sent in parallel. Mails need no order. One lane takes some four
 * messages a second, for SES takes 200 to 300 ms, and most messages have one or two mails. All projects share 20
 * invocations (lib/domains/mail.ts).
 *
 * A backend may invite 10,000 people at once: one lane takes up to 42 minutes for their mails, two take 21. Two leave
 * codes room in the 14 mails a second that SES usually gives an account, and take half of the invocations where five
 * projects do so at once.
 *
 * A notice may wait for days where it cannot be sent, as an invitation may: no code waits behind either.
 */
const mailLanes = { awaited: 4, invitations: 2, notices: 2 };

/** Groups that share the long work of one project: few, so that no project takes the concurrency of all. */
const longWorkLanes = 4;

/**
 * Groups stream records by project, so that no project waits for another.
 *
 * @param onTooLarge called with a record that fits into no message and is skipped
 */
export function sortByProject(
  records: readonly DynamoDBRecord[],
  onTooLarge: (record: DynamoDBRecord) => void,
): Message[] {
  const messages: Message[] = [];
  // No filter of the stream can compare the two images of a record.
  const relevantRecords = records.filter((record) =>
    isOfSession(record) ? renewalOf(record) : !isInconsequential(record),
  );
  const lanes = Map.groupBy(relevantRecords, (record) => JSON.stringify(laneOf(record)));
  for (const [lane, ofLane] of lanes) {
    const { queue, group } = JSON.parse(lane) as ReturnType<typeof laneOf>;
    for (const some of packed(ofLane, onTooLarge)) {
      const [first, last] = [some.at(0), some.at(-1)].map((each) => each && idOf(each.record));
      const body = `[${some.map(({ text }) => text).join(',')}]`;
      messages.push({ queue, group, deduplication: `${first}-${last}`, body });
    }
  }
  return messages;
}

/**
 * The message by which the long work that follows from a record goes on in a group of its own, so that the project does
 * not wait for it. All work on one partition is in one group, hence never done twice at once.
 */
export function continuationOf(record: DynamoDBRecord): Message {
  const lane = laneNumber(recordKey(record).pk, longWorkLanes);
  return {
    queue: 'changes',
    group: `${projectOf(record)}#${lane}`,
    deduplication: idOf(record),
    body: toBody([record]),
  };
}

/** Whether the messages of a group are continuations. The id of a project contains no `#`. */
export const isContinuation = (group: string): boolean => group.includes('#');

/** The two characters that JSON has and no message may have: a name with one would stop the whole stream. */
const unsendable = /[\ufffe\uffff]/g;

const toBody = (value: object): string => escapedJson(value, unsendable);

/** The records in a message. */
export const recordsOf = (body: string): DynamoDBRecord[] => JSON.parse(body) as DynamoDBRecord[];

const imageOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.NewImage ?? dynamodb?.OldImage;
const projectOf = (record: DynamoDBRecord): string => imageOf(record)?.['project_id']?.S ?? '-';
/** The key of the item that changed. */
export function recordKey(record: DynamoDBRecord): Key {
  const { pk, sk } = record.dynamodb?.Keys ?? imageOf(record) ?? {};
  return { pk: pk?.S ?? '', sk: sk?.S ?? '' };
}

function laneOf(record: DynamoDBRecord): Pick<Message, 'queue' | 'group'> {
  const project = projectOf(record);
  const { sk } = recordKey(record);
  // A changed profile or a deleted workspace may make one for each membership. None carries an event, and what follows
  // from them concerns the member alone. All are in one group, because search terms come and go by the order of changes.
  if (sk.startsWith(prefixes.accepted)) return { queue: 'changes', group: `${project}.members` };
  if (sk !== mailSortKey) return { queue: 'changes', group: project };
  return { queue: 'mails', group: `${project}.${mailLaneOf(record)}` };
}

/** Somebody waits for a code or a link, so nothing that comes in large numbers is in a lane with them. */
function mailLaneOf(record: DynamoDBRecord): string {
  const kind = imageOf(record)?.['kind']?.S as MailKind | undefined;
  // There may be one for each member of a large workspace.
  if (kind === 'second_factor_required') return 'members';
  if (kind === 'workspace_invitation')
    return `invitations.${laneNumber(idOf(record), mailLanes.invitations)}`;
  if (kind !== undefined && awaited.has(kind))
    return `${laneNumber(idOf(record), mailLanes.awaited)}`;
  // Also a kind that only a later release knows, which is retried for minutes.
  return `notices.${laneNumber(idOf(record), mailLanes.notices)}`;
}

/** One of so many lanes, by the last digits of an id. */
const laneNumber = (id: string, lanes: number): number => parseInt(id.slice(-4), 16) % lanes || 0;

const idOf = ({ eventID, dynamodb }: DynamoDBRecord): string =>
  eventID ?? dynamodb?.SequenceNumber ?? '';

/** Packs as many records into each message as fit. */
function packed(records: readonly DynamoDBRecord[], onTooLarge: (record: DynamoDBRecord) => void) {
  const texts = records.flatMap((record) => {
    const text = toBody(stripped(record));
    // With the comma after it.
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes <= maxBytes) return { record, text, bytes };
    onTooLarge(record);
    return [];
  });
  return pack(texts, maxRecords, ({ bytes }) => bytes);
}

/**
 * The parts of a record that the functions behind the queues need. Earlier pending events are removed; their count
 * stays.
 */
function stripped({ eventID, eventName, userIdentity, dynamodb }: DynamoDBRecord): object {
  const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb ?? {};
  const before: Record<string, AttributeValue> = { ...OldImage };
  delete before['events'];
  return {
    eventID,
    eventName,
    userIdentity,
    dynamodb: { Keys, SequenceNumber, NewImage, ...(OldImage && { OldImage: before }) },
  };
}
