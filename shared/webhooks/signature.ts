import { createHmac } from 'node:crypto';

/** The secret as the receiver gets it (Standard Webhooks, "Signature scheme"): `whsec_` and the key in base64. */
export const writtenSecret = (key: Buffer): string => `whsec_${key.toString('base64')}`;

/**
 * The signature headers of one attempt. Retries have the same id, by which receivers recognise duplicates.
 *
 * @param timestamp of the attempt, in epoch seconds
 * @param keys the current one first, then previous ones that are still valid
 */
export function signedHeaders(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  keys: readonly Buffer[],
): Record<string, string> {
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
