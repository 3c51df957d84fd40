import { type Changes, del } from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../../db/modified-at.ts';
import { withEvents } from '../../db/outbox.ts';
import { factorAttribute, factorDeletion, factorRemoved } from '../../factors/factors.ts';
import type { EventDraft } from '../../model/events.ts';
import {
  passkeyDeletions,
  passkeyMethod,
  passkeyRemoved,
  passkeysOf,
} from '../../passkeys/passkeys.ts';
import { unlinkings } from '../identities/identities.ts';
import { noSessionSince, sessionDeletions } from '../sessions/sessions.ts';
import type { UserItem } from '../users/users.ts';
import { endKeys, noKeySince } from './end-keys.ts';

/** What the first verification of an e-mail removes from its user, and the user without it. */
export type CredentialReset = Awaited<ReturnType<typeof resetCredentials>>;

/**
 * Removes all sign-in methods, identities, passkeys, the second factor, sessions and API keys from a user whose e-mail
 * was never verified, because an attacker may have set them up before the owner of the mailbox came (pre-hijacking). Only
 * effective in a transaction that requires `condition`.
 *
 * @param kept methods (as in `SessionOrigin`) that stay, with their sessions: those by which the person who verifies
 *   the e-mail came
 * @param options.keepsFactor whatever method set it up
 */
export async function resetCredentials(
  user: UserItem,
  kept: readonly string[] = [],
  { keepsFactor = false } = {},
) {
  const stays = (method: string) => kept.includes(method);
  const passkeys = stays(passkeyMethod) ? [] : await passkeysOf(user);
  const { identities: linked, social, factor_method, ...rest } = user;
  const losesFactor = factor_method !== undefined && !keepsFactor && !stays(factor_method);
  const unlinked = filtered(linked, (provider) => !stays(provider));
  const removals = {
    ...unlinkings({ ...user, identities: unlinked }),
    ...passkeyDeletions(passkeys),
    ...(losesFactor && factorDeletion(user)),
  };
  const [endings, endedKeys] = await Promise.all([
    sessionDeletions(user, {
      keep: ({ method }) => stays(method),
      besides: Object.keys(removals).length,
    }),
    endKeys(user),
  ]);
  const identities = filtered(linked, stays);
  const keepsIdentity = Object.keys(identities).length > 0;
  const keepsSocial = social !== undefined && stays(social);
  const set = {
    ...endings.set,
    sign_in_methods: filtered(user.sign_in_methods, stays),
    ...(keepsIdentity && { identities }),
  };
  const events = Object.keys(unlinked).map(
    (provider): EventDraft => ({ type: 'user.identity_unlinked', data: { provider } }),
  );
  return {
    condition: and(noSessionSince(user), noKeySince(user, endings.recorded)),
    set,
    increment: endedKeys.increment,
    removedAttributes: [
      ...(passkeys.length > 0 ? ['passkey_count'] : []),
      ...(losesFactor ? [factorAttribute] : []),
      ...(keepsIdentity ? [] : ['identities']),
      ...(keepsSocial ? [] : ['social']),
    ],
    events: [
      ...events,
      ...passkeys.map(passkeyRemoved),
      ...(losesFactor ? [factorRemoved] : []),
      ...endings.events,
      ...endedKeys.events,
    ],
    writes: {
      ...removals,
      ...endings.writes,
      ...(!stays('idpw') && { password: del(keys.password(user.uid)) }),
    },
    /** The user after the reset. */
    user: {
      ...rest,
      ...set,
      key_generation: (user.key_generation ?? 0) + endedKeys.increment.key_generation,
      ...(keepsSocial && { social }),
      ...(factor_method !== undefined && !losesFactor && { factor_method }),
    } as UserItem,
  };
}

/** The first verification of a user's e-mail: its writes, and the user after it. */
export type FirstVerification = { user: UserItem; changes: Changes } & Pick<
  CredentialReset,
  'condition' | 'writes'
>;

/** Verifies the current e-mail of a user for the first time, and resets all credentials but those `kept`. */
export async function verifyEmailFirstTime(
  unproven: UserItem,
  kept: readonly string[],
  now: Date,
): Promise<FirstVerification> {
  const { user, set, increment, removedAttributes, events, condition, writes } =
    await resetCredentials(unproven, kept);
  const proven = {
    verified: { ...user.verified, email: true },
    modified_at: modifiedAt(now, unproven),
  };
  const changes = {
    set: { ...set, ...proven },
    add: { version: 1 },
    increment,
    remove: removedAttributes,
  };
  return {
    user: {
      ...user,
      ...proven,
      version: user.version + 1,
    },
    changes: withEvents(changes, { type: 'user.email_verified' }, ...events),
    condition: and(condition, notModifiedAfter(proven.modified_at)),
    writes,
  };
}

const filtered = <T>(
  record: Record<string, T> | undefined,
  predicate: (name: string) => boolean,
): Record<string, T> =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => predicate(name)));
