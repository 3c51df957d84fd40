import { timingSafeEqual } from 'node:crypto';
import { newSecret, sha256 } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { ProjectSecret } from './projects.ts';

const prefix = 'wsk_';
const checksumLength = 6;

/**
 * Creates a project secret: `wsk_`, 32 random bytes and a checksum, by which secret scanners distinguish a leak from
 * noise.
 */
export function newProjectSecret(): string {
  const body = newSecret();
  return `${prefix}${body}${checksum(body)}`;
}

/** Whether the text has the form and checksum of a project secret. */
export function isProjectSecret(text: string): boolean {
  const body = text.slice(prefix.length, -checksumLength);
  return text.startsWith(prefix) && body.length === 43 && text.endsWith(checksum(body));
}

/** Whether the secret is valid at this time. */
export const isLiveSecret = ({ expires_at }: ProjectSecret, now: Date): boolean =>
  expires_at === undefined || expires_at > now.toISOString();

/**
 * The live secret of the project, or of an OAuth client of it, that matches `secret`, if any. Takes the same time for
 * an unknown owner and for any position.
 */
export function findSecret(
  owner: { secrets: ProjectSecret[] } | undefined,
  secret: string,
  now: Date,
): ProjectSecret | undefined {
  const digest = Buffer.from(sha256(secret));
  const nobody = Buffer.alloc(digest.length);
  let found: ProjectSecret | undefined;
  for (let i = 0; i < limits.liveSecretsPerProject; i += 1) {
    const candidate = owner?.secrets[i];
    const equal = timingSafeEqual(digest, candidate ? Buffer.from(candidate.sha256) : nobody);
    found = equal && candidate ? candidate : found;
  }
  return found && isLiveSecret(found, now) ? found : undefined;
}

function checksum(body: string): string {
  return sha256(body).slice(0, checksumLength);
}
