import type { ApiError } from './api-error.ts';
import type { UserClient } from './client.ts';
import type { User } from './generated/api.ts';

/** The fields of a profile that a form has: those of React lack the picture. */
export type ProfileFields = Partial<ReturnType<typeof profileFields>>;

export const profileFields = ({ display_name, name, thumbnail_url }: User) => ({
  display_name,
  given_name: name.given_name,
  family_name: name.family_name,
  thumbnail_url,
});

/** Changes the profile of a user as often as its form is sent. */
export function profileChanges(user: User) {
  /** What the form began with, and what it has asked for since: the answer may have been lost. */
  let known: ProfileFields[] = [profileFields(user)];

  /**
   * Changes the profile, unless one of the fields of `wanted` was changed elsewhere, which nobody has seen yet.
   * @returns the user as they are now, and what was changed elsewhere: then nothing is changed here
   */
  return async function change(
    api: Pick<UserClient, 'users'>,
    wanted: ProfileFields,
    tries = 3,
  ): Promise<{ user: User; elsewhere: ProfileFields | undefined }> {
    const { body: latest, headers } = await api.users.getMe();
    known.push(wanted);
    const fields = Object.entries(profileFields(latest)) as [keyof ProfileFields, string][];
    const changed = fields.filter(
      ([name, value]) => name in wanted && known.every((each) => each[name] !== value),
    );
    if (changed.length > 0) {
      known = [profileFields(latest)];
      return { user: latest, elsewhere: Object.fromEntries(changed) };
    }
    const { given_name, family_name, ...rest } = wanted;
    // The parts that are left out become empty.
    const name = { given_name, family_name, formatted: latest.name.formatted };
    const options = { ifMatch: headers.get('etag') ?? undefined };
    try {
      const { body } = await api.users.update({ uid: latest.uid, name, ...rest }, options);
      known = [profileFields(body)];
      return { user: body, elsewhere: undefined };
    } catch (error) {
      if (tries === 1 || (error as ApiError).code !== 'precondition_failed') throw error;
      return change(api, wanted, tries - 1);
    }
  };
}
