import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';

type Item = Record<string, unknown>;
/** A change of an item: a new one has nothing before, a removed one nothing after. */
export type Change = { before?: Item | undefined; after?: Item | undefined };

/** The stream record of a change, named after its number, with both images as the table's stream has them. */
export function streamRecord({ before, after }: Change, number = 0): DynamoDBRecord {
  const { pk, sk } = { ...before, ...after };
  const image = (item: Item) => marshall(item, { removeUndefinedValues: true });
  return {
    eventID: number.toString(16).padStart(32, '0'),
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      SequenceNumber: `${number}`,
      Keys: image({ pk, sk }),
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  } as DynamoDBRecord;
}

/** The messages or records that a function of the stream reported as failed. */
export const failedOf = (answer: unknown): string[] =>
  (answer as { batchItemFailures: { itemIdentifier: string }[] }).batchItemFailures.map(
    ({ itemIdentifier }) => itemIdentifier,
  );
