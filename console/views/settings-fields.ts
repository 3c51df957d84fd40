import { languages } from '../../shared/model/languages.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** The fields of a project's settings, and what is sent of them. */

export type Fields = Record<string, string | boolean>;

/** The settings that are numbers. */
export const numbers: [name: keyof ProjectSummary, label: string, about: string][] = [
  ['min_password_length', 'Characters of a password', 'Empty: at least 15.'],
  ['api_key_rate_limit', 'Requests per minute with an API key', 'Empty: unlimited.'],
];

type Choice = [name: keyof ProjectSummary, label: string, values: string[]];

/** @param values as keys: so the compiler refuses one that the setting does not have, and a missing one. */
const choice = <Name extends keyof ProjectSummary>(
  name: Name,
  label: string,
  values: Record<Extract<ProjectSummary[Name], string>, true>,
): Choice => [name, label, Object.keys(values)];

/** The settings that have one of a few values; the first is that of a project which has none. */
export const choices = [
  ['mail_language', 'Language of mails', [...languages]] satisfies Choice,
  choice('token_algorithm', 'Signature of access tokens', { RS256: true, ES256: true }),
  choice('workspace_creation', 'Who creates workspaces', {
    backend: true,
    verified: true,
    anyone: true,
  }),
  choice('impersonation', 'Act as a user', { off: true, on: true, notify: true }),
  choice('mfa', 'Second factor of users', { off: true, optional: true, required: true }),
];
/** Switches: what is on, in words. */
export const switches: [name: keyof ProjectSummary, label: string, defaults: boolean][] = [
  ['password_sign_in', 'Users sign in with a password', false],
  ['code_sign_in', 'Users sign in with a code sent by e-mail', false],
  ['link_sign_in', 'Users sign in with a link sent by e-mail', false],
  ['passkeys', 'Users sign in with a passkey', false],
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
  ['rp_id', 'Domain of passkeys', 'Such as example.com, together with the origins of passkeys.'],
];
export const objects: [name: keyof ProjectSummary, label: string, example: string][] = [
  ['origins', 'Origins of passkeys', '["https://app.example.com"]'],
  ['identity_providers', 'Identity providers', '{}'],
  ['captcha', 'Captcha', '{}'],
  ['sign_in_providers', 'Providers by redirect', '{"github":{"client_id":"ID"}}'],
  ['return_urls', 'Return URLs of these', '["https://app.example.com/signed-in"]'],
  ['mail_links', 'Links in mails', '{}'],
  ['branding', 'Branding of the hosted pages', '{}'],
  ['token_claims', 'Claims of access tokens', '["external_id"]'],
];

/** What the page calls a field of a request. */
export function labelOf(name: string): string {
  const all: readonly (readonly [string, string, ...unknown[]])[] = [
    ...numbers,
    ...choices,
    ...switches,
    ...texts,
    ...objects,
  ];
  const ownLabels: Partial<Record<string, string>> = { name: 'Name', project_id: 'Id' };
  return ownLabels[name] ?? all.find(([each]) => each === name)?.[1] ?? name;
}

export function fieldsOf(project: ProjectSummary): Fields {
  const text = (name: keyof ProjectSummary) => {
    const value = project[name] as string | number | undefined;
    return value === undefined ? '' : String(value);
  };
  return {
    name: project.name,
    ...Object.fromEntries(numbers.map(([name]) => [name, text(name)])),
    ...Object.fromEntries(choices.map(([name, , [first = '']]) => [name, text(name) || first])),
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

/** Fields that the operator function takes only together, so that none is left of a former other one. */
const together = ['rp_id', 'origins'];

/**
 * The fields to send: those that were changed, so that nothing of somebody else is undone, and what belongs to them.
 */
export function changedIn(fields: Fields, before: Fields): Fields {
  const isChanged = (name: string) => fields[name] !== before[name];
  const isPair = together.some(isChanged);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => isChanged(name) || (isPair && together.includes(name)),
    ),
  );
}

/** A field as the operator function takes it; an empty one unsets the setting. Throws if it is no value of it. */
export function toSent(name: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  if (name === 'name') return text;
  if (text === '') return null;
  if (numbers.some(([each]) => each === name)) {
    // As JSON, NaN is null, which would unset it.
    if (!/^\d+$/.test(text)) throw new Error(`${labelOf(name)}: ${text} is no whole number.`);
    return Number(text);
  }
  if (!objects.some(([each]) => each === name)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${labelOf(name)}: this is not JSON.`);
  }
}
