import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import { isLiveSession, type SessionItem } from '../access/live-session.ts';
import type { Project } from '../access/projects.ts';
import { toApiKey } from '../api-keys/views.ts';
import type { UserExport } from '../contract/user-export.ts';
import { toFactor } from '../factors/factors.ts';
import { toSession, toUser } from '../identity/users/views.ts';
import { fieldsOf, shownTo } from '../metadata/stored.ts';
import type { Event } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { toPasskey } from '../passkeys/passkeys.ts';
import { toInvitation, toMember, toWorkspace } from '../workspaces/views.ts';
import type { StoredPlace, StoredUserData } from './export.ts';

/**
 * A page of a user's data export, without credentials. Data that is not a list is in the first page.
 *
 * @param options.caller who asks, and in which session
 */
export function toUserExport(
  stored: StoredUserData,
  project: Project,
  { caller, isFirst }: { caller: ProjectCaller | PersonCaller; isFirst: boolean },
  now: Date,
): UserExport {
  const current = caller.kind === 'person' ? caller.session_id : undefined;
  const { user, password, passkeys, sessions, memberships, invitations, joinRequests, log } =
    stored;
  const live = sessions.filter((session) => isLiveSession(session, now));
  // Nothing else limits them: each sign-in of a client that uses its refresh tokens twice leaves one.
  const ended = sessions
    .filter((session) => !isLiveSession(session, now))
    .slice(0, limits.exportedOfEach);
  const toShown = (session: SessionItem) => toSession(session, current);
  const metadata = shownTo(caller, fieldsOf(stored.metadata));
  return {
    exported_at: now.toISOString(),
    user: toUser(user),
    ...(password && { password: { changed_at: password.changed_at } }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    identities: Object.entries((isFirst && user.identities) || {}).map(
      ([provider, { issuer, subject }]) => ({
        provider,
        issuer,
        subject,
        ...(stored.tokensKept.has(provider) && { tokens_kept: true as const }),
      }),
    ),
    ...(passkeys.length > 0 && { passkeys: passkeys.map(toPasskey) }),
    ...(stored.factor && { factors: [toFactor(stored.factor)] }),
    ...stored.obstacles,
    sessions: live.map(toShown),
    ...(ended.length > 0 && { ended_sessions: ended.map(toShown) }),
    ...(stored.apiKeys.length > 0 && {
      api_keys: stored.apiKeys.map(({ key, last_used_on }) => toApiKey(key, now, last_used_on)),
    }),
    memberships: memberships.map((each) => ({ ...toMember(each.item), ...whereIs(each) })),
    invitations: invitations.map((each) => ({
      ...toInvitation(each.item, now),
      ...whereIs(each),
    })),
    join_requests: joinRequests.map((each) => {
      const { workspace_id, created_at, message } = each.item;
      return {
        workspace_id,
        created_at,
        ...(message !== undefined && { message }),
        ...whereIs(each),
      };
    }),
    owned_workspaces: memberships
      .map(({ workspace }) => workspace)
      .filter((workspace) => workspace !== undefined)
      .filter(({ owner_id, deleted_at }) => owner_id === user.uid && deleted_at === undefined)
      .map((workspace) => toWorkspace(workspace, project)),
    events: caller.kind === 'person' ? log.events.flatMap(toPersonsEvent) : log.events,
    ...(log.more && { events_truncated: true as const }),
  };
}

/** An event of a user's log as the user may see it: without private metadata. */
function toPersonsEvent(event: Event): Event[] {
  const { type, data } = event;
  if (type !== 'user.metadata_changed') return [event];
  const fields = (data['fields'] as string[]).filter((name) => name !== 'private_metadata');
  return fields.length === 0 ? [] : [{ ...event, data: { ...data, fields } }];
}

function whereIs({ workspace }: StoredPlace<unknown>) {
  return {
    workspace_name: workspace?.name ?? '',
    ...(workspace?.deleted_at !== undefined && { workspace_deleted: true }),
  };
}
