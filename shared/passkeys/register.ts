import type { PersonCaller } from '../access/caller.ts';
import { relyingPartyOf } from '../access/relying-party.ts';
import type { Attestation } from '../contract/passkeys.ts';
import { type Change, change, update } from '../db/change.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { sessionExists } from '../identity/sessions/sessions.ts';
import { requireCaller, type UserItem, userUnchanged } from '../identity/users/users.ts';
import { noticeTo } from '../mail/mails.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { findChallenge, useChallenge } from './challenges.ts';
import { type PasskeyItem, passkeyCreations, passkeyIdOf, passkeyMethod } from './passkeys.ts';
import { credentialIn } from './webauthn.ts';

/** Throws `passkey_limit_reached` if the user may have no further passkey. */
export function requirePasskeyRoom({ passkey_count = 0 }: UserItem): void {
  if (passkey_count >= limits.passkeysPerUser) throw new ApiError('passkey_limit_reached');
}

/**
 * Adds the passkey of an attestation to the caller, and mails a proven e-mail about it. The challenge is of this user and
 * session, whose password was confirmed for it, and is used up. Throws `passkey_invalid` or `passkey_limit_reached`;
 * refused with `passkey_exists` if a user of the project has the credential. Stale if the user changed, or the session
 * ended meanwhile: it may have been a thief's.
 */
export async function register(
  caller: PersonCaller,
  input: { credential: Attestation; name: string },
  now: Date,
): Promise<Change<PasskeyItem>> {
  const { project, project_id, uid, session_id } = caller;
  const { credential, name } = input;
  const [user, found] = await Promise.all([
    requireCaller(caller),
    findChallenge(credential.response.clientDataJSON, project_id, now),
  ]);
  requirePasskeyRoom(user);
  const { item } = found ?? {};
  if (!found || item?.purpose !== 'register' || item.uid !== uid || item.session_id !== session_id)
    throw new ApiError('passkey_invalid', { reason: 'no challenge of this user and session' });
  const party = relyingPartyOf(project);
  const made = await credentialIn(credential, found.challenge, party);
  const passkey_id = passkeyIdOf(made.credential_id);
  const passkey: PasskeyItem = {
    ...keys.passkey(uid, passkey_id),
    ...made,
    passkey_id,
    uid,
    project_id,
    name,
    rp_id: party.id,
    created_at: now.toISOString(),
  };
  const set = {
    sign_in_methods: { ...user.sign_in_methods, [passkeyMethod]: { enabled: true } },
    modified_at: modifiedAt(now, user),
  };
  const changes = { set, add: { version: 1 }, increment: { passkey_count: 1 } };
  const event = { type: 'user.passkey_added', data: { passkey_id } } as const;
  return change(
    {
      ...passkeyCreations(passkey),
      user: update<UserItem>(keys.user(uid), withEvents(changes, event), userUnchanged(user)),
      session: sessionExists(uid, session_id),
      challenge: useChallenge(found.item),
      ...noticeTo(user, 'passkey_added', { passkey: name }, now),
    },
    passkey,
    // The user's own passkey has the same guard.
    ({ guard, user: changed, challenge }) =>
      guard !== undefined && changed === undefined && challenge === undefined
        ? new ApiError('passkey_exists')
        : undefined,
  );
}
