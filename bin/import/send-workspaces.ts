import { createHash } from 'node:crypto';
import { mapInOrder } from '../transfer/in-order.ts';
import type { Answer, ProjectApi } from '../transfer/project-api.ts';
import { codeOf, findOne, findWorkspace, problemsOf } from './answers.ts';
import { workspaceChecker } from './check-workspace.ts';
import { ofAutoDomains, ofDomain, ofMember, ofRole, ofWorkspace } from './line-fields.ts';
import type { RecordResult } from './run-import.ts';
import type { Person, WorkspaceRow } from './workspace-row.ts';

/** Maximum cached people, for repeated lookups such as the owner of many workspaces. */
const maxKnown = 10_000;
/** Concurrent lookups of people of one workspace. */
const width = 8;

/**
 * Sends workspaces one after another; each may be sent again and is created once.
 *
 * @param source text that identifies project and file; with the line it identifies a workspace without an external id
 */
export function workspaceSender(source: string, dryRun: boolean) {
  const uids = new Map<string, Promise<string | undefined>>();
  const check = workspaceChecker();

  /** The uid of a person; undefined if the project does not have this person. */
  const uidOf = (api: ProjectApi, { field, value }: Person): Promise<string | undefined> => {
    // The contract accepts capitals too; responses are in lower case.
    if (field === 'uid') return Promise.resolve(value.toLowerCase());
    const key = `${field} ${value}`;
    const cached = uids.get(key);
    if (cached) return cached;
    if (uids.size >= maxKnown) uids.clear();
    const lookup = findOne(api, `/users?${field}=${encodeURIComponent(value.toWellFormed())}`).then(
      (user) => user?.['uid'] as string | undefined,
    );
    uids.set(key, lookup);
    return lookup;
  };

  async function send(api: ProjectApi, row: WorkspaceRow): Promise<RecordResult> {
    const { workspace, owner, roles, members, domains } = row;
    const about = { name: workspace.name, external_id: workspace.external_id };
    const people = [owner, ...members.map(({ person }) => person)];
    const [owner_id, ...found] = await mapInOrder(people, width, (person) => uidOf(api, person));
    const errors = [
      ...(owner_id === undefined ? [`owner: There is no user with this ${owner.field}`] : []),
      ...members.flatMap(({ person }, i) =>
        found[i] === undefined ? [`members/${i}: There is no user with this ${person.field}`] : [],
      ),
    ];
    // A workspace with any invalid part is not created, so that its line can be corrected and sent again.
    if (errors.length > 0 || owner_id === undefined) return { outcome: 'failed', errors, about };
    if (dryRun)
      return { ...(await check(api, row, { owner_id, user_ids: found as string[] })), about };
    const made = await create(api, { ...workspace, owner_id }, `${source}:${row.line}`);
    if ('refused' in made)
      return { outcome: 'failed', errors: problemsOf(made.refused, ofWorkspace(row)), about };
    const at = `/workspaces/${made.workspace_id}`;
    if (domains.auto.length + domains.suggest.length > 0 && (await isAsCreated(api, made)))
      errors.push(...(await allow(api, at, domains)));
    for (const [i, { role, definition }] of roles.entries()) {
      const answer = await define(api, `${at}/roles/${encodeURIComponent(role)}`, definition);
      errors.push(...problemsOf(answer, ofRole(i)));
    }
    for (const [i, { person, role, suspended }] of members.entries()) {
      const { [i]: user_id } = found;
      if (user_id === undefined || user_id === owner_id) continue;
      const answers = await add(api, at, { user_id, role, suspended });
      errors.push(...answers.flatMap((answer) => problemsOf(answer, ofMember(i, person))));
    }
    return { outcome: made.outcome, about, ...(errors.length > 0 && { errors }) };
  }

  return async (api: ProjectApi, rows: readonly WorkspaceRow[]): Promise<RecordResult[]> => {
    const results: RecordResult[] = [];
    for (const row of rows) results.push(await send(api, row));
    return results;
  };
}

type Made = { workspace_id: string; outcome: 'created' | 'exists'; isNew: boolean };

/**
 * Creates a workspace, or finds the one with its external id. Without one, an Idempotency-Key prevents a duplicate of
 * the line for 24 hours; two lines with the same content are two workspaces.
 */
async function create(
  api: ProjectApi,
  body: { external_id?: string; name: string; owner_id: string },
  place: string,
): Promise<Made | { refused: Answer }> {
  const { external_id } = body;
  const key = createHash('sha256')
    .update(JSON.stringify([place, body]))
    .digest('base64url');
  const answer = await api.call('POST', '/workspaces', {
    body,
    ...(external_id === undefined && { key }),
  });
  if (
    answer.status === 409 &&
    codeOf(answer) === 'external_id_taken' &&
    external_id !== undefined
  ) {
    const found = await findWorkspace(api, external_id);
    if (found)
      return { workspace_id: String(found['workspace_id']), outcome: 'exists', isNew: false };
  }
  if (answer.status >= 400) return { refused: answer };
  return {
    workspace_id: (answer.body as { workspace_id: string }).workspace_id,
    outcome: 'created',
    // The response to a repeated key may be that of an earlier run.
    isNew: external_id !== undefined,
  };
}

/**
 * Allows the domains of a workspace that allows none. The request for the whole list makes each new domain `auto`, so
 * it never contains domains whose users may only request to join.
 */
async function allow(
  api: ProjectApi,
  at: string,
  domains: WorkspaceRow['domains'],
): Promise<string[]> {
  const { auto, suggest } = domains;
  const errors: string[] = [];
  if (auto.length > 0) {
    const answer = await api.call('PUT', `${at}/allowed_domains`, {
      body: { allowed_domains: auto },
    });
    errors.push(...problemsOf(answer, ofAutoDomains(domains)));
  }
  for (const domain of suggest) {
    const path = `${at}/allowed_domains/${encodeURIComponent(domain.toWellFormed())}`;
    const answer = await api.call('PUT', path, { body: { mode: 'suggest' } });
    errors.push(...problemsOf(answer, ofDomain(domain, domains)));
  }
  return errors;
}

/**
 * Adds a member, suspended in the same request if they are. An existing member is suspended too, even with another role
 * than in the file, because a suspension removes access.
 */
async function add(
  api: ProjectApi,
  at: string,
  { user_id, role, suspended }: { user_id: string; role: string; suspended: boolean },
): Promise<Answer[]> {
  const body = { user_id, role, ...(suspended && { suspended }) };
  const added = await api.call('POST', `${at}/users`, { body });
  if (!suspended || codeOf(added) !== 'already_member') return [added];
  const path = `${at}/users/${user_id}/suspension`;
  return [added, await api.call('PUT', path, { body: { suspended } })];
}

/** Defines a role if it is missing. Changes that admins have made to it since an earlier run stay. */
async function define(
  api: ProjectApi,
  path: string,
  definition: Record<string, unknown>,
): Promise<Answer> {
  const found = await api.call('GET', path);
  return found.status === 404 ? api.call('PUT', path, { body: definition }) : found;
}

/**
 * Whether a workspace is unchanged since its creation, such as one of a run that was killed before it set the domains.
 * Later choices of its admins stay, because a domain lets strangers join.
 */
async function isAsCreated(api: ProjectApi, { workspace_id, isNew }: Made): Promise<boolean> {
  if (isNew) return true;
  const { status, body } = await api.call('GET', `/workspaces/${workspace_id}`);
  const { created_at, modified_at } = (body ?? {}) as Record<string, unknown>;
  return status === 200 && created_at === modified_at;
}
