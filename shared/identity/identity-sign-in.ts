import type { Opening } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import { both, type Change } from '../db/change.ts';
import { StaleRead } from '../db/request-context.ts';
import { Failure, notFound } from '../model/errors.ts';
import { newUid } from '../model/ids.ts';
import { meetDevice, withDevice } from './devices.ts';
import { getIdentity, linkIdentity, stillLinked } from './identities.ts';
import { isLinked, type Link, linked, linkedWith, linking, missingOf } from './identity-links.ts';
import { newSession } from './sessions.ts';
import { arrival, type SignedIn, signedIn } from './sign-in.ts';
import { startSession } from './start-session.ts';
import { newUserWithWallet, withWallet } from './user-wallet.ts';
import {
  asRead,
  emailGuard,
  findUser,
  getUidByEmail,
  getUser,
  isAt,
  type UserItem,
} from './users.ts';

type Entry = Link & {
  project: Project;
  opening: Opening;
  agreed_terms: Parameters<typeof arrival>[0]['agreed_terms'];
};

/**
 * Starts a session for an account at an identity provider. A known one signs in whoever it is linked with, whatever
 * its e-mail is by now. A new one is linked with the user of its e-mail only where both the provider, as of today, and
 * this service have proven that mailbox: else whoever typed the address first would receive its owner, or whoever had
 * the mailbox before would. Throws
 * `identity_link_required`, `identity_conflict`, `identity_token_invalid`, `sign_up_disabled` or `user_disabled`.
 */
export async function signInByIdentity(entry: Entry, now: Date): Promise<Change<SignedIn>> {
  const { project, identity, opening } = entry;
  const { project_id } = project;
  const [link, uid] = await Promise.all([
    getIdentity(project_id, identity),
    identity.email === '' ? undefined : getUidByEmail(project_id, identity.email),
  ]);
  if (link) {
    const found = await getUser(project_id, link.uid);
    if (!found) throw notFound();
    const user = await withWallet(found);
    const session = newSession(project_id, user.uid, opening, now);
    // Unlinked meanwhile, the account signs nobody in.
    const { set, writes } = await meetDevice(user, session, project, now);
    return startSession(session, {
      changes: { set },
      writes: { identity: stillLinked(link), ...writes },
    }).as(() => ({ session, user: signedIn(user, session), created: false }));
  }
  if (!identity.email_verified)
    throw new Failure('identity_token_invalid', {
      detail:
        identity.email === ''
          ? 'The token has no e-mail; ask the provider for the scope email'
          : 'The provider has not verified the e-mail',
    });
  const user = uid === undefined ? undefined : await findUser(uid);
  return user ? linkUser(user, entry, now) : makeUser(entry, now);
}

async function linkUser(found: UserItem, entry: Entry, now: Date): Promise<Change<SignedIn>> {
  const { project, identity, opening } = entry;
  if (!found.verified.email || !identity.email_current) throw new Failure('identity_link_required');
  // Linked since the link was looked up, as by another tab: it is found the next time.
  if (isLinked(found, entry)) throw new StaleRead();
  const user = await withWallet(found);
  const { set, facts, writes } = linking(user, entry, now);
  const session = newSession(project.project_id, user.uid, opening, now);
  // The user was read after it was known whose the e-mail is, and may have moved to another one in between.
  const unmoved = isAt(project.project_id, identity.email);
  return startSession(session, {
    changes: { set: { ...set, ...withDevice(user, session) }, add: { version: 1 } },
    condition: both(asRead(user), unmoved),
    facts,
    writes,
  }).as(() => ({ session, user: signedIn({ ...user, ...set }, session), created: false }));
}

async function makeUser(entry: Entry, now: Date): Promise<Change<SignedIn>> {
  const { project, provider, identity, opening, agreed_terms } = entry;
  if (!project.sign_up) throw new Failure('sign_up_disabled');
  const { project_id } = project;
  const profile = { ...missingOf({}, identity), agreed_terms };
  const { email, email_current: email_verified } = identity;
  const given = { ...arrival(profile, now), email, email_verified };
  const bare = await newUserWithWallet(project_id, newUid(now), now, given);
  const user = { ...bare, ...linkedWith(bare, entry) };
  const session = newSession(project_id, user.uid, opening, now);
  return startSession(session, {
    newUser: { ...user, ...withDevice({}, session) },
    facts: [linked(provider)],
    writes: {
      guard: emailGuard(user),
      identity: linkIdentity(user, provider, identity, now),
    },
  }).as(() => ({ session, user: signedIn(user, session), created: true }));
}
