import { es256Id } from '../access/es256-key.ts';
import { unsetInvitationUrl } from '../access/hosted-pages.ts';
import type { Project } from '../access/projects.ts';
import { listPublicKeys } from '../access/public-keys.ts';
import { create } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import { byOperator } from '../db/index-attributes.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { ifConditionFails, transact, updateItem } from '../db/transaction.ts';
import { newSecret, newSecretId } from '../model/ids.ts';
import { pack } from '../model/pack.ts';
import { noCounts } from '../stats/count-events.ts';
import { countersWrites } from '../stats/counters.ts';
import {
  createClient,
  createClientSecret,
  deleteClient,
  revokeClientSecret,
  type ShownClient,
  updateClient,
} from './clients.ts';
import { updateGuarded } from './guarded-settings.ts';
import type { ProjectPage } from './project-pages.ts';
import { guardNames } from './provider-names.ts';
import type { HashRequest, OperatorRequest, RequestOf } from './request.ts';
import {
  createSecret,
  type ListedSecret,
  listSecrets,
  makeSecret,
  type NewSecret,
  revokeSecret,
  rotateProjectSecret,
  updateSecret,
} from './secrets.ts';
import { storedProjects } from './stored-projects.ts';
import { type ProjectSummary, summarize, unknownProject } from './summary.ts';

/** Management of projects, which only the operator may do. */

/**
 * Runs one operator request. Throws an Error whose message is a sentence for the operator. It has no `cause`: a failed
 * condition carries the stored project, and loggers also log causes.
 */
export async function operate(
  request: Exclude<OperatorRequest, HashRequest>,
): Promise<
  | ProjectSummary
  | NewSecret
  | ShownClient
  | ProjectPage
  | { project_id: string; secrets: ListedSecret[] }
> {
  switch (request.action) {
    case 'create':
      return createProject(request);
    case 'list':
      return listProjects(request.after);
    case 'update':
      return updateProject(request);
    case 'rotate-key':
      return rotateProjectSecret(request);
    case 'create-secret':
      return createSecret(request);
    case 'update-secret':
      return updateSecret(request);
    case 'list-secrets':
      return listSecrets(request.project_id);
    case 'revoke-secret':
      return revokeSecret(request.project_id, request.secret_id);
    case 'create-client':
      return createClient(request);
    case 'update-client':
      return updateClient(request);
    case 'delete-client':
      return deleteClient(request);
    case 'create-client-secret':
      return createClientSecret(request);
    case 'revoke-client-secret':
      return revokeClientSecret(request);
  }
}

/** Creates a project with its first secret. Without an id, derives one from the name. */
async function createProject(request: RequestOf<'create'>): Promise<NewSecret> {
  const { action: _, project_id: requestedId, ...settings } = request;
  await requireKeysFor(request);
  const now = currentRequest().now.toISOString();
  const project_id = requestedId ?? idFrom(settings.name);
  const { secret, stored } = makeSecret(now);
  const project: Project = {
    ...keys.project(project_id),
    ...byOperator(project_id),
    project_id,
    invitation_base_url: unsetInvitationUrl,
    create_users_on_get: true,
    ...settings,
    cursor_key: newSecret(),
    secrets: [stored],
    created_at: now,
    modified_at: now,
  };
  const names = await guardNames({ project_id }, settings.sign_in_providers);
  const counters = countersWrites(project_id, noCounts(), 'nothing', currentRequest().now);
  const writes = { project: create(project), ...counters, ...names.writes };
  await ifConditionFails(transact(writes), (failed) => {
    throw 'project' in failed ? taken(project_id) : names.refused;
  });
  return { ...summarize(project), secret };
}

/** What one page holds at most: Lambda's response holds 6 MB. */
const maxPage = { elements: Infinity, bytes: 4_000_000 };

async function listProjects(after = ''): Promise<ProjectPage> {
  const left = (await storedProjects())
    .map(summarize)
    .filter(({ project_id }) => project_id > after);
  const bytesOf = (each: ProjectSummary) => Buffer.byteLength(JSON.stringify(each));
  const [projects = [], following] = pack(left, maxPage, bytesOf);
  const next = following && projects.at(-1)?.project_id;
  return { projects, ...(next !== undefined && { next }) };
}

/** Changes the named settings and unsets those that are null. Running instances see it within 60 s. */
async function updateProject(request: RequestOf<'update'>): Promise<ProjectSummary> {
  const { action: _, project_id, ...settings } = request;
  await requireKeysFor(request);
  const { invitation_base_url } = settings;
  const entries = Object.entries({
    ...settings,
    // Every project has one: instances of releases before 0.9.0 show it with each workspace.
    ...(invitation_base_url === null && { invitation_base_url: unsetInvitationUrl }),
  });
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const unset = entries.flatMap(([name, value]) => (value === null ? [name] : []));
  const { now } = currentRequest();
  const ended = settings.impersonation === 'off' && { impersonation_ended_at: epochSeconds(now) };
  const modified_at = now.toISOString();
  const changes = { set: { ...set, ...ended, modified_at }, remove: unset };
  if (settings.pages_domain !== undefined || settings.sign_in_providers !== undefined)
    return summarize(await updateGuarded(project_id, settings, changes));
  const changing = updateItem<Project>(keys.project(project_id), changes, exists);
  const changed = await ifConditionFails(changing, () => {
    throw unknownProject(project_id);
  });
  return summarize(changed);
}

/**
 * Refuses ES256 until the key beside each RSA key is published: a deployment from before 0.8.0 rotates its key first.
 */
async function requireKeysFor({ token_algorithm }: { token_algorithm?: string }): Promise<void> {
  if (token_algorithm !== 'ES256') return;
  const published = await listPublicKeys();
  const ids = new Set(published.map(({ kid }) => kid));
  const signing = published.filter((key) => 'n' in key && key.expires_at === undefined);
  if (!signing.every(({ kid }) => ids.has(es256Id(kid))))
    throw new Error(
      'The ES256 keys are not published yet. Rotate the signing key (aws secretsmanager rotate-secret), then set it again.',
    );
}

const taken = (project_id: string) => new Error(`The project ${project_id} already exists.`);

function idFrom(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug || 'project'}-${newSecretId()}`;
}
