import type { KeyObject } from 'node:crypto';
import type { SessionItem, SessionOrigin } from '../access/live-session.ts';
import { identityProviderOf, type Project, providerOf } from '../access/projects.ts';
import { getSigningKeys, type SigningKeys } from '../access/signing-keys.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, type Changes, del, merged, update, type Write } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { recordDevice, withDevice } from '../identity/sessions/devices.ts';
import { newSession, noSignOutSince } from '../identity/sessions/sessions.ts';
import { startSession } from '../identity/sessions/start-session.ts';
import { countAttempt } from '../identity/sign-in/count-attempt.ts';
import {
  type MfaTokenItem,
  type SignedIn,
  withLastSignIn,
} from '../identity/sign-in/first-factor.ts';
import {
  type RequestClient,
  requirePublicProject,
  sessionOrigin,
} from '../identity/sign-in/sign-in.ts';
import { getUser, type UserItem } from '../identity/users/users.ts';
import { withWallet } from '../identity/wallet/user-wallet.ts';
import { noticeTo } from '../mail/mails.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { requireMfa } from './enrol.ts';
import { getFactorKey, recoveryCodeUsed } from './factors.ts';
import type { Proof } from './prove.ts';

/**
 * The sign-in that a token continues, and its user. Throws `mfa_token_invalid`, or `sign_in_method_disabled` if the
 * project has turned its first factor off since: a provider that was removed may be in strange hands.
 */
export async function requireMfaToken(
  mfa_token: string,
  project: Project,
  now: Date,
): Promise<{ token: MfaTokenItem; user: UserItem }> {
  const { project_id } = project;
  const token = await getItem<MfaTokenItem>(keys.mfaToken(mfa_token));
  if (token?.project_id !== project_id || token.expires_at <= epochSeconds(now))
    throw new ApiError('mfa_token_invalid', { reason: 'unknown, used or expired' });
  if (!isFirstFactor(token.method, project)) throw new ApiError('sign_in_method_disabled');
  const user = await getUser(project_id, token.uid);
  if (user?.version !== token.version || (user.sign_outs ?? 0) !== token.sign_outs)
    throw new ApiError('mfa_token_invalid', { reason: 'the user has changed since' });
  return { token, user };
}

/** Whether a project lets people sign in by a method, other than a passkey, which needs no second step. */
function isFirstFactor(method: string, project: Project): boolean {
  if (method === 'idpw') return project.password_sign_in === true;
  if (method === 'email_code') return project.code_sign_in === true;
  if (method === 'email_link') return project.link_sign_in === true;
  return (identityProviderOf(project, method) ?? providerOf(project, method)) !== undefined;
}

/** The second step of a sign-in, with what has proven the factor of its user, or adds one. */
type SecondStep<Proven> = {
  project: Project;
  token: MfaTokenItem;
  user: UserItem;
  origin: SessionOrigin;
  signingKeys: SigningKeys;
  proven: Proven;
};

/**
 * Takes the second step of a sign-in. A wrong code counts among the failures of its network. Throws
 * `mfa_token_invalid`, `sign_in_method_disabled`, `too_many_requests`, or what `prove` throws.
 */
export async function takeSecondStep<Proven>(
  {
    project_id,
    mfa_token,
    device_token,
  }: { project_id: string; mfa_token: string; device_token?: string | undefined },
  client: RequestClient,
  now: Date,
  prove: (waiting: { token: MfaTokenItem; user: UserItem }, key: KeyObject) => Promise<Proven>,
): Promise<SecondStep<Proven>> {
  const project = await requirePublicProject(project_id);
  requireMfa(project);
  const [waiting, signingKeys, factorKey, attempt] = await Promise.all([
    requireMfaToken(mfa_token, project, now),
    getSigningKeys(),
    getFactorKey(),
    countAttempt(project_id, client, now),
  ]);
  const { method } = waiting.token;
  const proven = await attempt
    .prove(method, () => prove(waiting, factorKey))
    .catch(async (error: unknown) => {
      // A factor that is missing may have gone with its user, or by another change of the user.
      if (error instanceof ApiError && error.code === 'not_found')
        await requireMfaToken(mfa_token, project, now);
      throw error;
    });
  const origin = sessionOrigin(method, client, device_token, signingKeys.refreshSecret);
  return { ...waiting, project, proven, signingKeys, origin };
}

/**
 * Starts the session of a sign-in whose second factor was proven, and uses token and proof up. The user is told by mail
 * that a recovery code was used. Refused with `user_disabled`.
 */
export async function finishSignIn(
  { proven, ...step }: SecondStep<Proof>,
  now: Date,
): Promise<Change<SignedIn>> {
  const { changes, condition, recovered } = proven;
  const { user } = step;
  return startAfterFactor(
    step,
    {
      factor: update(keys.factor(user.uid), changes, condition),
      secondFactor: recovered ? 'recovery_code' : 'totp',
      events: recovered ? [recoveryCodeUsed] : [],
      notice: recovered ? noticeTo(user, 'recovery_code_used', {}, now).notice : undefined,
    },
    now,
  );
}

/** What is stored with the session: the factor that was proven or added. */
type SecondFactorProof = {
  factor: Write;
  secondFactor: NonNullable<SessionItem['second_factor']>;
  /** Of the user. */
  changes?: Changes & { set: Partial<UserItem> };
  events: readonly EventDraft[];
  /** The mail about it. */
  notice: Write | undefined;
};

/** Starts the session of a sign-in after its second step, and uses the token up. */
export async function startAfterFactor(
  { project, token, origin, ...step }: Omit<SecondStep<unknown>, 'proven'>,
  { factor, secondFactor, changes = { set: {} }, events, notice }: SecondFactorProof,
  now: Date,
): Promise<Change<SignedIn>> {
  const user = await withWallet(step.user);
  const session: SessionItem = {
    ...newSession(project.project_id, user.uid, origin, now),
    second_factor: secondFactor,
  };
  // The mailbox was just used to sign in, so no mail about a new device is sent.
  const byMailbox = ['email_code', 'email_link'].includes(origin.method);
  const { set, writes } = byMailbox
    ? { set: withDevice(user, session), writes: {} }
    : await recordDevice(user, session, project, now);
  return startSession(session, {
    changes: merged(changes, { set }),
    condition: noSignOutSince(user),
    events,
    writes: {
      ...writes,
      mfa: del({ pk: token.pk, sk: token.sk }, exists),
      factor,
      ...(notice && { factor_notice: notice }),
    },
  }).as(() => ({
    session,
    user: withLastSignIn({ ...user, ...changes.set }, session),
    created: token.created ?? false,
  }));
}
