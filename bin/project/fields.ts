import { lifetimes, limits } from '../../shared/model/limits.ts';
import { maxMinimumLength } from '../../shared/operator/request.ts';

/** How the flags of `npm run project:*` become fields of a request. */

type Field = {
  flag: string;
  read: (value: string) => unknown;
  /** Error text for an invalid value, where the schema's own message would be unclear in a terminal. */
  requirement?: string;
  /** An update with an empty value unsets it. */
  clears?: true;
};

const asIs = (value: string): unknown => value;
const asBoolean = (value: string) => (value === 'true' ? true : value === 'false' ? false : value);
const asNumber = (value: string) => (/^\d+$/.test(value) ? Number(value) : value);
function asJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const asList = (value: string) => value.split(',').map((each) => each.trim());

const trueOrFalse = { read: asBoolean, requirement: 'must be true or false' };
const jsonLike = (example: string) => ({
  read: asJson,
  requirement: `must be JSON such as ${example}`,
});

/** The request field that each flag sets. */
export const fields: Record<string, Field> = {
  project_id: { flag: 'project', read: asIs },
  secret_id: { flag: 'secret-id', read: asIs },
  keep: {
    flag: 'keep',
    read: asNumber,
    requirement: `must be a whole number from 0 to ${limits.liveSecretsPerProject - 1}`,
  },
  name: { flag: 'name', read: asIs },
  expires_in: {
    flag: 'expires-in',
    read: asNumber,
    requirement: `must be a whole number of seconds from 60 to ${lifetimes.maxSecret}`,
  },
  scopes: { flag: 'scopes', read: asList, clears: true },
  source_cidrs: { flag: 'source-cidrs', read: asList, clears: true },
  create_users_on_get: { flag: 'create-users-on-get', ...trueOrFalse },
  password_sign_in: { flag: 'password-sign-in', ...trueOrFalse },
  code_sign_in: { flag: 'code-sign-in', ...trueOrFalse },
  link_sign_in: { flag: 'link-sign-in', ...trueOrFalse },
  passkeys: { flag: 'passkeys', ...trueOrFalse },
  rp_id: { flag: 'rp-id', read: asIs, clears: true },
  origins: { flag: 'origins', ...jsonLike('["https://app.example.com"]'), clears: true },
  mfa: { flag: 'mfa', read: asIs },
  recent_sign_in: { flag: 'recent-sign-in', ...trueOrFalse },
  captcha: {
    flag: 'captcha',
    ...jsonLike(
      '{"provider":"turnstile","site_key":"KEY","rule":"always","hostnames":["www.example.com"]}',
    ),
    clears: true,
  },
  sign_up: { flag: 'sign-up', ...trueOrFalse },
  new_device_mail: { flag: 'new-device-mail', ...trueOrFalse },
  impersonation: { flag: 'impersonation', read: asIs },
  workspace_creation: { flag: 'workspace-creation', read: asIs },
  workspace_roles: { flag: 'workspace-roles', ...trueOrFalse },
  token_algorithm: { flag: 'token-algorithm', read: asIs },
  token_claims: {
    flag: 'token-claims',
    ...jsonLike('["external_id","app_metadata.plan"]'),
    clears: true,
  },
  hosted_pages: { flag: 'hosted-pages', ...trueOrFalse },
  pages_domain: { flag: 'pages-domain', read: asIs, clears: true },
  invitation_base_url: { flag: 'invitation-base-url', read: asIs, clears: true },
  min_password_length: {
    flag: 'min-password-length',
    read: asNumber,
    requirement: `must be a whole number from ${limits.password.least} to ${maxMinimumLength}`,
    clears: true,
  },
  api_key_rate_limit: {
    flag: 'api-key-rate-limit',
    read: asNumber,
    requirement: `must be a whole number from 1 to ${limits.apiKeys.requestsPerMinute}`,
    clears: true,
  },
  identity_providers: {
    flag: 'identity-providers',
    ...jsonLike('{"google":{"client_ids":["ID"]}}'),
    clears: true,
  },
  sign_in_providers: {
    flag: 'sign-in-providers',
    ...jsonLike('{"github":{"client_id":"ID"}}'),
    clears: true,
  },
  return_urls: {
    flag: 'return-urls',
    ...jsonLike('["https://app.example.com/signed-in"]'),
    clears: true,
  },
  mail_sender: { flag: 'mail-sender', read: asIs, clears: true },
  mail_sender_name: { flag: 'mail-sender-name', read: asIs, clears: true },
  mail_language: { flag: 'mail-language', read: asIs, clears: true },
  mail_links: {
    flag: 'mail-links',
    ...jsonLike('{"reset_password":"https://app.example.com/reset"}'),
    clears: true,
  },
  branding: { flag: 'branding', ...jsonLike('{"color":"#0055ff"}'), clears: true },
  client: { flag: 'client', read: asIs },
  client_name: { flag: 'client-name', read: asIs },
  redirect_uris: { flag: 'redirect-uris', ...jsonLike('["https://app.example.com/callback"]') },
  post_logout_redirect_uris: {
    flag: 'post-logout-redirect-uris',
    ...jsonLike('["https://app.example.com/"]'),
  },
  confidential: { flag: 'confidential', ...trueOrFalse },
};
