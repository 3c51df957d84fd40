import { createHmac } from 'node:crypto';

/** What the receiver verifies by (Standard Webhooks, "Signature scheme"): `whsec_` and the key in base64. */
export const writtenSecret = (key: Buffer): string => `whsec_${key.toString('base64')}`;

/**
 * The headers of one attempt. Whoever retries sends the same id, by which receivers know what they had before.
 * @param timestamp of the attempt, in epoch seconds.
 * @param keys the present one first, and those that still sign beside it.
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
