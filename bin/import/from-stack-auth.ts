import {
  emailOf,
  type Format,
  flagOf,
  hashIn,
  metadataIn,
  profileOf,
  requireFields,
  requireFlag,
  requireObjects,
  textOf,
  toIsoTime,
  withoutUndefined,
} from './format.ts';
import { byGraphId, identitiesOf } from './identities.ts';
import { readLines } from './read-lines.ts';

/**
 * Users of Stack Auth's `GET /api/v1/users` as JSON lines, each with those of `GET /api/v1/oauth-providers`, or of its
 * database with `password_hash` too; the guide has script and query.
 */
export const stackAuth: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['primary_email']), external_id: textOf(user['id']) }),
  toUser(user, options) {
    requireFields(user, ['id', 'primary_email', 'primary_email_verified', 'oauth_providers']);
    const accounts = requireObjects(user['oauth_providers'], 'oauth_providers');
    const restricted = requireFlag(user['restricted_by_admin'], 'restricted_by_admin');
    const email = textOf(user['primary_email']);
    const verified = flagOf(user['primary_email_verified'], 'primary_email_verified');
    return withoutUndefined({
      external_id: textOf(user['id']),
      ...emailOf(email, verified),
      password_hash: hashIn(user['password_hash'], 'password_hash'),
      identities: identitiesOf(
        accounts
          // Others are connected for their tokens alone.
          .filter(({ allow_sign_in }) =>
            requireFlag(allow_sign_in, 'oauth_providers: allow_sign_in'),
          )
          .map(({ type, account_id }) => ({ provider: byGraphId(type), subject: account_id })),
        options,
      ),
      disabled: restricted ? true : undefined,
      created_at: toIsoTime(user['signed_up_at_millis'], 'signed_up_at_millis'),
      // Users can change the first and read the second.
      user_metadata: metadataIn(user['client_metadata']),
      app_metadata: metadataIn(user['client_read_only_metadata']),
      private_metadata: metadataIn(user['server_metadata']),
      ...profileOf({ name: user['display_name'], picture: user['profile_image_url'] }),
    });
  },
};
