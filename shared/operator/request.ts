import * as z from 'zod';
import { linkPurposes, tokenAlgorithms } from '../access/projects.ts';
import { email } from '../model/email.ts';
import { httpsUrl, line, projectId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';

/** The requests that the operator function accepts. */

/**
 * `http:` is allowed only on this machine, where no network can read or change the traffic: for a provider or page in
 * development.
 */
const onThisMachine = /^http:(?=\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/;
const secureUrl = z
  .string()
  .refine(
    (url) => httpsUrl.safeParse(url.replace(onThisMachine, 'https:')).success,
    'Must be an https URL, or http on this machine',
  );

/** The sign-in methods that are not identity providers. */
const ownMethods: readonly string[] = ['idpw', 'email_code', 'project'];
const methodName = z
  .string()
  .refine((name) => /^[a-z][a-z0-9_-]{0,31}$/.test(name) && !ownMethods.includes(name));

const google = {
  issuer: 'https://accounts.google.com',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};
const identityProviders = z.preprocess(
  (given) => {
    const known = (given as { google?: unknown } | null | undefined)?.google;
    return typeof known === 'object'
      ? { ...(given as object), google: { ...google, ...known } }
      : given;
  },
  z.record(
    methodName,
    z.strictObject({
      issuer: secureUrl,
      jwks_uri: secureUrl,
      client_ids: z.array(line(255).min(1)).min(1).max(20),
    }),
    {
      error: ({ code }) =>
        code === 'invalid_key'
          ? `Must have a name of 1 to 32 of a-z, 0-9, _ and -, starting with a letter, and not ${ownMethods.join(', ')}`
          : undefined,
    },
  ),
);

const mailLinks = z.partialRecord(
  z.enum(linkPurposes),
  // The mailed token is put into the fragment, which browsers do not send to servers.
  secureUrl.refine(
    (url) => !url.includes('#'),
    'Must not contain #: the token is added as the fragment',
  ),
);

// NIST SP 800-63B: a password of 64 characters must always be accepted.
export const maxMinimumLength = 64;
const minPasswordLength = z.int().min(limits.password.least).max(maxMinimumLength);

/** The settings that cannot be unset. */
const settings = {
  invitation_base_url: secureUrl.exactOptional(),
  create_users_on_get: z.boolean().exactOptional(),
  password_sign_in: z.boolean().exactOptional(),
  code_sign_in: z.boolean().exactOptional(),
  sign_up: z.boolean().exactOptional(),
  new_device_mail: z.boolean().exactOptional(),
  token_algorithm: z.enum(tokenAlgorithms).exactOptional(),
};
const name = line(limits.name).min(1);
const secretId = z
  .string()
  .regex(/^[0-9a-f]{8}$/, 'Must be 8 hexadecimal digits, as shown by list-secrets');

export const operatorRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('create'),
    project_id: projectId.exactOptional(),
    name,
    ...settings,
    min_password_length: minPasswordLength.exactOptional(),
    identity_providers: identityProviders.exactOptional(),
    mail_sender: email.exactOptional(),
    mail_sender_name: name.exactOptional(),
    mail_links: mailLinks.exactOptional(),
  }),
  z.strictObject({ action: z.literal('list') }),
  z.strictObject({
    action: z.literal('update'),
    project_id: projectId,
    name: name.exactOptional(),
    ...settings,
    // Null unsets the setting. An object replaces the previous one.
    min_password_length: minPasswordLength.nullable().exactOptional(),
    identity_providers: identityProviders.nullable().exactOptional(),
    mail_sender: email.nullable().exactOptional(),
    mail_sender_name: name.nullable().exactOptional(),
    mail_links: mailLinks.nullable().exactOptional(),
  }),
  z.strictObject({
    action: z.literal('rotate-key'),
    project_id: projectId,
    keep: z
      .int()
      .min(0)
      .max(limits.liveSecretsPerProject - 1)
      .exactOptional(),
  }),
  z.strictObject({ action: z.literal('create-secret'), project_id: projectId }),
  z.strictObject({ action: z.literal('list-secrets'), project_id: projectId }),
  z.strictObject({
    action: z.literal('revoke-secret'),
    project_id: projectId,
    secret_id: secretId,
  }),
]);
export type OperatorRequest = z.output<typeof operatorRequest>;
export type RequestOf<A extends OperatorRequest['action']> = OperatorRequest & { action: A };

/** Validates the request of an invocation. Throws an Error whose message lists every invalid field for the operator. */
export async function readOperatorRequest(event: unknown): Promise<OperatorRequest> {
  const { data, error } = await operatorRequest.safeParseAsync(event);
  if (error)
    throw new Error(
      error.issues
        .map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`)
        .join('; '),
    );
  return data;
}
