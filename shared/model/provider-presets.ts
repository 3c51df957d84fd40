/** What the service knows of identity providers that people are redirected to. */
type KnownProvider = {
  /** Whether it speaks OpenID Connect; the others are OAuth 2.0 with an endpoint of their own for the person. */
  openid: boolean;
  /** With the subject, the key of an account. */
  issuer?: string;
  /** Hosts, with all below them, that a provider of another preset must not name: the rules of this one hold there. */
  hosts: readonly string[];
  /** Whether there are installations of others, which `issuer` names. */
  installable?: true;
  /** The scopes that a sign-in needs. */
  scopes: readonly string[];
  /**
   * What a provider whose tokens are kept is asked for in addition, so that it gives a refresh token. Without it, it
   * gives one anyway (Apple, GitLab, Discord; GitHub and Slack where the application has tokens expire; LinkedIn to
   * partners), or has none (Facebook).
   */
  offline?: { scope?: string; parameters?: Readonly<Record<string, string>> };
};

const openidScopes = ['openid', 'email', 'profile'];

export const presets = {
  google: {
    openid: true,
    issuer: 'https://accounts.google.com',
    hosts: ['accounts.google.com', 'googleapis.com'],
    scopes: openidScopes,
    // https://developers.google.com/identity/protocols/oauth2/web-server#offline: without a consent only the first time.
    offline: { parameters: { access_type: 'offline', prompt: 'consent' } },
  },
  /** The issuer has the tenant in it. */
  microsoft: {
    openid: true,
    issuer: 'https://login.microsoftonline.com',
    hosts: [
      ...['microsoftonline.com', 'microsoftonline.us', 'microsoftonline.cn', 'chinacloudapi.cn'],
      ...['login.windows.net', 'sts.windows.net', 'login.live.com', 'login.microsoft.com'],
    ],
    scopes: openidScopes,
    // https://learn.microsoft.com/entra/identity-platform/scopes-oidc#the-offline_access-scope
    offline: { scope: 'offline_access' },
  },
  apple: {
    openid: true,
    issuer: 'https://appleid.apple.com',
    hosts: ['appleid.apple.com', 'account.apple.com'],
    scopes: ['openid', 'email', 'name'],
  },
  github: {
    openid: false,
    issuer: 'https://github.com',
    hosts: ['github.com', 'githubusercontent.com'],
    installable: true,
    scopes: ['read:user', 'user:email'],
  },
  gitlab: {
    openid: true,
    issuer: 'https://gitlab.com',
    hosts: ['gitlab.com'],
    installable: true,
    scopes: openidScopes,
  },
  linkedin: {
    openid: true,
    issuer: 'https://www.linkedin.com/oauth',
    hosts: ['linkedin.com'],
    scopes: openidScopes,
  },
  discord: {
    openid: false,
    issuer: 'https://discord.com',
    hosts: ['discord.com', 'discordapp.com'],
    scopes: ['identify', 'email'],
  },
  slack: {
    openid: true,
    issuer: 'https://slack.com',
    hosts: ['slack.com'],
    scopes: openidScopes,
  },
  facebook: {
    openid: false,
    issuer: 'https://www.facebook.com',
    hosts: ['facebook.com'],
    scopes: ['email', 'public_profile'],
  },
  /** Any OpenID provider, by its issuer. */
  oidc: {
    openid: true,
    hosts: [],
    installable: true,
    scopes: openidScopes,
    // OpenID Connect Core 1.0, section 11: the scope counts only with a consent.
    offline: { scope: 'offline_access', parameters: { prompt: 'consent' } },
  },
} as const satisfies Record<string, KnownProvider>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]];

export const presetOf = (name: PresetName): KnownProvider => presets[name];

/** Whether a name is that of a preset: a provider of this name has this preset and no other. */
export const isPresetName = (name: string): name is PresetName => Object.hasOwn(presets, name);

/** Whether the endpoints behind a name are the same in every project, by its preset alone. */
export const isOfOneIssuer = (name: string): boolean =>
  isPresetName(name) && presetOf(name).installable !== true;

/** The tenant in which Microsoft has personal accounts, whose e-mails it does not vouch for. */
export const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The tenants of Microsoft that are more than one, and the accounts of persons. */
export const manyTenants: readonly string[] = ['common', 'organizations'];

const tenantId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const isTenantId = (text: unknown): text is string =>
  typeof text === 'string' && tenantId.test(text);

/** What names the accounts of a provider. */
export type NamedProvider = {
  preset: PresetName;
  issuer?: string;
  /** Of Microsoft: an id, or `common`, `organizations` or `consumers`. */
  tenant?: string;
};

/** The address of a provider without a path of a tenant. */
export const baseOf = ({ preset, issuer }: NamedProvider): string =>
  issuer ?? presetOf(preset).issuer ?? '';

/** The issuer of the accounts of a provider; undefined for Microsoft with many tenants, where each has its own. */
export function issuerOf(provider: NamedProvider): string | undefined {
  const base = baseOf(provider);
  if (provider.preset !== 'microsoft') return base;
  const { tenant = 'common' } = provider;
  if (manyTenants.includes(tenant)) return undefined;
  return `${base}/${tenant === 'consumers' ? personalTenant : tenant}/v2.0`;
}

/** Whether the accounts of an issuer are those of a provider. */
export function hasAccountsOf(provider: NamedProvider, issuer: string): boolean {
  const only = issuerOf(provider);
  if (only !== undefined) return issuer === only;
  const isPersonal = issuer.includes(personalTenant);
  return (
    issuer.startsWith(`${baseOf(provider)}/`) &&
    !(provider.tenant === 'organizations' && isPersonal)
  );
}

/** The preset, other than this one, that alone may name the host of an issuer. */
export function ownerOfHost(issuer: string, preset: PresetName): PresetName | undefined {
  const host = URL.parse(issuer)?.hostname.replace(/\.+$/, '') ?? '';
  return presetNames.find(
    (name) =>
      name !== preset &&
      presets[name].hosts.some((each) => host === each || host.endsWith(`.${each}`)),
  );
}
