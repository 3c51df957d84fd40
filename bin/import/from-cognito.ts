import {
  flagOf,
  type Format,
  identitiesOf,
  jsonIn,
  metadataIn,
  objectsIn,
  present,
  profileOf,
  requireObject,
  textOf,
  timeOf,
} from './format.ts';
import { readJsonObjects } from './read-json.ts';

/** What the names of attributes of a pool's own begin with. */
const custom = 'custom:';

/** Pages of `aws cognito-idp list-users`, one after another. Cognito gives nobody its password hashes. */
export const cognito: Format = {
  read: (file) => readJsonObjects(file, 'Users'),
  toUser(value, options) {
    const user = requireObject(value);
    const list = objectsIn(user['Attributes']);
    const attributes = Object.fromEntries(list.map(({ Name, Value }) => [String(Name), Value]));
    const email = textOf(attributes['email']);
    const verified = flagOf(attributes['email_verified'], 'email_verified');
    const linked = jsonIn(attributes['identities'], 'identities');
    const identities = objectsIn(linked);
    return present({
      external_id: textOf(attributes['sub']) ?? textOf(user['Username']),
      email,
      email_verified: verified && email !== undefined ? true : undefined,
      identities: identitiesOf(
        identities.map(({ providerType, userId }) => ({ provider: providerType, subject: userId })),
        options,
      ),
      disabled: flagOf(user['Enabled'], 'Enabled') === false ? true : undefined,
      created_at: timeOf(user['UserCreateDate']),
      app_metadata: metadataIn(
        Object.fromEntries(
          Object.entries(attributes).flatMap(([name, given]) =>
            name.startsWith(custom) ? [[name.slice(custom.length), given]] : [],
          ),
        ),
      ),
      ...profileOf({
        given_name: attributes['given_name'],
        family_name: attributes['family_name'],
        name: attributes['name'],
        username: attributes['preferred_username'],
        picture: attributes['picture'],
      }),
    });
  },
};
