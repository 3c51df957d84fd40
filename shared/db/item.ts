import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './schema.ts';

/** An item as plain data. What its attributes are is known to the table function that wrote it. */
export type Item = Key & Record<string, unknown>;

/** Attribute values to plain data, where the document client does not: in stream records, and in exceptions. */
export const toItem = (attributes: Record<string, AttributeValue>): Item =>
  unmarshall(attributes) as Item;

/** The unit of the table's times of expiry. */
export function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1_000);
}
