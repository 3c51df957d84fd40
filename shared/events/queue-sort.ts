import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { mailSortKey } from '../db/schema.ts';

/** `changes`: of which something follows. `mails`: to be sent. */
export type QueueName = 'changes' | 'mails';

/** Records of one project, in their order, on their way to whoever works them off. */
export type Message = {
  queue: QueueName;
  /** Messages of one group come one after the other; groups go side by side. */
  group: string;
  /** The same for the same records, so that a message that is sent twice is one. */
  deduplication: string;
  body: string;
};

/** Of one message. SQS takes a megabyte; one record, which may be larger than this, goes by itself. */
const maxBytes = { records: 25, bytes: 200_000, all: 1_000_000 };

/** How many of one project's mails go out side by side, times the mails of a message; their order means nothing. */
const mailLanes = 4;

/**
 * Sorts records of the stream by their project: what follows from the changes of one waits for nothing of another's.
 * @param onTooLarge is told of a record that no message can hold, and that is left out.
 */
export function sortByProject(
  records: readonly DynamoDBRecord[],
  onTooLarge: (record: DynamoDBRecord) => void,
): Message[] {
  const messages: Message[] = [];
  const lanes = Map.groupBy(records, (record) => JSON.stringify(laneOf(record)));
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

/** What a message holds. */
export const recordsOf = (body: string): DynamoDBRecord[] => JSON.parse(body) as DynamoDBRecord[];

function laneOf(record: DynamoDBRecord): Pick<Message, 'queue' | 'group'> {
  const { NewImage, OldImage, Keys } = record.dynamodb ?? {};
  const image = NewImage ?? OldImage;
  const project = image?.['project_id']?.S ?? '-';
  const sk = Keys?.['sk']?.S ?? image?.['sk']?.S;
  if (sk !== mailSortKey) return { queue: 'changes', group: project };
  const lane = parseInt(idOf(record).slice(-4), 16) % mailLanes || 0;
  return { queue: 'mails', group: `${project}.${lane}` };
}

const idOf = ({ eventID, dynamodb }: DynamoDBRecord): string =>
  eventID ?? dynamodb?.SequenceNumber ?? '';

type Packed = { record: DynamoDBRecord; text: string };

/** As many records together as a message takes. */
function packed(
  records: readonly DynamoDBRecord[],
  onTooLarge: (record: DynamoDBRecord) => void,
): Packed[][] {
  const all: Packed[][] = [];
  let bytes = 0;
  for (const record of records) {
    const text = JSON.stringify(stripped(record));
    const size = Buffer.byteLength(text) + 1;
    if (size > maxBytes.all) {
      onTooLarge(record);
      continue;
    }
    const last = all.at(-1);
    if (last && last.length < maxBytes.records && bytes + size <= maxBytes.bytes) {
      last.push({ record, text });
      bytes += size;
    } else {
      all.push([{ record, text }]);
      bytes = size;
    }
  }
  return all;
}

/** What the functions behind the queues read of a record: of what an item told before only how often it did. */
function stripped({ eventID, eventName, userIdentity, dynamodb }: DynamoDBRecord): object {
  const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb ?? {};
  const before: Record<string, AttributeValue> = { ...OldImage };
  delete before['events'];
  return {
    ...{ eventID, eventName, userIdentity },
    dynamodb: { Keys, SequenceNumber, NewImage, ...(OldImage && { OldImage: before }) },
  };
}
