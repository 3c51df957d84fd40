import { keep, keptIn } from '../history-entry.ts';

/** A code that was mailed, and to whom. */
type SentCode = { challenge_id: string; email: string };

const entry = 'identity-workspace code';
/** Milliseconds for which a mailed code is good. */
const lifetime = 600_000;

/**
 * A code on its way, while it is good. The entry of the history keeps it: a phone may load the page again while
 * somebody reads their mail.
 */
export function keptCode(): SentCode | undefined {
  const code = keptIn<SentCode & { until: number }>(entry);
  return code && code.until > Date.now() ? code : undefined;
}

/** Keeps a code until it is over, or none. */
export const keepCode = (code?: SentCode): void =>
  keep(entry, code && { ...code, until: Date.now() + lifetime });
