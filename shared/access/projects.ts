import { getItem } from '../db/batch-loader.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { lifetimes } from '../model/limits.ts';

/** A live secret of a project: only its digest is kept. */
export type ProjectSecret = { secret_id: string; sha256: string; created_at: string };

/** Whose identity tokens sign people in (OpenID Connect). */
export type IdentityProvider = { issuer: string; jwks_uri: string; client_ids: string[] };

/** What a link in a mail is for. */
export const linkPurposes = ['sign_up', 'reset_password', 'verify_email', 'change_email'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** A project with its settings. What is unset of the ways to sign in is off. */
export type Project = Item & {
  project_id: string;
  name: string;
  /** What `invitation_url` of its workspaces begins with. */
  invitation_base_url: string;
  /** Whether GET /users/{uid} creates a user it does not know. */
  create_users_on_get: boolean;
  /** Signs the cursors of the project's lists. */
  cursor_key: string;
  /** Whether people sign in by a password. */
  password_sign_in?: boolean;
  /** Whether people sign in by a code mailed to them. */
  code_sign_in?: boolean;
  /** Whether people may make themselves a user. */
  sign_up?: boolean;
  /** Whether people are told by mail of a sign-in from a device they had not used; they are where it is unset. */
  new_device_mail?: boolean;
  /** In characters; 15 where unset. */
  min_password_length?: number;
  /** By method name, such as `google`. */
  identity_providers?: Record<string, IdentityProvider>;
  /** The address that mails come from, instead of the deployment's. */
  mail_sender?: string;
  mail_sender_name?: string;
  /** Pages of the project that links in mails lead to. */
  mail_links?: Partial<Record<LinkPurpose, string>>;
  secrets: ProjectSecret[];
  created_at: string;
  modified_at: string;
};

/** A bound for the cache: names that do not exist are kept as well, and anyone can invent those. */
const cacheSize = 1_000;
const cache = new Map<string, { at: number; project: Promise<Project | undefined> }>();

/** The project, at most `maxAge` seconds old. An unknown one costs the same. */
export function getProject(
  projectId: string,
  maxAge: number = lifetimes.projectCache,
): Promise<Project | undefined> {
  const now = currentRequest().now.getTime();
  const cached = cache.get(projectId);
  if (cached && now - cached.at < maxAge * 1_000) return cached.project;
  const reading = { at: now, project: getItem<Project>(keys.project(projectId)) };
  cache.delete(projectId);
  cache.set(projectId, reading);
  const oldest = cache.keys().next().value;
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  reading.project.catch(() => {
    if (cache.get(projectId) === reading) cache.delete(projectId);
  });
  return reading.project;
}
