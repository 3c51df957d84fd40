import type { ApiError } from './api-error.ts';
import type { UserClient } from './client.ts';
import type { User } from './generated/api.ts';

/** The fields of a profile that its form has; a form may lack the picture. */
export type ProfileFields = Omit<AllFields, 'thumbnail_url'> &
  Partial<Pick<AllFields, 'thumbnail_url'>>;

type AllFields = ReturnType<typeof profileFields>;

export const profileFields = ({ display_name, name, thumbnail_url }: User) => ({
  display_name,
  given_name: name.given_name,
  family_name: name.family_name,
  thumbnail_url,
});

/**
 * Changes a profile, unless one of the fields of `wanted` was changed elsewhere since `before`, which nobody has seen
 * yet. A change that has been made already, such as one whose answer was lost, is none.
 * @returns the user as they are now, and what was changed elsewhere: then nothing is changed here
 */
export async function changeProfile(
  api: Pick<UserClient, 'users'>,
  before: ProfileFields,
  wanted: ProfileFields,
  tries = 3,
): Promise<{ user: User; elsewhere: Partial<ProfileFields> | undefined }> {
  const { body: latest, headers } = await api.users.getMe();
  const fields = Object.entries(profileFields(latest)) as [keyof ProfileFields, string][];
  const changed = fields.filter(
    ([name, value]) => name in wanted && ![before[name], wanted[name]].includes(value),
  );
  if (changed.length > 0) return { user: latest, elsewhere: Object.fromEntries(changed) };
  const { given_name, family_name, ...rest } = wanted;
  // The parts that are left out become empty.
  const name = { given_name, family_name, formatted: latest.name.formatted };
  const options = { ifMatch: headers.get('etag') ?? undefined };
  try {
    const { body } = await api.users.update({ uid: latest.uid, name, ...rest }, options);
    return { user: body, elsewhere: undefined };
  } catch (error) {
    if (tries === 1 || (error as ApiError).code !== 'precondition_failed') throw error;
    return changeProfile(api, before, wanted, tries - 1);
  }
}
