import type { UserData, UserItem } from '../identity/users.ts';
import type { MemberItem } from './items.ts';

/** What a copy of a user shows. Named one by one: what a user item may come to hold must not spread by itself. */
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
 * The copy of a user that its member items carry, so that a page of members is one read. It holds nothing that is
 * unset: a member item of a usual size stays within one write unit.
 */
export function projectProfile(item: UserItem): string {
  return JSON.stringify(Object.fromEntries(copied.map((name) => [name, item[name]])));
}

/** The copy of its user that a member carries. */
export const profileOf = ({ profile }: Pick<MemberItem, 'profile'>): ProjectedUser =>
  JSON.parse(profile) as ProjectedUser;
