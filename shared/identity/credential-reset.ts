import { and, type Changes, del } from '../db/change.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import type { EventDraft } from '../model/events.ts';
import { unlinkings } from './identities.ts';
import { noNewerSession, sessionDeletions } from './sessions.ts';
import { type UserItem, unchangedSince } from './users.ts';

/** What a first proof of an e-mail takes from its user, and the user without it. */
export type CredentialReset = Awaited<ReturnType<typeof resetCredentials>>;

/**
 * Takes from a user whose e-mail was never proven every way in that was set up before: whoever did that may have been
 * somebody else. Good only in a transaction that holds the user to `condition`.
 * @param kept the methods (those of a session's `SessionOrigin`) that stay, with the sessions that they started: by them came
 * whoever proves the e-mail.
 */
export async function resetCredentials(user: UserItem, kept: readonly string[] = []) {
  const stays = (method: string) => kept.includes(method);
  const endings = await sessionDeletions(user, ({ method }) => stays(method));
  const { identities: linked, social, ...rest } = user;
  const unlinked = filtered(linked, (provider) => !stays(provider));
  const identities = filtered(linked, stays);
  const keepsIdentity = Object.keys(identities).length > 0;
  const keepsSocial = social !== undefined && stays(social);
  const set = {
    sign_in_methods: filtered(user.sign_in_methods, stays),
    ...(keepsIdentity && { identities }),
  };
  const facts = Object.keys(unlinked).map(
    (provider): EventDraft => ({ type: 'user.identity_unlinked', data: { provider } }),
  );
  return {
    condition: and(unchangedSince(user), noNewerSession(user)),
    set,
    /** Attributes to remove. */
    gone: [...(keepsIdentity ? [] : ['identities']), ...(keepsSocial ? [] : ['social'])],
    facts: [...facts, ...endings.facts],
    writes: {
      ...unlinkings({ ...user, identities: unlinked }),
      ...endings.writes,
      ...(!stays('idpw') && { password: del(keys.password(user.uid)) }),
    },
    /** The user as the sweep leaves it. */
    user: { ...rest, ...set, ...(keepsSocial && { social }) } as UserItem,
  };
}

/** A user whose e-mail is proven for the first time: what is written, and the user as it is then. */
export type FirstVerification = { user: UserItem; changes: Changes } & Pick<
  CredentialReset,
  'condition' | 'writes'
>;

/** Proves the e-mail that a user has, and sweeps what was set up before, but what is `kept`. */
export async function verifyEmailFirstTime(
  unproven: UserItem,
  kept: readonly string[],
  now: Date,
): Promise<FirstVerification> {
  const { user, set, gone, facts, condition, writes } = await resetCredentials(unproven, kept);
  const proven = {
    verified: { ...user.verified, email: true },
    modified_at: modifiedAt(now, unproven),
  };
  const changes = { set: { ...set, ...proven }, add: { version: 1 }, remove: gone };
  return {
    user: { ...user, ...proven, version: user.version + 1 },
    changes: withEvents(changes, { type: 'user.email_verified' }, ...facts),
    condition: and(condition, notModifiedAfter(proven.modified_at)),
    writes,
  };
}

const filtered = <T>(
  record: Record<string, T> | undefined,
  wanted: (name: string) => boolean,
): Record<string, T> =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => wanted(name)));
