import { type IdentityProvider, identityProviderOf, type Project } from '../../access/projects.ts';
import type { Profile } from '../../contract/profile.ts';
import { type Change, change, update, type Write } from '../../db/change.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt } from '../../db/modified-at.ts';
import { withEvents } from '../../db/outbox.ts';
import { currentRequest, StaleReadError } from '../../db/request-context.ts';
import { noticeTo } from '../../mail/mails.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { sessionExists } from '../sessions/sessions.ts';
import { requireAnotherMethod } from '../sign-in/sign-in-methods.ts';
import { withProfileEvents } from '../users/update-user.ts';
import { type UserItem, userUnchanged } from '../users/users.ts';
import {
  assertIdentityUnchanged,
  getIdentity,
  linkIdentity,
  unlinkIdentity,
} from './identities.ts';
import type { Identity } from './identity-claims.ts';
import { verifyIdentityToken } from './identity-token.ts';
import { forgetTokens, keepTokens, type SealedTokens } from './provider-tokens.ts';

/** An account at an identity provider, with its method name, such as `google`. */
export type Link = {
  provider: string;
  identity: Identity;
  /** What is kept of the provider's tokens, if anything is. */
  tokens?: SealedTokens | undefined;
};

/** An account at an identity provider, as it is stored. */
type LinkedAccount = { provider: string; identity: Pick<Identity, 'issuer' | 'subject'> };

/**
 * Verifies an ID token by the settings of the project's provider, and returns its account. Throws
 * `sign_in_method_disabled` if the project has no such provider, and the errors of `verifyIdentityToken`.
 */
export async function verifyIdentity(
  project: Project,
  { provider, id_token, nonce }: { provider: string; id_token: string; nonce?: string | undefined },
): Promise<Identity> {
  const settings = requireIdentityProvider(project, provider);
  const { now } = currentRequest();
  return verifyIdentityToken(id_token, settings, { now, nonce });
}

/** The settings of a provider whose ID tokens the project accepts. Throws `sign_in_method_disabled`. */
export function requireIdentityProvider(project: Project, provider: string): IdentityProvider {
  const settings = identityProviderOf(project, provider);
  if (!settings) throw new ApiError('sign_in_method_disabled');
  return settings;
}

/**
 * Links an account at an identity provider with the user who presents its ID token, and mails a proven e-mail about it.
 * Linking it again changes nothing. Throws `identity_conflict` if the account is linked with another user, or the user
 * with another account of the provider. Stale if the user changed, or the session of the request ended meanwhile: it may
 * have been a thief's.
 *
 * @param proof uses up what has shown the account, if it can be shown once: a refusal does not
 */
export async function linkToUser(
  { user, session_id }: { user: UserItem; session_id: string },
  entry: Link,
  now: Date,
  proof: Record<string, Write> = {},
): Promise<Change<UserItem>> {
  if (isLinked(user, entry)) return change({ ...proof, ...keptStill(user, entry, now) }, user);
  const link = await getIdentity(user.project_id, entry.identity);
  // Linked after the user was read, for example by another tab. The next read shows it.
  if (link?.uid === user.uid && link.provider === entry.provider) throw new StaleReadError();
  if (link) throw new ApiError('identity_conflict');
  const { set, events, writes } = linkChanges(user, entry, now);
  const changes = withEvents({ set, add: { version: 1 } }, ...events);
  const changed = update(keys.user(user.uid), changes, userUnchanged(user));
  const session = sessionExists(user.uid, session_id);
  return change({ user: changed, session, ...writes, ...proof }, { ...user, ...set });
}

/**
 * Unlinks the user's account at a provider, and mails a proven e-mail about it. Throws `not_found` if none is linked, or
 * `last_sign_in_method`. Stale if the user changed, or the session ended meanwhile.
 */
export async function unlinkFromUser(
  { user, session_id }: { user: UserItem; session_id: string },
  provider: string,
  project: Project,
  now: Date,
): Promise<Change<UserItem>> {
  const { [provider]: identity, ...identities } = user.identities ?? {};
  if (!identity || !Object.hasOwn(user.identities ?? {}, provider))
    throw notFound('no account of the provider is linked');
  await requireAnotherMethod(user, { provider }, project);
  const { [provider]: _, ...sign_in_methods } = user.sign_in_methods ?? {};
  const set = { identities, sign_in_methods, modified_at: modifiedAt(now, user) };
  const gone = user.social === provider;
  const changes = withEvents(
    { set, add: { version: 1 }, remove: gone ? ['social'] : [] },
    { type: 'user.identity_unlinked', data: { provider } },
  );
  const { social: _social, ...unlinked } = user;
  return change(
    {
      identity: unlinkIdentity(user.project_id, identity),
      tokens: forgetTokens(user.project_id, identity),
      user: update(keys.user(user.uid), changes, userUnchanged(user)),
      session: sessionExists(user.uid, session_id),
      ...noticeTo(user, 'identity_unlinked', { provider }, now),
    },
    { ...(gone ? unlinked : user), ...set },
  );
}

/** True if the account is linked with the user. Throws `identity_conflict` if another account of the provider is. */
export function isLinked({ identities }: UserItem, { provider, identity }: Link) {
  const linked = identities?.[provider];
  if (!linked) return false;
  // A reassigned mailbox comes with another account of the same provider.
  if (linked.issuer !== identity.issuer || linked.subject !== identity.subject)
    throw new ApiError('identity_conflict');
  return true;
}

/** The changes, events and writes that link an account with a user. */
export function linkChanges(user: UserItem, entry: Link, now: Date) {
  const { provider, identity } = entry;
  const filled = profileFromIdentity(user, identity);
  return {
    set: { ...withIdentity(user, entry), ...filled, modified_at: modifiedAt(now, user) },
    events: [identityLinkedEvent(provider), ...withProfileEvents(filled)],
    writes: {
      identity: linkIdentity(user, provider, identity, now),
      ...keeping(user, entry, now),
      ...noticeTo(user, 'identity_linked', { provider }, now),
    },
  };
}

/** The write that keeps the tokens of a sign-in or a link. */
export const keeping = (
  user: { project_id: string; uid: string },
  { tokens, ...account }: Link,
  now: Date,
): { tokens?: Write } => (tokens ? { tokens: keepTokens(user, { ...account, tokens }, now) } : {});

/** The writes that keep the tokens of an account that is linked already; their condition is that it still is. */
function keptStill(user: UserItem, entry: Link, now: Date): Record<string, Write> {
  if (!entry.tokens) return {};
  const { project_id, uid } = user;
  const { issuer, subject } = entry.identity;
  const link = assertIdentityUnchanged({ ...keys.identity(project_id, issuer, subject), uid });
  return { link, ...keeping(user, entry, now) };
}

export const identityLinkedEvent = (provider: string): EventDraft => ({
  type: 'user.identity_linked',
  data: { provider },
});

/** The attributes of a user that describe a linked account. */
export function withIdentity(
  { identities, sign_in_methods }: UserItem,
  { provider, identity: { issuer, subject } }: LinkedAccount,
) {
  return {
    social: provider,
    sign_in_methods: { ...sign_in_methods, [provider]: { enabled: true } },
    identities: { ...identities, [provider]: { issuer, subject } },
  };
}

/** The profile attributes from the provider that the user has not set. */
export function profileFromIdentity(user: Profile, { name, picture }: Identity): Profile {
  return {
    ...(user.name === undefined && name && { name }),
    ...(user.display_name === undefined && name?.formatted && { display_name: name.formatted }),
    ...(user.thumbnail_url === undefined && { thumbnail_url: picture }),
  };
}
