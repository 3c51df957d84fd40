import { createHash } from 'node:crypto';
import { mapInOrder } from '../transfer/in-order.ts';
import type { Answer, ProjectApi } from '../transfer/project-api.ts';
import { codeOf, findOne, problemsOf } from './answers.ts';
import { workspaceChecker } from './check-workspace.ts';
import { ofAutoDomains, ofDomain, ofMember, ofRole, ofWorkspace } from './line-fields.ts';
import type { RecordResult } from './run-import.ts';
import type { Person, WorkspaceRow } from './workspace-row.ts';

/** People who are asked for again and again, such as the owner of many workspaces. */
const maxKnown = 10_000;
/** People of a workspace who are looked up at a time. */
const width = 8;

/**
 * Sends workspaces one after another; each may be sent again and is created once.
 *
 * @param source text that names project and file: with its line it names a workspace that has no external id
 */
export function workspaceSender(source: string, dryRun: boolean) {
  const uids = new Map<string, Promise<string | undefined>>();
  const check = workspaceChecker();

  /** The uid of a person, or undefined for one whom the project does not have. */
  const uidOf = (api: ProjectApi, { field, value }: Person): Promise<string | undefined> => {
    // The contract takes one in capitals too, and the answers have it in small letters.
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
    // A workspace that cannot be created as it was is not created: its line is corrected and sent again.
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
 * Creates a workspace, or finds the one with its external id. Without one, an Idempotency-Key keeps a line from being
 * two for 24 hours; two lines with the same content are two workspaces.
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
    const found = await findOne(
      api,
      `/workspaces?external_id=${encodeURIComponent(external_id.toWellFormed())}`,
    );
    if (found)
      return { workspace_id: String(found['workspace_id']), outcome: 'exists', isNew: false };
  }
  if (answer.status >= 400) return { refused: answer };
  return {
    workspace_id: (answer.body as { workspace_id: string }).workspace_id,
    outcome: 'created',
    // The answer to a key may be that of an earlier run.
    isNew: external_id !== undefined,
  };
}

/**
 * Allows the domains of a workspace that allows none. The request for the list makes each domain that is new `auto`, so
 * those that let their users only ask are never in it.
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
 * Adds a member, suspended in the same request if they are. One who is a member already is suspended too, also with
 * another role than in the file: a suspension takes access away.
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

/** Defines a role that there is not yet: what its admins have made of it since an earlier run stays. */
async function define(
  api: ProjectApi,
  path: string,
  definition: Record<string, unknown>,
): Promise<Answer> {
  const found = await api.call('GET', path);
  return found.status === 404 ? api.call('PUT', path, { body: definition }) : found;
}

/**
 * Whether nobody has changed a workspace since it was created, such as that of a run that was killed before it set the
 * domains. What its admins have chosen since then stays: a domain lets strangers join.
 */
async function isAsCreated(api: ProjectApi, { workspace_id, isNew }: Made): Promise<boolean> {
  if (isNew) return true;
  const { status, body } = await api.call('GET', `/workspaces/${workspace_id}`);
  const { created_at, modified_at } = (body ?? {}) as Record<string, unknown>;
  return status === 200 && created_at === modified_at;
}
