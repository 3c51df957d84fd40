import type { SessionOrigin } from '../../access/live-session.ts';
import type { Project } from '../../access/projects.ts';
import { countSignIn } from '../../access/sign-in-rate-limit.ts';
import type { Change, Write } from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { StaleReadError } from '../../db/request-context.ts';
import { ApiError } from '../../model/errors.ts';
import { newUid } from '../../model/ids.ts';
import type { MfaRequired } from '../../model/user-resources.ts';
import { recordDevice, withDevice } from '../sessions/devices.ts';
import { newSession } from '../sessions/sessions.ts';
import { type SignedIn, startAsNewUser, startWithFirstFactor } from '../sign-in/first-factor.ts';
import { newUserAttributes } from '../sign-in/sign-in.ts';
import { isOnlyInvited, onlyInvitedStill } from '../users/invited-user.ts';
import { emailGuard } from '../users/new-user.ts';
import { findUser, getUidByEmail, getUser, hasEmail, type UserItem } from '../users/users.ts';
import { newUserWithWallet, withWallet } from '../wallet/user-wallet.ts';
import { assertIdentityUnchanged, getIdentity, linkIdentity } from './identities.ts';
import {
  identityLinkedEvent,
  isLinked,
  keeping,
  type Link,
  linkChanges,
  profileFromIdentity,
  withIdentity,
} from './identity-links.ts';

type IdentitySignIn = Link & {
  project: Project;
  origin: SessionOrigin;
  agreed_terms: Parameters<typeof newUserAttributes>[0]['agreed_terms'];
  /** Uses up what has shown the identity, if it can be shown once. */
  proof?: Write;
};

/**
 * Starts a session for an account at an identity provider. A linked account signs in its user, whatever the e-mail of
 * the account is now. A new account is linked with the user of its e-mail only if this service has verified that
 * mailbox and the provider is authoritative for it today. Otherwise an attacker who entered the address first, or a
 * previous owner of the mailbox, would share the user with its owner. A user that only an invitation has created has
 * nothing to share, so there the provider's assertion is the first verification of the e-mail. Throws
 * `identity_link_required`, `identity_conflict`, `identity_token_invalid`, `sign_up_disabled` or `user_disabled`.
 */
export async function signInByIdentity(
  entry: IdentitySignIn,
  now: Date,
): Promise<Change<SignedIn | MfaRequired>> {
  const { project, identity, origin } = entry;
  const { project_id } = project;
  const [link, uid] = await Promise.all([
    getIdentity(project_id, identity),
    identity.email === '' ? undefined : getUidByEmail(project_id, identity.email),
  ]);
  if (link) {
    const found = await getUser(project_id, link.uid);
    if (!found)
      throw new ApiError('identity_token_invalid', { reason: 'the linked user was deleted' });
    const user = await withWallet(found);
    const session = newSession(project_id, user.uid, origin, now);
    await countSignIn(session, now);
    // Under another name the account has other tokens, and the link has one name.
    const kept = link.provider === entry.provider ? keeping(user, entry, now) : {};
    // Requires the link to be unchanged, so that an account that is unlinked meanwhile signs in nobody.
    return startWithFirstFactor(
      session,
      { project, user },
      {
        device: () => recordDevice(user, session, project, now),
        writes: { identity: assertIdentityUnchanged(link), ...kept, ...proving(entry) },
      },
    );
  }
  if (!identity.email_verified)
    throw new ApiError('identity_token_invalid', {
      detail:
        identity.email === ''
          ? 'The token has no e-mail; ask the provider for the scope email'
          : 'The provider has not verified the e-mail',
    });
  const user = uid === undefined ? undefined : await findUser(uid);
  return user ? linkUser(user, entry, now) : makeUser(entry, now);
}

async function linkUser(
  found: UserItem,
  entry: IdentitySignIn,
  now: Date,
): Promise<Change<SignedIn | MfaRequired>> {
  const { project, identity, origin } = entry;
  const isFirst = !found.verified.email;
  if (!identity.email_current || (isFirst && !isOnlyInvited(found)))
    throw new ApiError('identity_link_required');
  // Linked after the lookup, for example by another tab. The next attempt finds it.
  if (isLinked(found, entry)) throw new StaleReadError();
  const user = await withWallet(found);
  const { set: linked, events, writes } = linkChanges(user, entry, now);
  const set = isFirst ? { ...linked, verified: { ...user.verified, email: true } } : linked;
  const session = newSession(project.project_id, user.uid, origin, now);
  // The guard was read before the user, whose e-mail may have changed in between.
  const emailUnchanged = hasEmail(project.project_id, identity.email);
  const changed = { ...user, ...set };
  return startWithFirstFactor(
    session,
    { project, user: changed },
    {
      device: async () => ({ set: withDevice(user, session), writes: {} }),
      changes: { set, add: { version: 1 } },
      condition: and(emailUnchanged, isFirst ? onlyInvitedStill(user) : undefined),
      events: isFirst ? [{ type: 'user.email_verified' }, ...events] : events,
      writes: { ...writes, ...proving(entry) },
    },
  );
}

async function makeUser(entry: IdentitySignIn, now: Date): Promise<Change<SignedIn | MfaRequired>> {
  const { project, provider, identity, origin, agreed_terms } = entry;
  if (!project.sign_up) throw new ApiError('sign_up_disabled');
  const { project_id } = project;
  const profile = { ...profileFromIdentity({}, identity), agreed_terms };
  const { email, email_current: email_verified } = identity;
  const attributes = { ...newUserAttributes(profile, now), email, email_verified };
  const bare = await newUserWithWallet(project_id, newUid(now), attributes, now);
  const user = { ...bare, ...withIdentity(bare, entry) };
  const session = newSession(project_id, user.uid, origin, now);
  return startAsNewUser(
    session,
    { project, user },
    {
      events: [identityLinkedEvent(provider)],
      writes: {
        guard: emailGuard(user),
        identity: linkIdentity(user, provider, identity, now),
        ...keeping(user, entry, now),
        ...proving(entry),
      },
    },
  );
}

const proving = ({ proof }: IdentitySignIn): Record<string, Write> => (proof ? { proof } : {});
