import type { SessionOrigin } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, type Changes, del, merged, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import { recordDevice, withDevice } from '../identity/devices.ts';
import type { MfaTokenItem } from '../identity/first-factor.ts';
import { newSession } from '../identity/sessions.ts';
import { type SignedIn, withLastSignIn } from '../identity/sign-in.ts';
import { startSession } from '../identity/start-session.ts';
import { withWallet } from '../identity/user-wallet.ts';
import { getUser, type UserItem, unchangedSince } from '../identity/users.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { notice, recoveryCodeUsed } from './factors.ts';
import type { Proof } from './prove.ts';

/** The sign-in that a token continues, and its user. Throws `mfa_token_invalid`. */
export async function requireMfaToken(
  mfa_token: string,
  project_id: string,
  now: Date,
): Promise<{ token: MfaTokenItem; user: UserItem }> {
  const token = await getItem<MfaTokenItem>(keys.mfaToken(mfa_token));
  if (token?.project_id !== project_id || token.expires_at <= epochSeconds(now))
    throw new ApiError('mfa_token_invalid', { reason: 'unknown, used or expired' });
  const user = await getUser(project_id, token.uid);
  if (user?.version !== token.version)
    throw new ApiError('mfa_token_invalid', { reason: 'the user has changed since' });
  return { token, user };
}

/**
 * Starts the session of a sign-in whose second factor was proven, and uses token and proof up. The user is told by mail
 * that a recovery code was used. Refused with `not_found` or `user_disabled`.
 */
export async function finishSignIn(
  { project, token, origin }: { project: Project; token: MfaTokenItem; origin: SessionOrigin },
  found: UserItem,
  { changes, condition, recovered }: Proof,
  now: Date,
): Promise<Change<SignedIn>> {
  return startAfterFactor(
    { project, token, origin },
    found,
    {
      factor: update(keys.factor(found.uid), changes, condition),
      facts: recovered ? [recoveryCodeUsed] : [],
      told: recovered ? notice('recovery_code_used', found, now).notice : undefined,
    },
    now,
  );
}

/** The second step of a sign-in, to be stored with the session: the factor that was proven or added. */
type SecondStep = {
  factor: Write;
  /** Of the user. */
  changes?: Changes & { set: Partial<UserItem> };
  facts: readonly EventDraft[];
  /** The mail about it. */
  told: Write | undefined;
};

/** Starts the session of a sign-in after its second step, and uses the token up. */
export async function startAfterFactor(
  { project, token, origin }: { project: Project; token: MfaTokenItem; origin: SessionOrigin },
  found: UserItem,
  { factor, changes = { set: {} }, facts, told }: SecondStep,
  now: Date,
): Promise<Change<SignedIn>> {
  const user = await withWallet(found);
  const session = newSession(project.project_id, user.uid, origin, now);
  // The mailbox was just used to sign in, so no mail about a new device is sent.
  const byMailbox = origin.method === 'email_code';
  const { set, writes } = byMailbox
    ? { set: withDevice(user, session), writes: {} }
    : await recordDevice(user, session, project, now);
  return startSession(session, {
    changes: merged(changes, { set }),
    condition: unchangedSince(user),
    facts,
    writes: {
      ...writes,
      mfa: del({ pk: token.pk, sk: token.sk }, where('attribute_exists(#pk)')),
      factor,
      ...(told && { told }),
    },
  }).as(() => ({
    session,
    user: withLastSignIn({ ...user, ...changes.set }, session),
    created: token.created ?? false,
  }));
}
