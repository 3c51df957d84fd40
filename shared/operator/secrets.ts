import { getSecretUse } from '../access/last-use.ts';
import { isLiveSecret, newProjectSecret } from '../access/project-secret.ts';
import type { Project, ProjectSecret } from '../access/projects.ts';
import { getItem } from '../db/batch-loader.ts';
import { ConditionFailed, del, update } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { transact } from '../db/transaction.ts';
import { newSecretId, sha256 } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { RequestOf } from './request.ts';
import {
  lostRace,
  type ProjectSummary,
  type SecretSummary,
  summarize,
  summarizeSecret,
  unknownProject,
} from './summary.ts';

/** The secrets of a project. A secret is shown only by the call that creates it; up to ten are live at a time. */

export type NewSecret = ProjectSummary & { secret: string };

/** A secret as the operator sees it, with the day (UTC) on which it was last used. */
export type ListedSecret = SecretSummary & {
  last_used_on: string | null;
};

/**
 * Each lost race means that another writer succeeded, and there are at most `liveSecretsPerProject` secrets to create.
 */
const tries = limits.liveSecretsPerProject + 2;

/** Creates a secret and the record that is stored (only its digest). */
export function makeSecret(now: string): { secret: string; stored: ProjectSecret } {
  const secret = newProjectSecret();
  return { secret, stored: { secret_id: newSecretId(), sha256: sha256(secret), created_at: now } };
}

/** Adds a secret; the others stay valid. Those that have expired make room for it. */
export function createSecret({
  project_id,
  name,
  expires_in,
  scopes,
  source_cidrs,
}: RequestOf<'create-secret'>): Promise<NewSecret> {
  const { now } = currentRequest();
  const made = makeSecret(now.toISOString());
  const stored: ProjectSecret = {
    ...made.stored,
    ...(name !== undefined && { name }),
    ...(expires_in !== undefined && {
      expires_at: new Date(now.getTime() + expires_in * 1_000).toISOString(),
    }),
    ...(scopes && { scopes }),
    ...(source_cidrs && { source_cidrs }),
  };
  return onProject(project_id, tries, async (project) => {
    const live = project.secrets.filter((each) => isLiveSecret(each, now));
    if (live.length >= limits.liveSecretsPerProject) throw full(project_id);
    return { ...(await replaceSecrets(project, [stored, ...live])), secret: made.secret };
  });
}

/** Changes the name and the limits of a secret. Running instances see it within 60 s. */
export function updateSecret(request: RequestOf<'update-secret'>): Promise<ProjectSummary> {
  const { action: _, project_id, secret_id, ...changes } = request;
  return onProject(project_id, tries, (project) => {
    requireSecret(project, secret_id);
    const changed = project.secrets.map((each) =>
      each.secret_id === secret_id ? merged(each, changes) : each,
    );
    return replaceSecrets(project, changed);
  });
}

/** The secrets of a project, newest first, each with its last use. */
export async function listSecrets(
  project_id: string,
): Promise<{ project_id: string; secrets: ListedSecret[] }> {
  const project = await requireProject(project_id);
  const secrets = await Promise.all(
    project.secrets.map(async (each) => {
      const use = await getSecretUse(project_id, each.secret_id);
      return { ...summarizeSecret(each), last_used_on: use?.day ?? null };
    }),
  );
  return { project_id, secrets };
}

/** Revokes a secret, even the last one. Running instances reject it within 60 s. */
export function revokeSecret(project_id: string, secret_id: string): Promise<ProjectSummary> {
  return onProject(project_id, tries, (project) => {
    requireSecret(project, secret_id);
    return replaceSecrets(
      project,
      project.secrets.filter((each) => each.secret_id !== secret_id),
    );
  });
}

/**
 * Adds a secret and keeps the newest `keep` of the others (default 1), so that keys rotate with overlap. Those that
 * expire by themselves, and those with scopes, stay and are not counted: one that a command has made for an hour, or
 * that of another program, must not push out the secret of the backend. With 0 they go too. Throws an Error for the
 * operator if there is no room for the new one beside them. It is tried only once: after a concurrent rotation the
 * newest secrets would not be those that the operator saw.
 */
export function rotateProjectSecret({
  project_id,
  keep = 1,
}: RequestOf<'rotate-key'>): Promise<NewSecret> {
  const { now } = currentRequest();
  const { secret, stored } = makeSecret(now.toISOString());
  return onProject(project_id, 1, async (project) => {
    const counted = project.secrets.filter(
      ({ expires_at, scopes }) => expires_at === undefined && scopes === undefined,
    );
    const others = project.secrets.filter(
      (each) => !counted.includes(each) && isLiveSecret(each, now),
    );
    const kept = new Set([...counted.slice(0, keep), ...(keep === 0 ? [] : others)]);
    if (kept.size >= limits.liveSecretsPerProject) throw full(project_id);
    const secrets = [stored, ...project.secrets.filter((each) => kept.has(each))];
    return { ...(await replaceSecrets(project, secrets)), secret };
  });
}

/** Runs `work` on the current project, and again if what it changes has changed meanwhile. */
export async function onProject<T>(
  project_id: string,
  times: number,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  for (let left = times; left > 0; left -= 1) {
    try {
      return await work(await requireProject(project_id));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw lostRace(project_id);
}

/** Replaces the secrets that were read, and deletes the last-use record of each removed one. */
async function replaceSecrets(project: Project, secrets: ProjectSecret[]): Promise<ProjectSummary> {
  const { project_id } = project;
  const modified_at = currentRequest().now.toISOString();
  const kept = new Set(secrets.map(({ secret_id }) => secret_id));
  const ended = project.secrets.filter(({ secret_id }) => !kept.has(secret_id));
  await transact({
    project: update(
      keys.project(project_id),
      { set: { secrets, modified_at } },
      where('#secrets = :seen', { seen: project.secrets }),
    ),
    ...Object.fromEntries(
      ended.map(({ secret_id }) => [secret_id, del(keys.secretUse(project_id, secret_id))]),
    ),
  });
  return summarize({ ...project, secrets, modified_at });
}

/** A secret with changes; null removes a field. */
const merged = (secret: ProjectSecret, changes: object): ProjectSecret =>
  Object.fromEntries(
    Object.entries({ ...secret, ...changes }).filter(([, value]) => value !== null),
  ) as ProjectSecret;

const full = (project_id: string) =>
  new Error(
    `The project ${project_id} has ${limits.liveSecretsPerProject} secrets, which is the limit: revoke one first.`,
  );

function requireSecret({ project_id, secrets }: Project, secret_id: string): void {
  if (!secrets.some((each) => each.secret_id === secret_id))
    throw new Error(`The project ${project_id} has no secret ${secret_id}.`);
}

/** The project as it is now. Throws an Error for the operator if there is none. */
export async function requireProject(project_id: string): Promise<Project> {
  const project = await getItem<Project>(keys.project(project_id));
  if (!project) throw unknownProject(project_id);
  return project;
}
