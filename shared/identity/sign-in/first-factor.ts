import type { SessionItem } from '../../access/live-session.ts';
import type { Project } from '../../access/projects.ts';
import {
  assert,
  type Change,
  change,
  create,
  merged,
  update,
  type Write,
} from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { epochSeconds, type Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { itemWithEvents, withEvents } from '../../db/outbox.ts';
import { currentRequest } from '../../db/request-context.ts';
import { ApiError } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { newSecret } from '../../model/ids.ts';
import { lifetimes } from '../../model/limits.ts';
import type { MfaRequired } from '../../model/user-resources.ts';
import { withDevice } from '../sessions/devices.ts';
import { noSignOutSince } from '../sessions/sessions.ts';
import { startSession } from '../sessions/start-session.ts';
import { userCreated } from '../users/new-user.ts';
import { type UserItem, userExists } from '../users/users.ts';

/** A sign-in that waits for the second factor. Stored under the digest of its token. */
export type MfaTokenItem = Item & {
  project_id: string;
  uid: string;
  /** The method of the first factor, which the session will have. */
  method: string;
  /** That of the user after the first factor: a change of e-mail, password or factor meanwhile ends the sign-in. */
  version: number;
  /** How often the user had ended all sessions: doing so meanwhile ends the sign-in too. */
  sign_outs: number;
  /** The first factor created the user. */
  created?: true;
  /** Epoch seconds. */
  expires_at: number;
};

/** A started session and its user. `created`: the sign-in created the user. */
export type SignedIn = { session: SessionItem; user: UserItem; created: boolean };

/** The user after the start of the session. Who acts as the user has not signed the user in. */
export const withLastSignIn = (user: UserItem, { actor, created_at }: SessionItem): UserItem =>
  actor ? user : { ...user, last_sign_in_at: created_at };

/** What a session is started with, as in `startSession`. */
type SessionStart = Omit<Parameters<typeof startSession>[1] & {}, 'newUser'> & {
  /** The devices of the user, and a mail about a new one: what the session writes when it starts. */
  device: () => Promise<{ set: { devices: string[] }; writes: { notice?: Write } }>;
};

/**
 * Whether sign-ins of a user are asked for the second factor: of those who have one, and of all where it is required.
 */
export const isAskedForFactor = ({ mfa = 'off' }: Project, { factor_method }: UserItem): boolean =>
  mfa === 'required' || (mfa === 'optional' && factor_method !== undefined);

/**
 * Starts a session for a user who has shown a first factor. A user with a second one, or who must add one, gets no
 * session: the same proofs are used up and the same changes made, and the result is a token for the second step.
 * Refused with `user_disabled`. Stale if the user changes, is deleted or signs out everywhere meanwhile: else a new
 * factor would not be asked for, and forgotten devices would be known again.
 *
 * @param user as it is after `changes`
 */
export async function startWithFirstFactor(
  session: SessionItem,
  { project, user }: { project: Project; user: UserItem },
  { device, ...more }: SessionStart,
): Promise<Change<SignedIn | MfaRequired>> {
  const options = { ...more, condition: and(noSignOutSince(user), more.condition) };
  if (isAskedForFactor(project, user)) return askForFactor(session, user, options);
  const { set, writes } = await device();
  return startSession(session, {
    ...options,
    changes: merged(options.changes ?? {}, { set }),
    writes: { ...options.writes, ...writes },
  }).as(() => ({ session, user: withLastSignIn(user, session), created: false }));
}

/** Starts the first session of a user who is created with it, or asks for a second factor first. */
export function startAsNewUser(
  session: SessionItem,
  { project, user }: { project: Project; user: UserItem },
  options: { events: readonly EventDraft[]; writes: Record<string, Write> },
): Change<SignedIn | MfaRequired> {
  if (isAskedForFactor(project, user))
    return askForFactor(session, user, { ...options, created: true });
  const newUser = { ...user, ...withDevice({}, session) };
  return startSession(session, { ...options, newUser }).as(() => ({
    session,
    user: withLastSignIn(user, session),
    created: true,
  }));
}

function askForFactor(
  session: SessionItem,
  user: UserItem,
  {
    replacesAllSessions,
    condition,
    events = [],
    writes,
    created,
    ...options
  }: Omit<SessionStart, 'device'> & { created?: true },
): Change<MfaRequired> {
  const { project_id, uid, method } = session;
  const { now } = currentRequest();
  currentRequest().subject = { project_id, uid };
  if (user.disabled) throw new ApiError('user_disabled');
  const mfa_token = newSecret();
  // The devices of the sessions that end are no longer known: only the one that goes on at the second step.
  const changes = replacesAllSessions
    ? merged(options.changes ?? {}, { set: withDevice({}, session) })
    : options.changes;
  const item: MfaTokenItem = {
    ...keys.mfaToken(mfa_token),
    project_id,
    uid,
    method,
    version: user.version + (changes?.add?.['version'] ?? 0),
    sign_outs: user.sign_outs ?? 0,
    expires_at: epochSeconds(now) + lifetimes.mfaToken,
    ...(created && { created }),
  };
  const admitted = and(userExists, condition);
  const waiting = () => {
    if (created) return create<UserItem>(itemWithEvents(user, userCreated, ...events));
    return changes
      ? update<UserItem>(keys.user(uid), withEvents(changes, ...events), admitted)
      : assert<UserItem>(keys.user(uid), admitted);
  };
  const methods: MfaRequired['methods'] =
    user.factor_method === undefined ? ['enrol'] : ['totp', 'recovery_code'];
  return change(
    {
      ...writes,
      user: waiting(),
      mfa: create(item),
    },
    { mfa_required: true, mfa_token, methods },
  );
}
