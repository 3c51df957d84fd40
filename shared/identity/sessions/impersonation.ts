import type { SessionItem } from '../../access/live-session.ts';
import { allowsImpersonation, type Project } from '../../access/projects.ts';
import type { Write } from '../../db/change.ts';
import { epochSeconds } from '../../db/item.ts';
import { noticeTo } from '../../mail/mails.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes } from '../../model/limits.ts';
import type { UserItem } from '../users/users.ts';

type Actor = NonNullable<SessionItem['actor']>;

/**
 * A session in which somebody acts as its user: it ends after an hour and is never renewed. Throws `forbidden` where
 * the project does not allow it, and for a minute after it was switched off.
 */
export function actingSession(
  session: SessionItem,
  actor: Actor,
  project: Project,
  now: Date,
): SessionItem {
  const end = epochSeconds(now) + lifetimes.actingSession;
  if (!allowsImpersonation(project, end))
    throw new ApiError('forbidden', { detail: 'The project does not allow impersonation' });
  return { ...session, actor, idle_expires_at: end, expires_at: end };
}

/** The mail that tells the user of such a session, where the project wants one and an address is verified. */
export function impersonationNotice(
  { actor }: SessionItem,
  user: UserItem,
  { impersonation }: Project,
  now: Date,
): Record<string, Write> {
  if (!actor || impersonation !== 'notify') return {};
  return noticeTo(user, 'impersonated', { reason: actor.reason }, now);
}
