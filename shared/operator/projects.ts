import * as z from 'zod';
import { newProjectSecret } from '../auth/project-key.ts';
import { newSecret, newSecretId, sha256 } from '../ids.ts';
import { limits } from '../limits.ts';
import { httpsUrl, line, projectId } from '../model.ts';
import { currentRequest } from '../request.ts';
import type { Project } from '../table/projects.ts';
import { query } from '../table/query.ts';
import { getItem } from '../table/read.ts';
import { byOperator, keys } from '../table/shape.ts';
import { ConditionFailed, createItem, updateItem, where } from '../table/write.ts';

/** What the operator, and nobody else, does with projects. A secret is shown once, by the call that makes it. */

const settings = {
  name: line(limits.name).min(1),
  invitation_base_url: httpsUrl,
  create_users_on_get: z.boolean(),
};

/** RFC 2606: resolves nowhere, so that no stranger's server sees an invitation of a project that has not set its own. */
const unsetInvitationUrl = 'https://example.invalid/join';

/** The requests that the operator function takes. */
export const operatorRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('create'),
    project_id: projectId.optional(),
    name: settings.name,
    invitation_base_url: settings.invitation_base_url.optional(),
    create_users_on_get: settings.create_users_on_get.optional(),
  }),
  z.strictObject({ action: z.literal('list') }),
  z.strictObject({
    action: z.literal('rotate-key'),
    project_id: projectId,
    keep: z
      .int()
      .min(0)
      .max(limits.liveSecretsPerProject - 1)
      .optional(),
  }),
  z.strictObject({
    action: z.literal('update'),
    project_id: projectId,
    name: settings.name.optional(),
    invitation_base_url: settings.invitation_base_url.optional(),
    create_users_on_get: settings.create_users_on_get.optional(),
  }),
]);
export type OperatorRequest = z.output<typeof operatorRequest>;

/** The request of an invocation. Throws an Error whose message names every wrong field, for a person to read. */
export function readOperatorRequest(event: unknown): OperatorRequest {
  const { data, error } = operatorRequest.safeParse(event);
  if (error)
    throw new Error(
      error.issues
        .map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`)
        .join('; '),
    );
  return data;
}

/** A project as the operator sees it: no secret, no digest. */
export type ProjectSummary = Pick<
  Project,
  | 'project_id'
  | 'name'
  | 'invitation_base_url'
  | 'create_users_on_get'
  | 'created_at'
  | 'modified_at'
> & { secrets: { secret_id: string; created_at: string }[] };

/**
 * Does one request of the operator. Throws an Error whose message is a sentence for the operator. It has no cause: a
 * failed condition carries the project as it is stored, and whoever logs an error logs its cause too.
 */
export async function operate(
  request: OperatorRequest,
): Promise<
  ProjectSummary | { projects: ProjectSummary[] } | (ProjectSummary & { secret: string })
> {
  switch (request.action) {
    case 'create':
      return createProject(request);
    case 'list':
      return { projects: await listProjects() };
    case 'rotate-key':
      return rotateKey(request.project_id, request.keep);
    case 'update':
      return updateProject(request);
  }
}

/** Makes a project with its first secret. Without an id, one is made of the name. */
async function createProject(given: {
  project_id?: string | undefined;
  name: string;
  invitation_base_url?: string | undefined;
  create_users_on_get?: boolean | undefined;
}): Promise<ProjectSummary & { secret: string }> {
  const now = currentRequest().now.toISOString();
  const project_id = given.project_id ?? idFrom(given.name);
  const { secret, stored } = makeSecret(now);
  const project: Project = {
    ...keys.project(project_id),
    ...byOperator(project_id),
    project_id,
    name: given.name,
    invitation_base_url: given.invitation_base_url ?? unsetInvitationUrl,
    create_users_on_get: given.create_users_on_get ?? true,
    cursor_key: newSecret(),
    secrets: [stored],
    created_at: now,
    modified_at: now,
  };
  try {
    await createItem(project);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw taken(project_id);
  }
  return { ...summarize(project), secret };
}

/** Every project, by the index. */
async function listProjects(): Promise<ProjectSummary[]> {
  const { by_email_pk } = byOperator('');
  const { items } = await query<Project>({
    index: 'by-email',
    partition: by_email_pk,
    prefix: 'PROJECT#',
  });
  return items.map(summarize);
}

/** Adds a secret and keeps the newest `keep` of the others (default 1), so that keys rotate with overlap. */
async function rotateKey(
  project_id: string,
  keep = 1,
): Promise<ProjectSummary & { secret: string }> {
  const project = await getItem<Project>(keys.project(project_id));
  if (!project) throw unknown(project_id);
  const now = currentRequest().now.toISOString();
  const { secret, stored } = makeSecret(now);
  const secrets = [stored, ...project.secrets.slice(0, keep)];
  const changed = await change(
    project_id,
    { secrets, modified_at: now },
    where('#secrets = :seen', { seen: project.secrets }),
  );
  return { ...summarize(changed), secret };
}

/** Changes the settings of a project; running instances see them within 60 s. */
async function updateProject({
  project_id,
  name,
  invitation_base_url,
  create_users_on_get,
}: OperatorRequest & { action: 'update' }): Promise<ProjectSummary> {
  const modified_at = currentRequest().now.toISOString();
  const set = { name, invitation_base_url, create_users_on_get, modified_at };
  return summarize(await change(project_id, set, where('attribute_exists(#pk)')));
}

async function change(
  project_id: string,
  set: Record<string, unknown>,
  condition: Parameters<typeof updateItem>[2],
): Promise<Project> {
  try {
    return (await updateItem(keys.project(project_id), { set }, condition)) as Project;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw error.failed.item === null
      ? unknown(project_id)
      : new Error(`Somebody else changed the project ${project_id} just now; try again.`);
  }
}

const taken = (project_id: string) => new Error(`There is a project ${project_id} already.`);
const unknown = (project_id: string) => new Error(`There is no project ${project_id}.`);

function makeSecret(now: string) {
  const secret = newProjectSecret();
  return { secret, stored: { secret_id: newSecretId(), sha256: sha256(secret), created_at: now } };
}

function idFrom(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug || 'project'}-${newSecretId()}`;
}

function summarize({ secrets, ...project }: Project): ProjectSummary {
  const { project_id, name, invitation_base_url, create_users_on_get, created_at, modified_at } =
    project;
  return {
    project_id,
    name,
    invitation_base_url,
    create_users_on_get,
    created_at,
    modified_at,
    secrets: secrets.map(({ secret_id, created_at: since }) => ({ secret_id, created_at: since })),
  };
}
