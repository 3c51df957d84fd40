import { getItem } from '../db/batch-loader.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import type { captchaProviders } from '../model/captcha-providers.ts';
import type { Mfa, WorkspaceCreation } from '../model/fields.ts';
import type { Language } from '../model/languages.ts';
import { lifetimes } from '../model/limits.ts';
import type { NamedProvider } from '../model/provider-presets.ts';
import { ReadCache } from '../model/read-cache.ts';

/** A secret of a project, or of a client of it: only its digest is stored. */
export type ProjectSecret = {
  secret_id: string;
  sha256: string;
  created_at: string;
  /** What it is for. */
  name?: string;
  /** Without it, it is valid until it is revoked. */
  expires_at?: string;
  /** What a secret of a project may do (`shared/model/scopes.ts`); without them, everything. */
  scopes?: string[];
  /** Where a secret of a project works from; without them, from everywhere. */
  source_cidrs?: string[];
};

/** An identity provider whose tokens sign users in (OpenID Connect). */
export type IdentityProvider = {
  issuer: string;
  jwks_uri: string;
  client_ids: string[];
  /** Where the hosted pages send people to sign in; without it they have no button for the provider. */
  authorization_endpoint?: string;
};

/** An identity provider that people are redirected to. Its client secret is in Secrets Manager. */
export type SignInProvider = NamedProvider & {
  client_id: string;
  /** Of Apple: whose key signs the client secrets. */
  team_id?: string;
  key_id?: string;
  /** In addition to those of the preset. */
  scopes?: string[];
  /** Whether the provider's tokens are kept for the user, and tokens are asked for that can be refreshed. */
  keep_tokens?: boolean;
  /** Default: as the provider's metadata says. */
  token_endpoint_auth_method?: 'client_secret_post' | 'client_secret_basic';
  /** False: its word on an e-mail never counts. */
  email_trusted?: boolean;
};

/**
 * Whether a backend may start sessions in which somebody acts as the user; `notify`: the user gets a mail about each.
 */
export const impersonations = ['off', 'on', 'notify'] as const;
type Impersonation = (typeof impersonations)[number];

/** Algorithms that sign access tokens. AWS's own authorizers verify RS256 alone. */
export const tokenAlgorithms = ['RS256', 'ES256'] as const;
type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/**
 * An application that signs users in by the hosted pages (RFC 6749). A client with secrets is confidential; one
 * without is public.
 */
export type OAuthClient = {
  /** `<project_id>.<name>`: it names the project, which needs no lookup then. */
  client_id: string;
  /** The name that the pages show. */
  name: string;
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  secrets: ProjectSecret[];
  created_at: string;
};

/** How the hosted pages of a project look. */
export type Branding = {
  /** An image as a data: URL, so that the pages load nothing from elsewhere. */
  logo?: string;
  /** `#rrggbb`. */
  color?: string;
  links?: { home?: string; terms?: string; privacy?: string; support?: string };
};

export const captchaRules = ['always', 'after_failures'] as const;

/** The captcha that people solve before they guess, or have a mail sent. Its secret key is in Secrets Manager. */
export type Captcha = {
  provider: (typeof captchaProviders)[number];
  site_key: string;
  rule: (typeof captchaRules)[number];
  /** Of `after_failures`: how many failures of an account, or of a network, it takes. */
  failures?: number;
  /** The pages on which it may be solved. */
  hostnames: string[];
  /** Where it is verified; default: the provider's own address. */
  verify_url?: string;
};

/** Purposes of links in mails. */
export const linkPurposes = [
  'sign_up',
  'reset_password',
  'verify_email',
  'change_email',
  'sign_in_link',
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** A project with its settings. Sign-in methods that are unset are off. */
export type Project = Item & {
  project_id: string;
  name: string;
  /** Base URL of the `invitation_url` of its workspaces. */
  invitation_base_url: string;
  /** Whether GET /users/{uid} creates a missing user. */
  create_users_on_get: boolean;
  /** Signs the cursors of the project's lists. */
  cursor_key: string;
  /** Whether users sign in with a password. */
  password_sign_in?: boolean;
  /** Whether users sign in with a code sent by e-mail. */
  code_sign_in?: boolean;
  /** Whether users sign in with a link sent by e-mail. */
  link_sign_in?: boolean;
  /** Whether users sign in with passkeys. */
  passkeys?: boolean;
  /** The domain that passkeys belong to; default: the host of the hosted pages. */
  rp_id?: string;
  /** Where passkeys may be used, each under `rp_id`; default: the origin of the hosted pages. */
  origins?: string[];
  /** Whether users may have a second factor, which sign-ins then ask for; default off. */
  mfa?: Mfa;
  /** Whether what changes a way to sign in, or cannot be undone, takes a recent sign-in; default false. */
  recent_sign_in?: boolean;
  captcha?: Captcha;
  /** Whether users may sign up by themselves. */
  sign_up?: boolean;
  /** Whether users get a mail about a sign-in from a new device; default true. */
  new_device_mail?: boolean;
  /** Default off. */
  impersonation?: Impersonation;
  /** When it was last switched off, in epoch seconds. */
  impersonation_ended_at?: number;
  /** Default `backend`. */
  workspace_creation?: WorkspaceCreation;
  /** Whether workspaces may define roles of their own; default false. */
  workspace_roles?: boolean;
  /** Algorithm of access tokens; default RS256. */
  token_algorithm?: TokenAlgorithm;
  /** Paths of what access tokens also say of the user; default none. */
  token_claims?: string[];
  /** In characters; default 15. */
  min_password_length?: number;
  /** Requests per minute with each API key; default unlimited. */
  api_key_rate_limit?: number;
  /** By method name, such as `google`. */
  identity_providers?: Record<string, IdentityProvider>;
  /** By method name: the providers that people are redirected to. */
  sign_in_providers?: Record<string, SignInProvider>;
  /** Where the browser may be sent after a sign-in at one of them, beside the hosted pages. */
  return_urls?: string[];
  /** Sender address of mails; default: the deployment's. */
  mail_sender?: string;
  mail_sender_name?: string;
  /** The language of mails whose recipient asked for no known one; default `en`. */
  mail_language?: Language;
  /** Pages of the project that are the targets of links in mails. */
  mail_links?: Partial<Record<LinkPurpose, string>>;
  /** Whether the service shows its own pages for sign-in and account; unset mail links then lead to them. */
  hosted_pages?: boolean;
  /** The host name at which the pages are; default: that of the service. No two projects have the same. */
  pages_domain?: string;
  branding?: Branding;
  /** Sorted by `client_id`. */
  oauth_clients?: OAuthClient[];
  secrets: ProjectSecret[];
  created_at: string;
  modified_at: string;
};

/**
 * Whether somebody may act as a user of the project, in a session that expires then. What has started when it is
 * switched off ends for good, also where it is switched on again within the hour; so does what an instance starts
 * before it sees it.
 *
 * @param expires in epoch seconds; nothing renews such a session, so this says when it started
 */
export function allowsImpersonation(
  { impersonation = 'off', impersonation_ended_at }: Project,
  expires: number,
): boolean {
  if (impersonation === 'off') return false;
  if (impersonation_ended_at === undefined) return true;
  const started = expires - lifetimes.actingSession;
  return started > impersonation_ended_at + lifetimes.projectCache;
}

/** The provider that a project calls by this name; undefined if it has none. */
export const providerOf = (
  { sign_in_providers = {} }: Pick<Project, 'sign_in_providers'>,
  name: string,
): SignInProvider | undefined =>
  Object.hasOwn(sign_in_providers, name) ? sign_in_providers[name] : undefined;

/** The provider whose ID tokens a project takes by this name; undefined if it has none. */
export const identityProviderOf = (
  { identity_providers = {} }: Pick<Project, 'identity_providers'>,
  name: string,
): IdentityProvider | undefined =>
  Object.hasOwn(identity_providers, name) ? identity_providers[name] : undefined;

/** The clients of a project. Without hosted pages there is no page to sign in on, so it has none, for anything. */
export const clientsOf = (project: Project | undefined): readonly OAuthClient[] =>
  project?.hosted_pages === true ? (project.oauth_clients ?? []) : [];

/** Limited: unknown project ids are cached too, and anyone can invent those. */
const cache = new ReadCache<Project | undefined>(1_000);

/** Reads the project, at most `maxAge` seconds old. An unknown project costs the same. */
export function getProject(
  projectId: string,
  maxAge: number = lifetimes.projectCache,
): Promise<Project | undefined> {
  return cache.read(projectId, currentRequest().now, maxAge, () =>
    getItem(keys.project(projectId)),
  );
}

/**
 * The project, read again where what this instance remembers lacks what is asked for: it may have been added just now.
 * Anyone can ask for what nobody has, so that reads the table once a second.
 */
export async function getProjectWith(
  projectId: string,
  has: (project: Project | undefined) => boolean = (project) => project !== undefined,
): Promise<Project | undefined> {
  const project = await getProject(projectId);
  return has(project) ? project : getProject(projectId, lifetimes.projectReread);
}
