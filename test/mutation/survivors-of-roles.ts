import { living } from './living.ts';
import type { Survivor } from './survivors.ts';

const someText = '"Stryker was here!"';

const secondFactor = 'shared/workspaces/second-factor.ts';
const secondFactorSetting = 'shared/workspaces/second-factor-setting.ts';
const asked =
  'mfa_required_at !== undefined && mfa_required_at <= currentRequest().now.toISOString();';
const authorize = 'shared/workspaces/authorize.ts';
const prefetched =
  'It is read ahead, to save a round trip, which the budgets hold; what decides is read below.';
const prefetch =
  'uid !== undefined && dependsOnRole(action) ? getKnownRoles(project_id) : undefined,';
const createWorkspace = 'shared/workspaces/create-workspace.ts';
const updateWorkspace = 'shared/workspaces/update-workspace.ts';
const workspaceOwner = 'shared/workspaces/workspace-owner.ts';
const exists = 'It goes through the names of the roles that there are; the compiler does not know.';

/** Survivors in permissions of workspaces and roles. */
export const survivorsOfRoles: readonly Survivor[] = [
  {
    file: authorize,
    line: "const uid = caller.kind === 'person' ? caller.uid : undefined;",
    code: "caller.kind === 'person'",
    by: 'true',
    reason: 'No other caller has a uid; the compiler does not know.',
  },
  ...[
    { code: 'uid !== undefined && dependsOnRole(action)', by: 'true' },
    { code: 'uid !== undefined && dependsOnRole(action)', by: 'false' },
    {
      code: 'uid !== undefined && dependsOnRole(action)',
      by: 'uid !== undefined || dependsOnRole(action)',
    },
    { code: 'uid !== undefined', by: 'true' },
    { code: 'uid !== undefined', by: 'uid === undefined' },
  ].map((mutant) => ({ file: authorize, line: prefetch, ...mutant, reason: prefetched })),
  {
    file: secondFactor,
    line: 'return session !== undefined && isSingleFactor(session);',
    code: 'session !== undefined',
    by: 'true',
    reason: 'A caller has a session that was read with the request; the compiler does not know.',
  },
  {
    file: secondFactor,
    line: asked,
    code: 'mfa_required_at !== undefined',
    by: 'true',
    reason: 'No comparison with undefined is true; the compiler wants it said.',
  },
  {
    file: secondFactor,
    line: asked,
    code: 'mfa_required_at <= currentRequest().now.toISOString()',
    by: 'mfa_required_at < currentRequest().now.toISOString()',
    reason: 'It is a millisecond at the end of days.',
  },
  {
    file: 'shared/workspaces/by-principal.ts',
    line: "export const apiKeyCheck = 'api_key';",
    ...{ code: "'api_key'", by: '""' },
    reason: 'A name that one transaction has for one of its writes.',
  },
  ...[
    {
      line: "caller.kind === 'person' &&",
      ...{ code: "caller.kind === 'person'", by: 'true' },
      reason: 'Nobody else without a key stands as the owner; the compiler does not know.',
    },
    {
      line: "principal?.standing === 'owner';",
      ...{ code: 'principal?.standing', by: 'principal.standing' },
      reason: 'A person has a standing here; the compiler does not know.',
    },
    {
      line: 'if (isOwner) await requireRecent(caller, now);',
      ...{ code: 'isOwner', by: 'true' },
      reason: 'The backend has no session that could be old; the compiler does not know.',
    },
    {
      line: 'if (session) requireRecentSignIn(session, now);',
      ...{ code: 'session', by: 'true' },
      reason: 'It was live when the request began, and is held to that at the commit.',
    },
    {
      line: 'if (offersSecondFactor(project)) return;',
      ...{ code: 'offersSecondFactor(project)', by: 'false' },
      reason: 'It spares a read.',
    },
    ...[
      { code: 'project?.passkeys', by: 'project.passkeys' },
      { code: 'project?.mfa', by: 'project.mfa' },
    ].map((mutant) => ({
      line: "project?.passkeys === true || (project?.mfa ?? 'off') !== 'off';",
      ...mutant,
      reason: 'The caller has a project; the compiler does not know.',
    })),
  ].map((mutant) => ({ file: secondFactorSetting, ...mutant })),
  ...["allow(action, 'none');", "return isOwn ? caller.role : 'none';"].map((line) => ({
    file: authorize,
    line,
    ...{ code: "'none'", by: '""' },
    reason: 'The policy fails closed: a standing that it does not know gets the same 404.',
  })),
  {
    file: authorize,
    line: "throw notFound('the caller is no member');",
    code: "'the caller is no member'",
    by: '""',
    reason: 'The line before throws for every action of the table; the compiler does not know.',
  },
  {
    file: 'shared/roles/change-roles.ts',
    line: 'const definition = { ...(description !== undefined && { description }) };',
    code: 'description !== undefined',
    by: 'true',
    reason: 'What is undefined is not written; the compiler does not know.',
  },
  {
    file: 'shared/roles/change-roles.ts',
    line: 'roleOf(roles.definitions, role)?.permissions.includes(permission),',
    code: 'roleOf(roles.definitions, role)?.permissions',
    by: 'roleOf(roles.definitions, role).permissions',
    reason: exists,
  },
  {
    file: 'shared/roles/holders.ts',
    line: 'roleOf(definitions, each)?.inherits?.includes(role),',
    code: 'roleOf(definitions, each)?.inherits',
    by: 'roleOf(definitions, each).inherits',
    reason: exists,
  },
  {
    file: 'shared/roles/holders.ts',
    line: 'if (!isOwn && by_member_sk !== undefined && isArchived(item)) return false;',
    code: 'by_member_sk !== undefined',
    by: 'true',
    reason: 'What has no such key is not archived either.',
  },
  {
    file: 'shared/roles/holders.ts',
    line: 'return expires_at === undefined || expires_at > epochSeconds(now);',
    code: 'expires_at > epochSeconds(now)',
    by: 'expires_at >= epochSeconds(now)',
    reason:
      'Whether a link counts in the second in which it ends is nothing: nobody joins by it then.',
  },
  {
    file: 'shared/roles/own-roles.ts',
    line: 'if (own_roles === undefined) return roles;',
    code: 'own_roles === undefined',
    by: 'false',
    reason: 'It saves a copy of the roles.',
  },
  {
    file: 'shared/roles/change-own-roles.ts',
    line: "if (Buffer.byteLength(own_roles ?? '') > limits.ownRoles.bytes)",
    code: "''",
    by: someText,
    reason: 'Neither is too large.',
  },
  {
    file: 'shared/roles/views.ts',
    line: '...own.sort((a, b) => (a.permission < b.permission ? -1 : 1)),',
    code: 'a.permission < b.permission',
    by: 'a.permission <= b.permission',
    reason: 'No two permissions have one name.',
  },
  ...living(workspaceOwner, 'A backend names the owner; the compiler does not know.', [
    "if (caller.kind === 'project') return requireUser(project_id, owner_id ?? '');",
    "''",
    someText,
  ]),
  ...living(workspaceOwner, 'The cause of a failure, for the log.', [
    "throw notFound('a person may own only what they create');",
    "'a person may own only what they create'",
    '""',
  ]),
  ...living(
    'shared/workspaces/members/acquaintance.ts',
    'It spares two reads: no user has no id, and shares no workspace.',
    ['if (person === undefined) return undefined;', 'person === undefined', 'false'],
  ),
  ...living(
    'shared/workspaces/joining/limited-collection.ts',
    'It saves a query of all items, as the budgets show; the limit is exact either way.',
    ['if ((workspace[counter] ?? 0) < max) {', '(workspace[counter] ?? 0) < max', 'false'],
  ),
  ...living(
    'shared/workspaces/active-workspace.ts',
    'It saves the reads of a workspace, which would find none.',
    ['if (workspace_id === undefined) return {};', 'workspace_id === undefined', 'false'],
  ),
  ...living(createWorkspace, 'What is undefined is not written; the compiler does not know.', [
    '...(fields.external_id !== undefined && { external_id: fields.external_id }),',
    'fields.external_id !== undefined',
    'true',
  ]),
  ...living(
    updateWorkspace,
    'Nothing else fails if the workspace is as it was read: if it is not, the read is stale.',
    [
      "taken === undefined ? undefined : new ApiError('external_id_taken'),",
      'taken === undefined',
      'false',
    ],
  ),
  ...living(updateWorkspace, 'The cause of a failure, for the log.', [
    "() => notFound('no such workspace'),",
    "'no such workspace'",
    '""',
  ]),
  ...living(
    updateWorkspace,
    'test/contract/idempotency.test.ts fails of it, which asks every route with an Idempotency-Key.',
    [
      '() => getWorkspace(project_id, workspace_id),',
      '() => getWorkspace(project_id, workspace_id)',
      '() => undefined',
    ],
  ),
  ...living(
    'shared/workspaces/invitations/foresee-invitations.ts',
    'What is not in the state `pending` is in the other.',
    ["const expired = await listInvitations(workspace_id, 'expired', now);", "'expired'", '""'],
  ),
];
