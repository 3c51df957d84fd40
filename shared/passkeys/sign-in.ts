import type { SessionOrigin } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import { relyingPartyOf } from '../access/relying-party.ts';
import { countSignIn } from '../access/sign-in-rate-limit.ts';
import type { Assertion } from '../contract/passkeys.ts';
import { type Change, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { recordDevice } from '../identity/sessions/devices.ts';
import { newSession, noSignOutSince } from '../identity/sessions/sessions.ts';
import { startSession } from '../identity/sessions/start-session.ts';
import { type SignedIn, withLastSignIn } from '../identity/sign-in/first-factor.ts';
import { getUser } from '../identity/users/users.ts';
import { withWallet } from '../identity/wallet/user-wallet.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { findChallenge, type PasskeyChallengeItem, useChallenge } from './challenges.ts';
import { getPasskey, type PasskeyItem, passkeyIdOf } from './passkeys.ts';
import { uidOf } from './user-handle.ts';
import { verifyAssertion } from './webauthn.ts';

/** A passkey that has just signed, its new state, and the challenge that it signed. */
type Proof = {
  passkey: PasskeyItem;
  now: Pick<PasskeyItem, 'counter' | 'backed_up'>;
  challenge: PasskeyChallengeItem;
};

/**
 * Verifies the assertion of a passkey of the project. Throws `invalid_credentials` for whatever is wrong with it: an
 * unknown passkey, user or challenge, and a wrong signature look alike.
 */
export async function verifyPasskey(
  project: Project,
  assertion: Assertion,
  now: Date,
): Promise<Proof> {
  const { project_id } = project;
  const uid = uidOf(assertion.response.userHandle);
  const [found, passkey] = await Promise.all([
    findChallenge(assertion.response.clientDataJSON, project_id, now),
    uid === undefined ? undefined : getPasskey(uid, passkeyIdOf(assertion.id)),
  ]);
  if (found?.item.purpose !== 'sign_in')
    throw new ApiError('invalid_credentials', { reason: 'no challenge of a sign-in' });
  if (passkey?.project_id !== project_id)
    throw new ApiError('invalid_credentials', { reason: 'no such passkey' });
  const party = relyingPartyOf(project);
  return {
    passkey,
    now: await verifyAssertion(assertion, found.challenge, party, passkey),
    challenge: found.item,
  };
}

/**
 * Uses the challenge of a passkey up, and stores the new state. A counter that went back is noted on the passkey and
 * told by an event: somebody may have copied the key. It is not refused, because it would lock out a user who restored
 * a device. Those that do not count stay at 0.
 */
export function usePasskey(
  { passkey, now: signed, challenge }: Proof,
  now: Date,
): { writes: Record<'challenge' | 'passkey', Write>; events: EventDraft[] } {
  const { uid, passkey_id, counter, public_key } = passkey;
  const decreased = counter > 0 && signed.counter <= counter;
  const last_used_at = now.toISOString();
  return {
    events: decreased ? [{ type: 'user.passkey_counter_decreased', data: { passkey_id } }] : [],
    writes: {
      challenge: useChallenge(challenge),
      // Unchanged since it was read, so that one that was deleted meanwhile proves nothing.
      passkey: update(
        keys.passkey(uid, passkey_id),
        { set: { ...signed, last_used_at, ...(decreased && { counter_decreased: true }) } },
        where('#public_key = :seen_key AND #counter = :seen_counter', {
          seen_key: public_key,
          seen_counter: counter,
        }),
      ),
    },
  };
}

/** Starts a session for the user of a passkey. Throws `invalid_credentials`; refused with `user_disabled`. */
export async function signInByPasskey(
  { project, proof, origin }: { project: Project; proof: Proof; origin: SessionOrigin },
  now: Date,
): Promise<Change<SignedIn>> {
  const { project_id } = project;
  const { uid } = proof.passkey;
  const found = await getUser(project_id, uid);
  if (!found)
    throw new ApiError('invalid_credentials', { reason: 'the user of the passkey was deleted' });
  const user = await withWallet(found);
  const session = newSession(project_id, uid, origin, now);
  await countSignIn(session, now);
  const { set, writes } = await recordDevice(user, session, project, now);
  const used = usePasskey(proof, now);
  return startSession(session, {
    changes: { set },
    condition: noSignOutSince(user),
    events: used.events,
    writes: { ...writes, ...used.writes },
  }).as(() => ({ session, user: withLastSignIn(user, session), created: false }));
}
