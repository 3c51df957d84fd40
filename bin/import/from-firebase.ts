import { CommandFailure } from '../flags.ts';
import { readText } from '../read-text.ts';
import {
  emailOf,
  type FirebaseParameters,
  type Format,
  type FormatOptions,
  flagOf,
  jsonIn,
  metadataIn,
  profileOf,
  requireObjects,
  textOf,
  toIsoTime,
  UnusableRecord,
  unpadded,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readJsonObjects } from './read-json.ts';

/** The file of `firebase auth:export users.json --format=json`. */
export const firebase: Format = {
  read: (file) => readJsonObjects(file, 'users'),
  nameOf: (user) => ({ email: textOf(user['email']), external_id: textOf(user['localId']) }),
  toUser(user, options) {
    const identities = requireObjects(user['providerUserInfo'], 'providerUserInfo');
    const email = textOf(user['email']);
    const verified = flagOf(user['emailVerified'], 'emailVerified');
    return withoutUndefined({
      external_id: textOf(user['localId']),
      ...emailOf(email, verified),
      password_hash: hashOf(user, options),
      identities: identitiesOf(
        identities.map(({ providerId, rawId }) => ({
          provider: nameIn(textOf(providerId)),
          subject: rawId,
        })),
        options,
      ),
      disabled: flagOf(user['disabled'], 'disabled') ? true : undefined,
      created_at: toIsoTime(user['createdAt'], 'createdAt'),
      app_metadata: metadataIn(jsonIn(user['customAttributes'], 'customAttributes')),
      ...profileOf({ name: user['displayName'], picture: user['photoUrl'] }),
    });
  },
};

/** Without Firebase's prefix of the OIDC and SAML providers of a project, which no provider here can have in its name. */
const nameIn = (providerId: string | undefined) => providerId?.replace(/^(?:oidc|saml)\./, '');

/** Firebase's placeholder for each hash if the exporting account may not read hashes; the salt is then missing. */
const redacted = unpadded(Buffer.from('REDACTED').toString('base64'));

/** Throws an `UnusableRecord` for an incomplete hash: its user would permanently be imported without a password. */
function hashOf(user: Record<string, unknown>, { firebase: parameters }: FormatOptions) {
  const [tag, salt] = [textOf(user['passwordHash']), textOf(user['salt'])];
  // Users without a password have no hash, and those whose hash is of another algorithm an empty one.
  if (tag === undefined) return undefined;
  if (unpadded(tag) === redacted)
    throw new UnusableRecord(
      'passwordHash: Is redacted; export with an account that has the permission firebaseauth.configs.getHashConfig',
    );
  if (salt === undefined) throw new UnusableRecord('salt: Is required with a passwordHash');
  if (!parameters)
    throw new UnusableRecord('Has a password hash: pass --firebase-hash-config FILE');
  const { memCost, rounds, saltSeparator, signerKey } = parameters;
  const [ss, sk] = [unpadded(saltSeparator), unpadded(signerKey)];
  return `$firebase-scrypt$ln=${memCost},r=${rounds},ss=${ss},sk=${sk}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Reads the parameters as Firebase's console shows them (Authentication, Users, Password hash parameters). */
export async function readFirebaseParameters(file: string): Promise<FirebaseParameters> {
  const text = await readText(file);
  const field = (name: string, value: string) =>
    new RegExp(`${name}"?\\s*:\\s*"?(${value})`).exec(text)?.[1] ?? '';
  const signerKey = field('base64_signer_key', '[\\w+/=-]+');
  const [rounds, memCost] = [field('rounds', '\\d+'), field('mem_cost', '\\d+')];
  if (!signerKey || !rounds || !memCost || !/algorithm"?\s*:\s*"?SCRYPT\b/.test(text))
    throw new CommandFailure(
      `${file} must have algorithm: SCRYPT, base64_signer_key, base64_salt_separator, rounds and mem_cost, as Firebase's console shows them.`,
    );
  const saltSeparator = field('base64_salt_separator', '[\\w+/=-]+');
  return { signerKey, saltSeparator, rounds: Number(rounds), memCost: Number(memCost) };
}
