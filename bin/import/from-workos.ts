import {
  emailOf,
  type Format,
  flagOf,
  metadataIn,
  profileOf,
  requireFields,
  requireObjects,
  textOf,
  toIsoTime,
  withoutUndefined,
} from './format.ts';
import { byGraphId, identitiesOf } from './identities.ts';
import { readLines } from './read-lines.ts';

/**
 * Users of WorkOS's `GET /user_management/users` as JSON lines, each with its identities; the guide has the script.
 * WorkOS exports no password hashes.
 */
export const workos: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['email']), external_id: textOf(user['id']) }),
  toUser(user, options) {
    requireFields(user, ['id', 'email', 'email_verified', 'identities']);
    const email = textOf(user['email']);
    const verified = flagOf(user['email_verified'], 'email_verified');
    const external_id = textOf(user['external_id']);
    return withoutUndefined({
      external_id: textOf(user['id']),
      ...emailOf(email, verified),
      identities: identitiesOf(
        requireObjects(user['identities'], 'identities').map(({ provider, idp_id }) => ({
          provider: byGraphId(
            textOf(provider)
              ?.replace(/OAuth$/, '')
              .toLowerCase(),
          ),
          subject: idp_id,
        })),
        options,
      ),
      created_at: toIsoTime(user['created_at'], 'created_at'),
      // The customer's own id of the user; ours is WorkOS's, because its organizations refer to that.
      app_metadata: metadataIn({
        ...metadataIn(user['metadata']),
        ...(external_id && { external_id }),
      }),
      ...profileOf({
        given_name: user['first_name'],
        family_name: user['last_name'],
        picture: user['profile_picture_url'],
      }),
    });
  },
};
