import { isObject } from '../../shared/model/json-object.ts';
import {
  emailOf,
  type Format,
  jsonIn,
  metadataIn,
  profileOf,
  requireObjects,
  textOf,
  toIsoTime,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readCsv } from './read-csv.ts';

/** Columns that decide who a user is and whether they may sign in. */
const columns = ['id', 'email', 'encrypted_password', 'email_confirmed_at', 'banned_until'];

/** The table auth.users as CSV, with the accounts of auth.identities as JSON; the guide has the query. */
export const supabase: Format = {
  read: (file) => readCsv(file, columns),
  nameOf: (user) => ({ email: textOf(user['email']), external_id: textOf(user['id']) }),
  toUser(user, options) {
    const metadata = jsonIn(user['raw_user_meta_data'], 'raw_user_meta_data');
    const data = isObject(metadata) ? metadata : {};
    const identities = requireObjects(jsonIn(user['identities'], 'identities'), 'identities');
    const email = textOf(user['email']);
    const confirmed = toIsoTime(user['email_confirmed_at'], 'email_confirmed_at');
    const until = toIsoTime(user['banned_until'], 'banned_until');
    return withoutUndefined({
      external_id: textOf(user['id']),
      ...emailOf(email, confirmed !== undefined),
      password_hash: textOf(user['encrypted_password']),
      identities: identitiesOf(
        identities.map(({ provider, provider_id }) => ({ provider, subject: provider_id })),
        options,
      ),
      disabled: until !== undefined && until > new Date().toISOString() ? true : undefined,
      created_at: toIsoTime(user['created_at'], 'created_at'),
      user_metadata: metadataIn(data),
      app_metadata: metadataIn(jsonIn(user['raw_app_meta_data'], 'raw_app_meta_data')),
      ...profileOf({
        name: data['full_name'] ?? data['name'],
        username: data['preferred_username'] ?? data['user_name'],
        picture: data['avatar_url'] ?? data['picture'],
      }),
    });
  },
};
