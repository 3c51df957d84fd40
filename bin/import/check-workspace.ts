import type * as z from 'zod';
import { domains as domainRoutes } from '../../shared/contract/domains.ts';
import { members as memberRoutes } from '../../shared/contract/members.ts';
import { workspaceRoles } from '../../shared/contract/workspace-roles.ts';
import { workspaces } from '../../shared/contract/workspaces.ts';
import { toFieldErrors } from '../../shared/http/input.ts';
import { issueMessage } from '../../shared/http/issue-message.ts';
import type { Part } from '../../shared/http/json-pointer.ts';
import { uid } from '../../shared/model/fields.ts';
import { type Definitions, isRole, problemsOfPermissions } from '../../shared/roles/definitions.ts';
import { readDefinitions, readOwnRoles } from '../roles/read-definitions.ts';
import { usersOf } from '../transfer/lists.ts';
import type { ProjectApi } from '../transfer/project-api.ts';
import { findWorkspace, sentenceOf } from './answers.ts';
import {
  ofAutoDomains,
  ofDomain,
  ofMember,
  ofRole,
  ofWorkspace,
  type Subject,
} from './line-fields.ts';
import type { RecordResult } from './run-import.ts';
import type { WorkspaceRow } from './workspace-row.ts';

/** The uids of the people in the line; the members in the line's order. */
type WorkspaceUids = { owner_id: string; user_ids: readonly string[] };

/**
 * Predicts with read-only requests what an import would do with a workspace. It does not know what only the real
 * request shows: limits, settings of the project, and existing members.
 */
export function workspaceChecker() {
  /** The roles of earlier lines by external id: a second line with the same id finds the workspace of the first. */
  const seen = new Map<string, Set<string>>();
  let reading: Promise<Definitions> | undefined;

  return async (
    api: ProjectApi,
    row: WorkspaceRow,
    found: WorkspaceUids,
  ): Promise<RecordResult> => {
    const { workspace } = row;
    const { external_id } = workspace;
    const { owner_id, user_ids } = found;
    const absent = await absentOf(api, [owner_id, ...user_ids]);
    const body = { ...workspace, owner_id };
    const refused = await problemsIn(workspaces.create.body, body, ofWorkspace(row));
    if (absent.has(owner_id)) refused.push('owner: There is no user with this uid');
    if (refused.length > 0) return { outcome: 'failed', errors: refused };
    const existing = external_id === undefined ? undefined : await findWorkspace(api, external_id);
    const before = external_id === undefined ? undefined : seen.get(external_id);
    // As in an import: the choices of a workspace's admins since its creation stay.
    const setsDomains = !existing || existing['created_at'] === existing['modified_at'];
    const definitions = await (reading ??= readDefinitions(api));
    const ownRoles = existing ? await readOwnRoles(api, String(existing['workspace_id'])) : [];
    const own = new Set([...ownRoles.map(({ role }) => String(role)), ...(before ?? [])]);
    if (external_id !== undefined) seen.set(external_id, own);
    const errors = [
      ...(setsDomains ? await problemsOfDomains(row) : []),
      ...(await problemsOfRoles(row, own, definitions)),
      ...(await problemsOfMembers(
        row,
        found,
        absent,
        (role) => isRole(definitions, role) || own.has(role),
      )),
    ];
    const outcome = existing || before ? 'exists' : 'created';
    return { outcome, ...(errors.length > 0 && { errors }) };
  };
}

/** The uids that no user has. */
async function absentOf(api: ProjectApi, ids: readonly string[]): Promise<Set<string>> {
  // The contract rejects an invalid uid.
  const absent = new Set(ids.filter((id) => uid.safeParse(id).success));
  for (const user of await usersOf(api, [...absent])) absent.delete(String(user['uid']));
  return absent;
}

/** The errors that the contract has for a part of a request. */
async function problemsIn(
  schema: z.ZodObject,
  value: unknown,
  subject: Subject,
  part: Part = 'body',
): Promise<string[]> {
  const { error } = await schema.safeParseAsync(value, { error: issueMessage });
  const issues = error?.issues ?? [];
  return issues
    .flatMap((issue) => toFieldErrors(part, issue))
    .map((each) => sentenceOf(subject, each));
}

async function problemsOfDomains({ domains }: WorkspaceRow): Promise<string[]> {
  const { auto, suggest } = domains;
  const { body } = workspaces.setAllowedDomains;
  const errors =
    auto.length > 0
      ? await problemsIn(body, { allowed_domains: auto }, ofAutoDomains(domains))
      : [];
  const params = domainRoutes.set.params.pick({ domain: true });
  for (const domain of suggest)
    errors.push(...(await problemsIn(params, { domain }, ofDomain(domain, domains), 'path')));
  return errors;
}

/** @param own the existing roles, which stay unchanged; the roles that the line defines are added */
async function problemsOfRoles(
  { roles }: WorkspaceRow,
  own: Set<string>,
  definitions: Definitions,
): Promise<string[]> {
  const { params, body } = workspaceRoles.set;
  const errors: string[] = [];
  for (const [i, { role, definition }] of roles.entries()) {
    if (own.has(role)) continue;
    const subject = ofRole(i);
    const wrong = [
      ...(await problemsIn(params.pick({ role: true }), { role }, subject, 'path')),
      ...(await problemsIn(body, definition, subject)),
    ];
    if (wrong.length === 0) {
      const permissions = definition['permissions'] as string[];
      const found = problemsOfPermissions(role, permissions, definitions);
      wrong.push(...found.map((each) => sentenceOf(subject, each)));
    }
    if (wrong.length === 0) own.add(role);
    errors.push(...wrong);
  }
  return errors;
}

async function problemsOfMembers(
  { members }: WorkspaceRow,
  { owner_id, user_ids }: WorkspaceUids,
  absent: ReadonlySet<string>,
  isKnownRole: (name: string) => boolean,
): Promise<string[]> {
  const errors: string[] = [];
  const roles = new Map<string, string>();
  for (const [i, { person, role }] of members.entries()) {
    const { [i]: user_id = '' } = user_ids;
    if (user_id === owner_id) continue;
    const subject = ofMember(i, person);
    const { what } = subject;
    const wrong = await problemsIn(memberRoutes.add.body, { user_id, role }, subject);
    if (absent.has(user_id)) wrong.push(`${what}: There is no user with this uid`);
    if (wrong.length === 0 && !isKnownRole(role))
      wrong.push(`${what}/role: Must be a role of the project or of the workspace`);
    const before = roles.get(user_id) ?? role;
    if (before !== role) wrong.push(`${what}: already_member: The user is a member as ${before}`);
    if (wrong.length === 0) roles.set(user_id, role);
    errors.push(...wrong);
  }
  return errors;
}
