import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';

/** A new user id: UUIDv7 (RFC 9562), so that users sort by creation. */
export const newUid = (now: Date): string => v7({ msecs: now.getTime() });

/** A new workspace id: `wid-` and a UUIDv7. */
export const newWorkspaceId = (now: Date): string => `wid-${v7({ msecs: now.getTime() })}`;

/** A new member id: `mid-` and a UUIDv7. */
export const newMemberId = (now: Date): string => `mid-${v7({ msecs: now.getTime() })}`;

/** A new session id: 128 random bits. It is in every token, so it must not reveal a time. */
export const newSessionId = (): string => randomUUID();

/** A new id of a mail and of its code or token: 128 random bits, not secret. */
export const newMailId = (): string => randomUUID();

/** The id of a mail that is written once for whatever this text names: 128 bits, not secret. */
export const derivedMailId = (about: string): string =>
  createHash('sha256').update(about).digest('hex').slice(0, 32);

/** A new event id: `evt-` and a UUIDv7. */
export const newEventId = (now: Date): string => `evt-${v7({ msecs: now.getTime() })}`;

/** A new webhook id: `whk-` and a UUIDv7. */
export const newWebhookId = (now: Date): string => `whk-${v7({ msecs: now.getTime() })}`;

/** A new redelivery id: 128 random bits. */
export const newRedeliveryId = (): string => randomUUID();

/** A new id of a join link: `lnk-` and a UUIDv7. */
export const newJoinLinkId = (now: Date): string => `lnk-${v7({ msecs: now.getTime() })}`;

/** A new id of an API key: `key-` and a UUIDv7. */
export const newApiKeyId = (now: Date): string => `key-${v7({ msecs: now.getTime() })}`;

/**
 * A token that identifies one write: a retry of the write carries the same token (ClientRequestToken, 36 characters).
 */
export const newWriteToken = (): string => randomUUID();

/** 32 random bytes, base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256, base64url: for digests that are stored or compared; never for passwords. */
export const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');

/** Whether two texts are equal, in a time that tells their lengths at most. */
export function equalInConstantTime(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A new id of a project secret: 8 characters, so that people can tell secrets apart. */
export const newSecretId = (): string => randomBytes(4).toString('hex');
