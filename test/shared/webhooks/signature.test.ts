import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders, writtenSecret } from '#shared/webhooks/signature.ts';

const message = {
  id: 'evt-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06',
  timestamp: Math.floor(Date.now() / 1_000),
  body: '{"name":"Zoë €"}',
};
const [present, previous, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const verify = (key: Buffer, headers: Record<string, string>, body = message.body) =>
  new Webhook(writtenSecret(key)).verify(body, headers);

test('is an HMAC over id, timestamp and body, as in the specification', () => {
  const { id, timestamp, body } = message;
  const signature = createHmac('sha256', present).update(`${id}.${timestamp}.${body}`);
  expect(signedHeaders(message, [present])).toEqual({
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  });
});

test('is valid for each of its keys, and for no other', () => {
  const headers = signedHeaders(message, [present, previous]);
  expect(verify(present, headers)).toEqual({ name: 'Zoë €' });
  expect(verify(previous, headers)).toEqual({ name: 'Zoë €' });
  expect(() => verify(other, headers)).toThrow('No matching signature found');
});
