import * as z from 'zod';
import { impersonations, linkPurposes, tokenAlgorithms } from '../access/projects.ts';
import { reservedProjectIds } from '../contract/reserved-ids.ts';
import { email } from '../model/email.ts';
import { line, mfaModes, projectId, uid, workspaceCreations } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { mailLanguages } from '../model/mail-languages.ts';
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
const providers = signInProviders(methodName, wrongName);

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

/** The settings that cannot be unset. */
const settings = {
  create_users_on_get: z.boolean().exactOptional(),
  password_sign_in: z.boolean().exactOptional(),
  code_sign_in: z.boolean().exactOptional(),
  link_sign_in: z.boolean().exactOptional(),
  passkeys: z.boolean().exactOptional(),
  mfa: z.enum(mfaModes).exactOptional(),
  recent_sign_in: z.boolean().exactOptional(),
  sign_up: z.boolean().exactOptional(),
  new_device_mail: z.boolean().exactOptional(),
  impersonation: z.enum(impersonations).exactOptional(),
  workspace_creation: z.enum(workspaceCreations).exactOptional(),
  workspace_roles: z.boolean().exactOptional(),
  token_algorithm: z.enum(tokenAlgorithms).exactOptional(),
  hosted_pages: z.boolean().exactOptional(),
};
const name = line(limits.name).min(1);
const optionalName = name.exactOptional();
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
      ...settings,
      invitation_base_url: linkUrl.exactOptional(),
      token_claims: tokenClaims.exactOptional(),
      min_password_length: minPasswordLength.exactOptional(),
      api_key_rate_limit: apiKeyRateLimit.exactOptional(),
      rp_id: rpId.exactOptional(),
      origins: origins.exactOptional(),
      captcha: captcha.exactOptional(),
      identity_providers: identityProviders.exactOptional(),
      sign_in_providers: providers.exactOptional(),
      return_urls: returnUrls.exactOptional(),
      mail_sender: email.exactOptional(),
      mail_sender_name: optionalName,
      mail_language: z.enum(mailLanguages).exactOptional(),
      mail_links: mailLinks.exactOptional(),
      branding: branding.exactOptional(),
    }),
  ),
  // After the last project of the page before.
  z.strictObject({ action: z.literal('list'), after: projectId.exactOptional() }),
  forPasskeys(
    z.strictObject({
      action: z.literal('update'),
      project_id: projectId,
      name: optionalName,
      ...settings,
      // Null unsets the setting. An object replaces the previous one.
      invitation_base_url: linkUrl.nullable().exactOptional(),
      // Only here: its DNS record is made for a project that exists.
      pages_domain: pagesDomain.nullable().exactOptional(),
      token_claims: tokenClaims.nullable().exactOptional(),
      min_password_length: minPasswordLength.nullable().exactOptional(),
      api_key_rate_limit: apiKeyRateLimit.nullable().exactOptional(),
      rp_id: rpId.nullable().exactOptional(),
      origins: origins.nullable().exactOptional(),
      captcha: captcha.nullable().exactOptional(),
      identity_providers: identityProviders.nullable().exactOptional(),
      sign_in_providers: providers.nullable().exactOptional(),
      return_urls: returnUrls.nullable().exactOptional(),
      mail_sender: email.nullable().exactOptional(),
      mail_sender_name: name.nullable().exactOptional(),
      mail_language: z.enum(mailLanguages).nullable().exactOptional(),
      mail_links: mailLinks.nullable().exactOptional(),
      branding: branding.nullable().exactOptional(),
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
