import type { UserData, UserItem } from '../../identity/users/users.ts';
import type { MemberItem } from '../items.ts';

/** Attributes that no profile copy contains. */
type NotCopied = 'uid' | 'project_id' | 'last_sign_in_at' | 'external_id';

/** The user attributes in a profile copy. A new attribute does not compile before it is named here or above. */
const copied = {
  email: true,
  profile_url: true,
  preferred_username: true,
  thumbnail_url: true,
  name: true,
  display_name: true,
  about_me: true,
  current_location: true,
  social: true,
  sign_in_methods: true,
  verified: true,
  wallet: true,
  created_at: true,
  modified_at: true,
  photos: true,
  urls: true,
  agreed_tos_at: true,
  agreed_sign_up_at: true,
  disabled: true,
} satisfies Record<Exclude<keyof UserData, NotCopied>, true>;
type Copied = keyof typeof copied;
type ProjectedUser = Pick<UserData, Copied>;

/**
 * Serializes the copy of a user that member items carry, so that a page of members needs one query. Unset attributes
 * are omitted: a member item of usual size stays within one write unit.
 */
export function projectProfile(item: UserItem): string {
  const names = Object.keys(copied) as Copied[];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, item[name]])));
}

/** The profile copy of a member. */
export const profileOf = ({ profile }: Pick<MemberItem, 'profile'>): ProjectedUser =>
  JSON.parse(profile) as ProjectedUser;
