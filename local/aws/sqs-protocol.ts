import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { refusal } from '../loopback.ts';

/** Limits of SendMessageBatch. */
export const maxBatch = { messages: 10, bytes: 1024 * 1024 };

/**
 * SQS refuses a whole call for these characters (InvalidMessageContents). It refuses control characters too, which JSON
 * escapes.
 */
const MessageBody = z.string().regex(/^[^\ufffe\uffff]+$/);

/** The subset of the four calls that the service uses; anything else fails here, so that it is noticed. */
export const sending = z.strictObject({
  QueueUrl: z.string(),
  Entries: z
    .array(
      z.strictObject({
        Id: z.string().regex(/^[\w-]{1,80}$/),
        MessageBody,
        MessageGroupId: z.string().regex(/^[!-~]{1,128}$/),
        MessageDeduplicationId: z.string().regex(/^[!-~]{1,128}$/),
      }),
    )
    .min(1)
    .max(maxBatch.messages),
});
const settingAside = z.strictObject({
  QueueUrl: z.string().endsWith('/dead-letters'),
  MessageBody: MessageBody.refine((body) => Buffer.byteLength(body) <= maxBatch.bytes),
});
export const deleting = z.strictObject({
  QueueUrl: z.string(),
  Entries: z
    .array(z.strictObject({ Id: z.string().regex(/^[\w-]{1,80}$/), ReceiptHandle: z.string() }))
    .min(1)
    .max(maxBatch.messages),
});
export const changing = z.strictObject({
  QueueUrl: z.string(),
  ReceiptHandle: z.string(),
  VisibilityTimeout: z.int().min(0).max(43_200),
});

/** Takes a dead letter. */
export function setAside(body: unknown, deadLetters: string[]) {
  const { data, error } = settingAside.safeParse(body);
  if (!data) return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
  deadLetters.push(data.MessageBody);
  const MD5OfMessageBody = md5(data.MessageBody);
  return { status: 200, body: { MessageId: randomUUID(), MD5OfMessageBody } };
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
