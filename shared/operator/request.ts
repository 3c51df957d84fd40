import * as z from 'zod';
import { impersonations, linkPurposes, tokenAlgorithms } from '../access/projects.ts';
import { reservedProjectIds } from '../contract/reserved-ids.ts';
import { email } from '../model/email.ts';
import { line, mfaModes, projectId, uid, workspaceCreations } from '../model/fields.ts';
import { languages } from '../model/languages.ts';
import { limits } from '../model/limits.ts';
import { claimOf, isReservedClaim, tokenClaimPath } from '../model/token-claims.ts';
import { branding } from './branding.ts';
import { captcha } from './captcha.ts';
import { clientRequests } from './client-requests.ts';
import { forPasskeys, origins, rpId } from './relying-party.ts';
import { secretRequests } from './secret-requests.ts';
import { returnUrls, signInProviders } from './sign-in-providers.ts';
import { pagesDomain, secureUrl } from './urls.ts';

/** The requests that the operator function accepts. */

/** The sign-in methods and second factors that are not identity providers: a session has either by its name. */
const ownMethods: readonly string[] = [
  ...['idpw', 'email_code', 'email_link', 'passkey', 'project'],
  ...['totp', 'recovery_code'],
];
const methodName = z
  .string()
  .refine((name) => /^[a-z][a-z0-9_-]{0,31}$/.test(name) && !ownMethods.includes(name));

const wrongName: z.core.$ZodErrorMap = ({ code }) =>
  code === 'invalid_key'
    ? `Must have a name of 1 to 32 of a-z, 0-9, _ and -, starting with a letter, and not ${ownMethods.join(', ')}`
    : undefined;

const google = {
  issuer: 'https://accounts.google.com',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
};
const identityProviders = z.preprocess(
  (input) => {
    const setting = (input as { google?: unknown } | null | undefined)?.google;
    return typeof setting === 'object'
      ? { ...(input as object), google: { ...google, ...setting } }
      : input;
  },
  z.record(
    methodName,
    z.strictObject({
      issuer: secureUrl,
      jwks_uri: secureUrl,
      client_ids: z.array(line(255).min(1)).min(1).max(20),
      authorization_endpoint: secureUrl.exactOptional(),
    }),
    { error: wrongName },
  ),
);

// The mailed token is put into the fragment, which browsers do not send to servers.
const linkUrl = secureUrl.refine(
  (url) => !url.includes('#'),
  'Must not contain #: the token is added as the fragment',
);
const mailLinks = z.partialRecord(z.enum(linkPurposes), linkUrl);

// NIST SP 800-63B: a password of 64 characters must always be accepted.
export const maxMinimumLength = 64;
const minPasswordLength = z.int().min(limits.password.least).max(maxMinimumLength);

const apiKeyRateLimit = z.int().min(1).max(limits.apiKeys.requestsPerMinute);

const tokenClaims = z
  .array(
    z
      .string()
      .regex(tokenClaimPath, 'Must be external_id or a path such as app_metadata.plan')
      .refine((path) => !isReservedClaim(claimOf(path)), 'Must not end with a reserved claim'),
  )
  .max(limits.tokenClaims)
  .refine(
    (paths) => new Set(paths.map(claimOf)).size === paths.length,
    'Must not contain two paths that end with the same name',
  );

/** The same fields, each of which may be left out. */
const optional = <S extends z.ZodRawShape>(shape: S) =>
  mapped(shape, z.exactOptional) as { [K in keyof S]: z.ZodExactOptional<S[K]> };

/** The same fields, each of which may be null. */
const nullable = <S extends z.ZodRawShape>(shape: S) =>
  mapped(shape, z.nullable) as { [K in keyof S]: z.ZodNullable<S[K]> };

const mapped = (shape: z.ZodRawShape, change: (field: z.core.$ZodType) => z.core.$ZodType) =>
  Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, change(field)]));

const name = line(limits.name).min(1);
/** The settings that cannot be unset. */
const lasting = optional({
  create_users_on_get: z.boolean(),
  password_sign_in: z.boolean(),
  code_sign_in: z.boolean(),
  link_sign_in: z.boolean(),
  passkeys: z.boolean(),
  mfa: z.enum(mfaModes),
  recent_sign_in: z.boolean(),
  sign_up: z.boolean(),
  new_device_mail: z.boolean(),
  impersonation: z.enum(impersonations),
  workspace_creation: z.enum(workspaceCreations),
  workspace_roles: z.boolean(),
  token_algorithm: z.enum(tokenAlgorithms),
  hosted_pages: z.boolean(),
});
/** The settings that an update unsets by null. An object replaces the previous one. */
const unsettable = {
  invitation_base_url: linkUrl,
  token_claims: tokenClaims,
  min_password_length: minPasswordLength,
  api_key_rate_limit: apiKeyRateLimit,
  rp_id: rpId,
  origins,
  captcha,
  identity_providers: identityProviders,
  sign_in_providers: signInProviders(methodName, wrongName),
  return_urls: returnUrls,
  mail_sender: email,
  mail_sender_name: name,
  mail_language: z.enum(languages),
  mail_links: mailLinks,
  branding,
};
/** Only of new projects: one that has such an id already keeps working, but for its hosted pages. */
const newProjectId = projectId.refine(
  (id) => !reservedProjectIds.includes(id),
  `Must not be ${reservedProjectIds.join(' or ')}, which is a part of a path of the service`,
);

export const operatorRequest = z.discriminatedUnion('action', [
  forPasskeys(
    z.strictObject({
      action: z.literal('create'),
      project_id: newProjectId.exactOptional(),
      name,
      ...lasting,
      ...optional(unsettable),
    }),
  ),
  // After the last project of the page before.
  z.strictObject({ action: z.literal('list'), after: projectId.exactOptional() }),
  forPasskeys(
    z.strictObject({
      action: z.literal('update'),
      project_id: projectId,
      name: name.exactOptional(),
      ...lasting,
      ...optional({
        ...nullable(unsettable),
        // Only here: its DNS record is made for a project that exists.
        pages_domain: pagesDomain.nullable(),
      }),
    }),
  ),
  ...secretRequests,
  z.strictObject({
    action: z.literal('export-password-hashes'),
    project_id: projectId,
    uids: z.array(uid).min(1).max(limits.page.max),
  }),
  z.strictObject({ action: z.literal('retire-hash-kinds'), project_id: projectId }),
  z.strictObject({
    action: z.literal('count-hash-kinds'),
    project_id: projectId,
    uids: z.array(uid).min(1).max(limits.page.max),
  }),
  z.strictObject({
    action: z.literal('drop-hash-kinds'),
    project_id: projectId,
    ids: z.array(line(12)).min(1).max(limits.importedHashKinds),
  }),
  ...clientRequests,
]);
export type OperatorRequest = z.output<typeof operatorRequest>;
/** The actions about password hashes: none of `npm run project:*`, but of commands about users. */
export const hashActions = [
  'export-password-hashes',
  'retire-hash-kinds',
  'count-hash-kinds',
  'drop-hash-kinds',
] as const satisfies readonly OperatorRequest['action'][];
export type HashRequest = RequestOf<(typeof hashActions)[number]>;
export type RequestOf<A extends OperatorRequest['action']> = OperatorRequest & { action: A };

/** Whether the request makes a secret that expires, or that may not do everything from everywhere. */
export const makesLimitedSecret = (request: OperatorRequest): boolean =>
  request.action === 'create-secret' &&
  [request.expires_in, request.scopes, request.source_cidrs].some((limit) => limit !== undefined);

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
