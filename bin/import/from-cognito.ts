import {
  emailOf,
  type Format,
  flagOf,
  jsonIn,
  metadataIn,
  objectsIn,
  profileOf,
  requireObjects,
  textOf,
  toIsoTime,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readJsonObjects } from './read-json.ts';

/** Prefix of the names of a pool's custom attributes. */
const custom = 'custom:';

/** Pages of `aws cognito-idp list-users`, one after another. Cognito does not export password hashes. */
export const cognito: Format = {
  read: (file) => readJsonObjects(file, 'Users'),
  nameOf,
  toUser(user, options) {
    const attributes = attributesOf(requireObjects(user['Attributes'], 'Attributes'));
    const { email, external_id } = nameOf(user);
    const verified = flagOf(attributes['email_verified'], 'email_verified');
    const identities = requireObjects(jsonIn(attributes['identities'], 'identities'), 'identities');
    return withoutUndefined({
      external_id,
      ...emailOf(email, verified),
      identities: identitiesOf(
        identities.map((each) => ({ provider: providerOf(each), subject: each['userId'] })),
        options,
      ),
      disabled: flagOf(user['Enabled'], 'Enabled') === false ? true : undefined,
      created_at: toIsoTime(user['UserCreateDate'], 'UserCreateDate'),
      app_metadata: metadataIn(
        Object.fromEntries(
          Object.entries(attributes).flatMap(([name, attribute]) =>
            name.startsWith(custom) ? [[name.slice(custom.length), attribute]] : [],
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

/** A pool can have several providers of these types, whose subjects may be equal. */
const providerOf = ({ providerType, providerName }: Record<string, unknown>): unknown =>
  providerType === 'OIDC' || providerType === 'SAML' ? providerName : providerType;

const attributesOf = (list: readonly Record<string, unknown>[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ Name, Value }) => [String(Name), Value]));

function nameOf(user: Record<string, unknown>) {
  const { email, sub } = attributesOf(objectsIn(user['Attributes']));
  return { email: textOf(email), external_id: textOf(sub) ?? textOf(user['Username']) };
}
