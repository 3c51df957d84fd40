import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';

/** A value as DynamoDB takes it. Sets, bytes and whatever else is rare or refused are left to the library. */
function toAttribute(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'number' && isExact(value)) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.filter(isSent).map(toAttribute) };
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return { M: toAttributes(value as Record<string, unknown>) };
  return convertToAttr(value, { removeUndefinedValues: true });
}

/** Whether a number is no larger than those that JavaScript tells apart; NaN is not. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** Values by name, without those that are undefined. */
export function toAttributes(values: Record<string, unknown>): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in values) {
    const value = values[name];
    if (isSent(value)) attributes[name] = toAttribute(value);
  }
  return attributes;
}

const isSent = (value: unknown) => value !== undefined && typeof value !== 'function';

/** A value as DynamoDB sent it. */
function fromAttribute(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.M !== undefined) return fromAttributes(attribute.M);
  if (attribute.N !== undefined) {
    const number = Number(attribute.N);
    if (isExact(number)) return number;
  }
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  return convertToNative(attribute);
}

/** Converts an item of DynamoDB's JSON to plain values. */
export function fromAttributes(
  attributes: Record<string, AttributeValue>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in attributes) values[name] = fromAttribute(attributes[name] as AttributeValue);
  return values;
}
