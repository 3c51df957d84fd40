import type { Fact } from '../events.ts';
import { unlinkings } from './identities.ts';
import { endingsOf, noSessionSince } from './sessions.ts';
import { keys } from './shape.ts';
import { asRead, type UserItem } from './users.ts';
import { both, remove } from './write.ts';

/**
 * Takes from a user whose e-mail was never proven every way in that was set up before: whoever did that may have been
 * somebody else. Good only in a transaction that holds the user to `condition`.
 * @param keep sessions that stay, by how they were started.
 */
export async function sweepOf(user: UserItem, keep?: { method: string }) {
  const endings = await endingsOf(user, ({ method }) => method === keep?.method);
  const unlinked = Object.keys(user.identities ?? {}).map(
    (provider): Fact => ({ type: 'user.identity_unlinked', data: { provider } }),
  );
  return {
    condition: both(asRead(user), noSessionSince(user)),
    /** Attributes to remove. */
    gone: ['identities', 'social'],
    sign_in_methods: {},
    facts: [...unlinked, ...endings.facts],
    writes: {
      ...unlinkings(user),
      ...endings.writes,
      password: remove(keys.password(user.uid)),
    },
  };
}

/** A user as a sweep leaves it. */
export function swept(user: UserItem): UserItem {
  const { identities: _, social: __, ...kept } = user;
  return { ...kept, sign_in_methods: {} };
}
