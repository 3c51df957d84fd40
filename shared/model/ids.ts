import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

/** A new user id: UUIDv7 (RFC 9562), so that users sort by creation. */
export const newUid = (now: Date): string => v7({ msecs: now.getTime() });

/** A new workspace id: `wid-` and a UUIDv7. */
export const newWorkspaceId = (now: Date): string => `wid-${v7({ msecs: now.getTime() })}`;

/** A new member id: `mid-` and a UUIDv7. */
export const newMemberId = (now: Date): string => `mid-${v7({ msecs: now.getTime() })}`;

/** A new session id: 128 random bits; it is in every token, so it tells nothing of the time. */
export const newSessionId = (): string => randomUUID();

/** A new id of a mail, and of the code or token that it brings: 128 random bits, not secret. */
export const newMailId = (): string => randomUUID();

/** A new event id: `evt-` and a UUIDv7. */
export const newEventId = (now: Date): string => `evt-${v7({ msecs: now.getTime() })}`;

/** A new webhook id: `whk-` and a UUIDv7. */
export const newWebhookId = (now: Date): string => `whk-${v7({ msecs: now.getTime() })}`;

/** Names one redelivery: 128 random bits. */
export const newRedeliveryId = (): string => randomUUID();

/** A new id of a join link: `lnk-` and a UUIDv7. */
export const newJoinLinkId = (now: Date): string => `lnk-${v7({ msecs: now.getTime() })}`;

/** Names one write: a retry of the same write carries the same token (ClientRequestToken, 36 characters). */
export const newWriteToken = (): string => randomUUID();

/** 32 random bytes, base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256, base64url: for digests that are stored or compared, never for passwords. */
export const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');

/** Names one secret of a project: 8 characters, for people to tell them apart. */
export const newSecretId = (): string => randomBytes(4).toString('hex');
