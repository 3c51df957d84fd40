import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** The fields of a project's settings, and what is sent of them. */

export type Fields = Record<string, string | boolean>;

export const passwordLength = 'Characters of a password';
export const keyRate = 'Requests per minute with an API key';
/** The settings that are numbers, with their labels. */
const numbers: Partial<Record<string, string>> = {
  min_password_length: passwordLength,
  api_key_rate_limit: keyRate,
};
/** Switches: what is on, in words. */
export const switches: [name: keyof ProjectSummary, label: string, defaults: boolean][] = [
  ['password_sign_in', 'Users sign in with a password', false],
  ['code_sign_in', 'Users sign in with a code sent by e-mail', false],
  ['link_sign_in', 'Users sign in with a link sent by e-mail', false],
  ['sign_up', 'Users may sign up by themselves', false],
  ['new_device_mail', 'Users get a mail about a sign-in from a new device', true],
  ['hosted_pages', 'The service shows its own pages for sign-in and account', false],
  [
    'recent_sign_in',
    'Ways to sign in, API keys, ownership and deletion take a sign-in of the last ten minutes',
    false,
  ],
  ['workspace_roles', 'Workspaces may define roles of their own', false],
  ['create_users_on_get', 'GET /users/{uid} creates a missing user', true],
];
export const texts: [name: keyof ProjectSummary, label: string, about?: string][] = [
  ['mail_sender', 'Sender of mails', 'Empty: that of the deployment.'],
  ['mail_sender_name', 'Product name in mails', 'Empty: the name of the project.'],
  ['invitation_base_url', 'Base URL of invitation links'],
  ['pages_domain', 'Domain of the hosted pages', 'Empty: that of the deployment.'],
];
export const objects: [name: keyof ProjectSummary, label: string, example: string][] = [
  ['identity_providers', 'Identity providers', '{}'],
  ['captcha', 'Captcha', '{}'],
  ['sign_in_providers', 'Providers by redirect', '{"github":{"client_id":"ID"}}'],
  ['return_urls', 'Return URLs of these', '["https://app.example.com/signed-in"]'],
  ['mail_links', 'Links in mails', '{}'],
  ['branding', 'Branding of the hosted pages', '{}'],
  ['token_claims', 'Claims of access tokens', '["external_id"]'],
];

export function fieldsOf(project: ProjectSummary): Fields {
  const text = (name: keyof ProjectSummary) => {
    const value = project[name] as string | number | undefined;
    return value === undefined ? '' : String(value);
  };
  return {
    name: project.name,
    min_password_length: text('min_password_length'),
    api_key_rate_limit: text('api_key_rate_limit'),
    mail_language: project.mail_language ?? 'en',
    token_algorithm: project.token_algorithm ?? 'RS256',
    workspace_creation: project.workspace_creation ?? 'backend',
    impersonation: project.impersonation ?? 'off',
    mfa: project.mfa ?? 'off',
    ...Object.fromEntries(texts.map(([name]) => [name, text(name)])),
    ...Object.fromEntries(
      switches.map(([name, , defaults]) => [
        name,
        (project[name] as boolean | undefined) ?? defaults,
      ]),
    ),
    ...Object.fromEntries(
      objects.map(([name]) => {
        const value = project[name];
        return [name, value === undefined ? '' : JSON.stringify(value, undefined, 2)];
      }),
    ),
  };
}

/** A field as the operator function takes it; an empty one unsets the setting. Throws if it is no value of it. */
export function toSent(name: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  const given = value.trim();
  if (name === 'name') return given;
  if (given === '') return null;
  const number = numbers[name];
  if (number !== undefined) {
    // As JSON, NaN is null, which would unset it.
    if (!/^\d+$/.test(given)) throw new Error(`${number}: ${given} is no whole number.`);
    return Number(given);
  }
  const [, label] = objects.find(([each]) => each === name) ?? [];
  if (label === undefined) return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    throw new Error(`${label}: this is not JSON.`);
  }
}
