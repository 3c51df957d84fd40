import * as z from 'zod';
import { linkPurposes } from '../access/projects.ts';
import { email } from '../model/email.ts';
import { httpsUrl, line, projectId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';

/** What the operator may ask for: the requests that the operator function takes. */

/** `http:` where no network can read or change what is sent: a provider or a page under development. */
const onThisMachine = /^http:(?=\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/;
const secureUrl = z
  .string()
  .refine(
    (url) => httpsUrl.safeParse(url.replace(onThisMachine, 'https:')).success,
    'Must be an https URL, or http on this machine',
  );

/** The ways in that are no identity provider. */
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
          ? `Must be named by 1 to 32 of a-z, 0-9, _ and -, a letter first, and not ${ownMethods.join(', ')}`
          : undefined,
    },
  ),
);

const mailLinks = z.partialRecord(
  z.enum(linkPurposes),
  // The mailed token becomes the fragment, which no browser sends to a server.
  secureUrl.refine((url) => !url.includes('#'), 'Must have no #, behind which the token goes'),
);

// SP 800-63B: a password of 64 characters is good everywhere.
export const maxMinimumLength = 64;
const minPasswordLength = z.int().min(limits.password.least).max(maxMinimumLength);

/** The settings that are on or off, or have a value at all times. */
const settings = {
  invitation_base_url: httpsUrl.exactOptional(),
  create_users_on_get: z.boolean().exactOptional(),
  password_sign_in: z.boolean().exactOptional(),
  code_sign_in: z.boolean().exactOptional(),
  sign_up: z.boolean().exactOptional(),
  new_device_mail: z.boolean().exactOptional(),
};
const name = line(limits.name).min(1);
const secretId = z
  .string()
  .regex(/^[0-9a-f]{8}$/, 'Must be 8 of 0-9 and a-f, as list-secrets shows it');

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
    // Null leaves it unset. An object takes the place of the one before it.
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

/** The request of an invocation. Throws an Error whose message names every wrong field, for a person to read. */
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
