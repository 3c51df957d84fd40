import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type IndexName, tableSchema } from '../../shared/db/table-schema.ts';

/** Capacity units computed from item sizes by the rules of DynamoDB's documentation, without an engine. */

export type Attributes = Record<string, AttributeValue>;

/** Bytes per unit. */
const readUnit = 4 * 1024;
const writeUnit = 1024;

/** Read units of GetItem or BatchGetItem; a missing item costs one unit. */
export const readUnits = (items: (Attributes | undefined)[]): number =>
  items.reduce((sum, item) => sum + units(item ? sizeOf(item) : 0, readUnit), 0);

/** Read units of a page: sizes are summed before rounding, and an eventually consistent read costs half. */
export const pageUnits = (items: Attributes[], consistent: boolean): number =>
  units(
    items.reduce((sum, item) => sum + sizeOf(item), 0),
    readUnit,
  ) / (consistent ? 1 : 2);

/**
 * Write units of one write or condition check of an item: by the larger of both versions, doubled in a transaction,
 * plus every index whose entry changes.
 */
export function writeUnits(
  before: Attributes | undefined,
  after: Attributes | undefined,
  inTransaction: boolean,
): number {
  const larger = Math.max(sizeOf(before ?? {}), sizeOf(after ?? {}));
  const table = units(larger, writeUnit) * (inTransaction ? 2 : 1);
  const indexes = Object.keys(tableSchema.indexes) as IndexName[];
  return indexes.reduce((sum, index) => sum + indexUnits(index, before, after), table);
}

function indexUnits(
  index: IndexName,
  before: Attributes | undefined,
  after: Attributes | undefined,
): number {
  const [old, now] = [entryOf(index, before), entryOf(index, after)];
  if (isDeepStrictEqual(old, now)) return 0;
  const { partitionKey, sortKey } = tableSchema.indexes[index];
  const moved = [partitionKey, sortKey].some((name) => old?.[name]?.S !== now?.[name]?.S);
  // A changed index key deletes the old entry and puts a new one.
  if (old && now && moved) return units(sizeOf(old), writeUnit) + units(sizeOf(now), writeUnit);
  return units(Math.max(sizeOf(old ?? {}), sizeOf(now ?? {})), writeUnit);
}

/** The projection of an item into an index; undefined for an item without the index's keys. */
export function entryOf(index: IndexName, item: Attributes | undefined): Attributes | undefined {
  const { partitionKey, sortKey, projection, attributes } = tableSchema.indexes[index];
  if (!item?.[partitionKey] || !item[sortKey]) return undefined;
  const kept = new Set<string>(['pk', 'sk', partitionKey, sortKey, ...attributes]);
  const names = Object.keys(item).filter((name) => projection === 'ALL' || kept.has(name));
  return Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue]));
}

/** The size of an item in bytes: names and values, as DynamoDB counts them. */
export function sizeOf(item: Attributes): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value),
    0,
  );
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) {
    const digits = value.N.replace(/^-/, '')
      .replace('.', '')
      .replace(/^0+|0+$/g, '').length;
    return Math.ceil(digits / 2) + 1 + (value.N.startsWith('-') ? 1 : 0);
  }
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.B) return value.B.length;
  // A list or map costs 3 bytes, and each of its elements one.
  if (value.L) return value.L.reduce((sum, element) => sum + 1 + valueSize(element), 3);
  if (value.M) return 3 + Object.keys(value.M).length + sizeOf(value.M);
  throw new Error(`The table holds no ${Object.keys(value).join()}`);
}

function units(size: number, unit: number): number {
  return Math.max(1, Math.ceil(size / unit));
}
