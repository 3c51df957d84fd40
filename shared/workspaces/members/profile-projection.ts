import type { UserData, UserItem } from '../../identity/users/users.ts';
import type { MemberItem } from '../items.ts';

/** The user attributes in a profile copy. An explicit list, so that new attributes are not copied by accident. */
const copied = [
  'email',
  'profile_url',
  'preferred_username',
  'thumbnail_url',
  'name',
  'display_name',
  'about_me',
  'current_location',
  'social',
  'sign_in_methods',
  'verified',
  'wallet',
  'created_at',
  'modified_at',
  'photos',
  'urls',
  'agreed_tos_at',
  'agreed_sign_up_at',
  'disabled',
] as const satisfies (keyof UserData)[];
type ProjectedUser = Pick<UserData, (typeof copied)[number]>;

/**
 * Serializes the copy of a user that member items carry, so that a page of members needs one query. Unset attributes
 * are omitted: a member item of usual size stays within one write unit.
 */
export function projectProfile(item: UserItem): string {
  return JSON.stringify(Object.fromEntries(copied.map((name) => [name, item[name]])));
}

/** The profile copy of a member. */
export const profileOf = ({ profile }: Pick<MemberItem, 'profile'>): ProjectedUser =>
  JSON.parse(profile) as ProjectedUser;
