import { type FormatOptions, textOf, UnusableRecord } from './format.ts';

/** Other services' names of providers, with ours. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ['google.com', 'google'],
  ['google-oauth2', 'google'],
  ['oauth_google', 'google'],
  ['apple.com', 'apple'],
  ['github.com', 'github'],
  ['facebook.com', 'facebook'],
  ['yahoo.com', 'yahoo'],
  ['linkedin_oidc', 'linkedin'],
  ['slack_oidc', 'slack'],
  ['oauth_apple', 'apple'],
  ['signinwithapple', 'apple'],
  ['microsoft.com', 'microsoft'],
  ['windowslive', 'microsoft'],
  ['azure', 'microsoft'],
  ['oauth_microsoft', 'microsoft'],
]);

/** Entries that other services list among a user's accounts but that are their own methods: a password or a code. */
const ownMethods = new Set(['auth0', 'credential', 'email', 'password', 'phone', 'sms']);

/** The accounts at the providers to import; undefined if there are none. */
export function identitiesOf(
  all: readonly { provider: unknown; subject: unknown }[],
  { providers, leaveOut }: FormatOptions,
): { provider: string; subject: string }[] | undefined {
  const found = all.flatMap(({ provider, subject }) => {
    const label = textOf(provider)?.toLowerCase() ?? '';
    const name = providerNames.get(label) ?? label;
    if (providers.has(name)) return [{ provider: name, subject: subjectOf(subject, name) }];
    if (name !== '' && !ownMethods.has(name)) leaveOut?.(name);
    return [];
  });
  return found.length > 0 ? found : undefined;
}

/** The id of an account, which some services write as a number. */
function subjectOf(subject: unknown, provider: string): string {
  const text = typeof subject === 'number' ? String(subject) : textOf(subject);
  if (text !== undefined) return text;
  throw new UnusableRecord(`Has an account at ${provider} without its id`);
}

/**
 * The provider of an account whose id a service has from Microsoft Graph. It is not the `sub` of Microsoft's ID tokens,
 * by which we find the user, so these accounts are left out under a name of their own.
 */
export const byGraphId = (provider: unknown): unknown =>
  provider === 'microsoft' ? 'microsoft-graph' : provider;
