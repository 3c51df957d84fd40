import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';

/** An item as plain data. Only the table function that wrote it knows its attributes. */
export type Item = Key & Record<string, unknown>;

/** Converts attribute values to plain data where the document client does not: in stream records and exceptions. */
export const toItem = (attributes: Record<string, AttributeValue>): Item =>
  unmarshall(attributes) as Item;

/** Epoch seconds, the unit of the table's expiry times. */
export function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1_000);
}

/**
 * Adds the missing ones of these attributes as undefined, so that a change that expects the item unchanged fails also
 * where another write has added one. For attributes whose change leaves no other trace.
 */
export const withLacking = <T extends Item>(item: T, ...names: (keyof T & string)[]): T => ({
  ...Object.fromEntries(names.map((name) => [name, undefined])),
  ...item,
});
