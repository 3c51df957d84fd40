import { getItem } from '../db/batch-loader.ts';
import { create, del, type Write } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { newSecret } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';

/** What a challenge is for: it is good for nothing else. */
type Purpose =
  | { purpose: 'sign_in' }
  /** For one user in one session: that which has confirmed the password. */
  | { purpose: 'register'; uid: string; session_id: string };

/** A challenge that an authenticator signs, once. Stored under its digest, so that reading the table is not enough. */
export type PasskeyChallengeItem = Item &
  Purpose & {
    project_id: string;
    /** Epoch seconds. */
    expires_at: number;
  };

/** A new challenge, and the write that stores it. */
export function newPasskeyChallenge(of: Purpose & { project_id: string }, now: Date) {
  const challenge = newSecret();
  const item: PasskeyChallengeItem = {
    ...keys.passkeyChallenge(challenge),
    ...of,
    expires_at: epochSeconds(now) + lifetimes.passkeyChallenge,
  };
  return { challenge, writes: { challenge: create(item) } };
}

/**
 * The challenge that client data names, if it is live and of the project. Undefined for anything else, also for text
 * that is no client data.
 */
export async function findChallenge(
  clientDataJSON: string,
  project_id: string,
  now: Date,
): Promise<{ challenge: string; item: PasskeyChallengeItem } | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  const item = await getItem<PasskeyChallengeItem>(keys.passkeyChallenge(challenge));
  if (item?.project_id !== project_id || item.expires_at <= epochSeconds(now)) return undefined;
  return { challenge, item };
}

/** Uses a challenge up. Of two concurrent requests, the second one fails here, runs again and finds none. */
export const useChallenge = ({ pk, sk }: PasskeyChallengeItem): Write => del({ pk, sk }, exists);

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge } = Object(data) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
