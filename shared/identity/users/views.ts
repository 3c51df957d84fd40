import type { SessionItem } from '../../access/live-session.ts';
import type { UserDeletion } from '../../contract/user-export.ts';
import type { FoundUser, SessionInfo, User } from '../../model/user-resources.ts';
import type { DeletedUserItem, UserData, UserItem } from './users.ts';

/** A user with all fields that the API always returns, empty if unset. */
export function toUser(item: UserData): User {
  return {
    uid: item.uid,
    project_id: item.project_id,
    email: item.email,
    profile_url: item.profile_url ?? '',
    preferred_username: item.preferred_username ?? '',
    thumbnail_url: item.thumbnail_url ?? '',
    name: {
      given_name: item.name?.given_name ?? '',
      family_name: item.name?.family_name ?? '',
      formatted: item.name?.formatted ?? '',
    },
    display_name: item.display_name ?? '',
    about_me: item.about_me ?? '',
    current_location: item.current_location ?? '',
    ...(item.social !== undefined && { social: item.social }),
    sign_in_methods: item.sign_in_methods ?? {},
    verified: item.verified,
    address: item.wallet.address,
    wallet: item.wallet,
    created_at: item.created_at,
    modified_at: item.modified_at,
    photos: item.photos ?? [],
    urls: item.urls ?? [],
    ...(item.last_sign_in_at !== undefined && { last_sign_in_at: item.last_sign_in_at }),
    ...toAgreement(item),
    ...(item.disabled && { disabled: true }),
    ...(item.external_id !== undefined && { external_id: item.external_id }),
  };
}

function toAgreement({ agreed_tos_at: tos, agreed_sign_up_at: sign_up }: UserData) {
  if (tos === undefined && sign_up === undefined) return {};
  return { agreed_terms: { ...(tos && { tos }), ...(sign_up && { sign_up }) } };
}

/** A user as `users/search` returns it, with `displayed_name`. */
export function toSearchResult(item: UserItem): FoundUser {
  const { display_name, ...user } = toUser(item);
  return { ...user, displayed_name: display_name };
}

/** The receipt of a deleted user. */
export const toUserDeletion = (item: DeletedUserItem): UserDeletion => ({
  uid: item.uid,
  project_id: item.project_id,
  deleted_at: item.deleted_at,
  ...(item.completed_at !== undefined && { completed_at: item.completed_at }),
});

/** A live session as its user sees it. `current`: the id of the caller's session. */
export function toSession(item: SessionItem, current: string | undefined): SessionInfo {
  return {
    session_id: item.session_id,
    method: item.method ?? 'project',
    created_at: item.created_at,
    last_refreshed_at: item.rotated_at,
    user_agent: item.user_agent ?? '',
    address: item.address ?? '',
    ...(item.client_id !== undefined && { client_id: item.client_id }),
    ...(item.actor && { actor: item.actor }),
    current: item.session_id === current,
  };
}
