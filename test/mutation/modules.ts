import { globSync } from 'node:fs';

const functions = (...names: string[]) => names.map((name) => `test/functions/${name}.test.ts`);
const facts = ['test/events/sign-in.test.ts'];
const races = (...names: string[]) => names.map((name) => `test/races/${name}.test.ts`);
const shared = (...names: string[]) => names.map((name) => `test/shared/${name}.test.ts`);

/** Each module of policy and authentication, and the tests that must kill its mutants. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  'shared/model/policy.ts': shared('model/policy'),
  'shared/access/access-token.ts': shared(
    ...['access/access-token', 'access/authenticate', 'access/es256-key'],
    ...['access/remembered-tokens', 'identity/session-response'],
  ),
  'shared/access/authenticate.ts': shared('access/authenticate'),
  'shared/access/authorization-header.ts': shared('access/authorization-header'),
  'shared/access/jws.ts': shared('access/jws', 'access/access-token'),
  'shared/access/es256-key.ts': shared('access/es256-key', 'access/access-token'),
  'shared/identity/passwords/common-passwords.ts': shared('identity/common-passwords'),
  'shared/identity/sign-in/reauthenticate.ts': shared('identity/reauthenticate'),
  'shared/db/batch-loader.ts': shared('db/batch-loader'),
  'shared/db/batch-write.ts': shared('db/batch-write'),
  'shared/db/change.ts': shared('db/commit', 'db/expressions', 'db/modified-at'),
  'shared/db/client.ts': shared('db/client'),
  'shared/db/commit.ts': shared('db/commit'),
  'shared/db/condition.ts': shared('db/commit', 'db/modified-at'),
  'shared/db/expressions.ts': shared(
    'db/batch-loader',
    'db/commit',
    'db/expressions',
    'db/query',
    'db/transaction',
  ),
  'shared/db/item.ts': shared('db/commit', 'db/transaction'),
  'shared/db/modified-at.ts': shared('db/modified-at'),
  'shared/db/page.ts': shared('db/page'),
  'shared/db/query.ts': shared('db/query'),
  'shared/db/retry-stale.ts': shared('db/retry-stale'),
  'shared/db/rate-limits.ts': [
    ...shared('db/rate-limits', 'mail/notice-limit', 'workspaces/second-factor-mail'),
    ...functions('factors/delete-totp', 'factors/sign-in', 'passwords/sign-in'),
  ],
  'shared/db/transport/clock.ts': shared('db/transport/clock'),
  'shared/db/transport/failed-condition.ts': shared('db/transport/failed-condition'),
  'shared/db/transport/connection.ts': shared('db/transport/connection', 'db/transport/http'),
  'shared/db/transport/connections.ts': shared('db/transport/connection', 'db/transport/http'),
  'shared/db/transport/http.ts': shared(
    ...['db/transport/client', 'db/transport/connection', 'db/transport/http'],
  ),
  'shared/db/transport/response.ts': shared('db/transport/response'),
  'shared/db/transport/json.ts': shared(
    ...['db/transport/json', 'db/transport/documents', 'db/transport/client'],
  ),
  'shared/db/transport/place.ts': shared('db/transport/place'),
  'shared/db/transport/sign.ts': shared('db/transport/sign'),
  'shared/db/transport/client.ts': shared('db/transport/client'),
  'shared/db/transaction.ts': shared('db/transaction', 'db/commit', 'db/client'),
  'shared/model/bounded-map.ts': shared('model/read-cache'),
  'shared/model/hmac.ts': shared('model/hmac'),
  'shared/model/read-cache.ts': shared('model/read-cache'),
  'shared/workspaces/domains/dns.ts': shared('workspaces/domain-dns'),
  'shared/workspaces/domains/claims.ts': shared('workspaces/domain-claims'),
  'shared/http/idempotency.ts': shared('http/idempotency'),
  'shared/http/execute.ts': [
    ...shared('http/idempotency', 'db/modified-at'),
    'test/contract/preconditions.test.ts',
    ...races('ended-session'),
    'test/faults/exhaustive-1.test.ts',
  ],
  'shared/http/idempotency-encryption.ts': shared('http/idempotency-encryption'),
  'shared/identity/identities/identity-token.ts': shared(
    'identity/identity-token',
    'identity/identity-token-keys',
    'identity/identity-sign-in',
  ),
  'shared/identity/identities/provider-keys.ts': shared('identity/identity-token-keys'),
  'shared/workspaces/invitations/invitation-token.ts': shared('workspaces/invitation-token'),
  'shared/identity/sessions/session-response.ts': shared('identity/session-response'),
  'shared/identity/sessions/rotate-session.ts': [
    ...shared('identity/sessions'),
    ...functions('sessions/refresh'),
  ],
  'shared/workspaces/joining/join-token.ts': shared('workspaces/join-token'),
  'shared/events/authorize-log.ts': shared('events/authorize-log'),
  'shared/mail/mail-secret.ts': shared('mail/mail-secret'),
  'shared/model/client-network.ts': shared('model/client-network'),
  'shared/model/uuid-bytes.ts': shared('workspaces/join-token', 'access/api-key-text'),
  'shared/workspaces/compact-ids.ts': shared(
    'workspaces/join-token',
    'workspaces/invitation-token',
  ),
  'shared/identity/passwords/password-hash.ts': shared('identity/password-hash'),
  'shared/access/project-secret.ts': shared('access/project-secret'),
  'shared/access/hosted-pages.ts': [
    ...shared('access/hosted-pages', 'access/pages-hosts'),
    ...functions('projects/get'),
  ],
  'shared/access/last-use.ts': shared('access/last-use'),
  'shared/access/live-session.ts': [
    ...shared('access/authenticate'),
    ...functions('sessions/introspect', 'sessions/refresh'),
  ],
  'shared/access/change-rate-limit.ts': shared('access/change-rate-limit'),
  'shared/access/door-rate-limit.ts': shared('access/door-rate-limit'),
  'shared/access/projects.ts': shared('access/projects', 'access/authenticate'),
  'shared/access/sign-in-rate-limit.ts': ['test/attack/sign-ins-of-one.test.ts'],
  'shared/access/public-keys.ts': [
    ...shared('access/public-keys', 'access/es256-key'),
    ...functions('discovery/jwks'),
  ],
  'shared/access/relying-party.ts': shared('access/relying-party'),
  'shared/access/leased-limit.ts': shared('access/door-rate-limit', 'api-keys/key-rate-limit'),
  'shared/access/recent-sign-in.ts': [
    ...shared('workspaces/second-factor'),
    ...functions('factors/start-totp', 'oauth/token', 'sessions/reauthenticate'),
  ],
  'shared/access/source-cidrs.ts': shared('access/source-cidrs'),
  'shared/access/refresh-token.ts': shared('access/refresh-token'),
  'shared/access/api-key-text.ts': shared('access/api-key-text'),
  'shared/access/device-token.ts': shared('identity/device-token'),
  'shared/access/session-cookie.ts': shared('access/session-cookie'),
  'shared/access/secrets-manager.ts': shared('access/secrets-manager'),
  'shared/access/signing-keys.ts': shared('access/signing-keys', 'access/es256-key'),
  'shared/workspaces/authorize.ts': shared(
    'workspaces/authorize',
    'workspaces/authorize-keys',
    'workspaces/second-factor',
  ),
  'shared/workspaces/joining/admission.ts': [
    ...shared('workspaces/admission'),
    ...functions('members/join', 'join-requests/create'),
    ...races('between-reads', 'joining', 'joining-between'),
  ],
  'shared/access/caller.ts': shared('access/caller'),
  'shared/workspaces/members/add-member.ts': [
    ...functions('invitations/accept', 'join-requests/approve', 'members/add', 'members/join'),
    ...races('given-roles-between', 'joining', 'joining-between', 'members-between'),
  ],
  'shared/workspaces/members/change-member.ts': [
    ...functions('members/change-role', 'members/get', 'members/remove', 'members/suspend'),
    ...functions('ownership/offer', 'roles/delete', 'workspace-roles/set'),
    ...shared('roles/rights'),
    ...races('members-between'),
  ],
  'shared/workspaces/delete-workspace.ts': [
    ...functions('ownership/accept', 'users/delete', 'workspaces/delete', 'workspaces/restore'),
    ...shared('accounts/delete-user', 'directory/external-ids', 'events/continuation'),
    ...races('between', 'lifecycle'),
  ],
  'shared/workspaces/invitations/invitations.ts': [
    ...shared('workspaces/invitations', 'workspaces/invite'),
    ...functions('invitations/accept', 'invitations/end-by-email', 'invitations/list'),
    ...functions('invitations/resend', 'join-requests/approve', 'workspaces/list-invited'),
    ...functions('members/list'),
    ...races('invitations', 'members'),
    'test/attack/prepared-accounts.test.ts',
  ],
  'shared/workspaces/by-principal.ts': [
    ...shared('workspaces/by-principal'),
    ...functions('members/change-role', 'members/get', 'members/remove'),
    ...races('members-between', 'api-keys-between', 'given-roles-between'),
  ],
  'shared/workspaces/members/membership-transaction.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...functions('members/add', 'members/change-role', 'members/join', 'members/remove'),
    ...races('members-between', 'api-keys-between'),
  ],
  'shared/workspaces/invitations/mail-quota.ts': functions(
    'invitations/create',
    'invitations/resend',
  ),
  'shared/workspaces/update-by-key.ts': races('api-keys-between'),
  'shared/workspaces/ownership.ts': [
    ...functions('ownership/accept', 'ownership/end', 'ownership/offer', 'members/change-role'),
    ...races('lifecycle', 'members-between'),
  ],
  'shared/workspaces/second-factor-mail.ts': [
    ...shared('workspaces/second-factor-mail'),
    ...shared('mail/second-factor-in-full'),
  ],
  'shared/workspaces/invitations/invitation-mail.ts': functions('mail/send'),
  'shared/workspaces/second-factor.ts': shared(
    'workspaces/authorize-keys',
    'workspaces/second-factor',
  ),
  'shared/workspaces/second-factor-setting.ts': shared('workspaces/second-factor'),
  'shared/roles/definitions.ts': [
    ...shared('roles/definitions', 'roles/no-escalation', 'roles/refusals'),
    ...functions('permissions/list', 'permissions/set', 'roles/set', 'workspace-roles/set'),
  ],
  'shared/roles/principal.ts': [
    ...shared('roles/principal', 'roles/no-escalation', 'roles/refusals', 'roles/rights'),
    ...functions('members/change-role', 'roles/list-of-workspace', 'workspace-roles/set'),
    ...functions('workspace-keys/create'),
    ...races('given-roles-between'),
  ],
  'shared/roles/own-roles.ts': [
    ...shared('roles/refusals'),
    ...functions('workspace-roles/delete', 'workspace-roles/get', 'workspace-roles/set'),
    ...races('given-roles-between'),
  ],
  'shared/roles/rights.ts': [
    ...functions('permissions/check', 'permissions/list-of-caller'),
    ...shared('roles/claims', 'workspaces/second-factor'),
  ],
  'shared/roles/change-own-roles.ts': [
    ...shared('roles/no-escalation', 'roles/refusals'),
    ...functions('workspace-roles/delete', 'workspace-roles/set'),
    ...races('own-roles'),
  ],
  'shared/roles/change-roles.ts': [
    ...shared('roles/refusals'),
    ...functions('permissions/delete', 'permissions/set', 'roles/delete', 'roles/set'),
  ],
  'shared/roles/holders.ts': functions('roles/delete', 'workspace-roles/delete'),
  'shared/roles/stored.ts': [
    ...shared('roles/stored'),
    ...functions('roles/set'),
    ...races('roles-between'),
  ],
  'shared/roles/views.ts': [
    ...shared('roles/refusals'),
    ...functions('permissions/get', 'permissions/list', 'permissions/set'),
    ...functions('roles/get', 'roles/list', 'workspace-roles/get'),
  ],
  'shared/workspaces/batched-transactions.ts': shared('workspaces/archive'),
  'shared/workspaces/create-workspace.ts': [
    ...functions('workspaces/create'),
    ...shared('directory/external-ids', 'workspaces/second-factor'),
    ...races('between'),
  ],
  'shared/workspaces/workspace-owner.ts': functions('workspaces/create'),
  'shared/workspaces/update-workspace.ts': [
    ...functions('workspaces/update'),
    ...shared('directory/external-ids', 'workspaces/second-factor'),
    ...races('between', 'clocks'),
  ],
  'shared/workspaces/members/remove-orphan.ts': [
    ...shared('accounts/user-deletion-job', 'workspaces/archive'),
    ...functions('ownership/end'),
  ],
  'shared/workspaces/members/candidate.ts': functions('invitations/accept', 'members/add'),
  'shared/workspaces/invitations/foresee-invitations.ts': shared('workspaces/bulk-invite'),
  'shared/workspaces/invitations/invite-one.ts': [
    ...functions('invitations/create', 'members/add'),
    ...races('between'),
  ],
  'shared/workspaces/joining/limited-collection.ts': [
    ...functions('join-links/create', 'join-links/list', 'join-requests/create'),
    ...functions('workspaces/restore'),
    ...races('joining-between'),
  ],
  'shared/workspaces/members/acquaintance.ts': [
    ...functions('members/add'),
    ...races('between', 'restored-meanwhile'),
  ],
  'shared/workspaces/members/user-workspaces.ts': [
    ...functions('members/add', 'members/suspend'),
    ...functions('workspaces/list', 'workspaces/list-invited', 'workspaces/list-joined'),
    ...shared('workspaces/user-workspaces'),
  ],
  'shared/workspaces/active-workspace.ts': [
    ...shared('identity/token-claims', 'roles/claims'),
    ...functions('sessions/select-workspace'),
  ],
  'shared/workspaces/workspaces.ts': [
    ...functions('workspaces/delete', 'workspaces/get', 'workspaces/list-joined'),
    ...races('between', 'lifecycle'),
  ],
  'shared/workspaces/archive.ts': shared('workspaces/archive'),
  'shared/workspaces/domains/modes.ts': shared('workspaces/domain-modes'),
  'shared/workspaces/members/member-search.ts': shared('workspaces/member-search'),
  'shared/workspaces/joining/join-links.ts': functions(
    'join-links/create',
    'join-links/list',
    'join-links/revoke',
    'members/join',
  ),
  'shared/workspaces/joining/join-requests.ts': functions(
    'join-requests/approve',
    'join-requests/create',
    'join-requests/delete',
    'join-requests/list',
    'workspaces/list-invited',
  ),
  'shared/workspaces/invitations/change-invitations.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...shared('workspaces/archive', 'workspaces/bulk-invite', 'workspaces/invitations'),
    ...races('given-roles-between', 'members'),
  ],
  'shared/workspaces/invitations/end-invitations.ts': [
    ...functions('invitations/create', 'invitations/end', 'invitations/end-by-email'),
    ...shared('workspaces/invitations'),
  ],
  'shared/workspaces/domains/allowed-domains.ts': [
    ...functions('domains/prove', 'domains/set', 'workspaces/set-allowed-domains'),
  ],
  'shared/stats/count-events.ts': shared('stats/count-events'),
  'shared/stats/counters.ts': shared('stats/count-events', 'events/statistics'),
  'shared/stats/days.ts': [...shared('stats/count-events'), ...functions('stats/get')],
  'shared/stats/failures.ts': [...shared('stats/failures'), ...functions('stats/get')],
  'shared/directory/terms.ts': functions('users/list'),
  'shared/directory/list.ts': [
    ...shared('directory/list'),
    ...functions('users/list', 'workspaces/list'),
  ],
  'shared/directory/external-ids.ts': shared('directory/external-ids'),
  'shared/directory/find-page.ts': shared('directory/find-page'),
  'shared/stats/parts.ts': shared('stats/parts'),
  'shared/db/transport/documents.ts': shared('db/transport/documents'),
  'shared/directory/find.ts': shared('directory/find', 'workspaces/member-search'),
  'shared/directory/refresh.ts': functions('stream/consume', 'users/list', 'workspaces/list'),
  // Modules that act on the decisions of others are tested by their functions' tests, over HTTP.
  'shared/identity/identities/identity-links.ts': [
    ...functions('identities/get-token', 'identities/link', 'identities/sign-in'),
    ...functions('identities/unlink'),
    ...facts,
    ...races('between-reads', 'provider-tokens'),
  ],
  'shared/identity/identities/identity-sign-in.ts': [
    ...shared('identity/devices', 'identity/identity-sign-in', 'identity/invited-sign-in'),
    ...functions('identities/get-token', 'identities/sign-in', 'identities/unlink'),
    ...functions('providers/sign-in'),
    ...facts,
    ...races('between-reads', 'provider-tokens', 'sign-in-between'),
  ],
  'shared/identity/users/invited-user.ts': shared('identity/invited-sign-in'),
  'shared/workspaces/invitations/invite.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...shared('workspaces/bulk-invite'),
    ...races('between-reads'),
  ],
  'shared/identity/sign-in/request-mail.ts': functions(
    'codes/start',
    'emails/change',
    'emails/verify',
    'links/start',
    'passwords/forgot',
    'passwords/sign-up',
  ),
  'shared/identity/sign-in/sign-in.ts': [
    ...shared('identity/sign-in'),
    ...functions(
      'codes/start',
      'codes/verify',
      'identities/sign-in',
      'links/sign-in',
      'passwords/forgot',
      'passwords/set',
      'passwords/sign-in',
      'passwords/sign-up',
      'sessions/create',
    ),
    ...facts,
  ],
};

/** The folders whose modules must all be in one of the two lists. */
const seenTo: readonly string[] = [
  'shared/access/*.ts',
  'shared/workspaces/**/*.ts',
  'shared/roles/*.ts',
  'shared/stats/*.ts',
  'shared/directory/*.ts',
  'shared/db/transport/*.ts',
  'shared/http/execute.ts',
  'shared/model/policy.ts',
];

/**
 * Modules that decide no permissions: modules of types only, of representations, and the one that splits many
 * invitations into parts that fit the time of a request, whose mutants mostly change the duration. Also modules of
 * access/ that read and write the table; reads and writes of a domain that the functions' tests cover over HTTP; and
 * jobs of the stream, whose tests take minutes.
 */
const unmutated: readonly string[] = [
  'shared/access/get-secret-value.ts',
  'shared/access/sdk-secret-value.ts',
  'shared/db/transport/attribute-json.ts',
  'shared/db/transport/attribute-values.ts',
  'shared/db/transport/middleware-order.ts',
  'shared/db/transport/sdk-client.ts',
  'shared/db/transport/signed-post.ts',
  'shared/directory/list-item.ts',
  'shared/stats/views.ts',
  'shared/workspaces/invitations/bulk-invite.ts',
  'shared/workspaces/invitations/invite-chunk.ts',
  'shared/workspaces/items.ts',
  'shared/workspaces/joining/join-views.ts',
  'shared/workspaces/domains/mailbox-providers.ts',
  'shared/workspaces/members/members.ts',
  'shared/workspaces/members/profile-projection.ts',
  'shared/workspaces/project-workspaces.ts',
  'shared/workspaces/views.ts',
  'shared/workspaces/workspace-metadata.ts',
];

/** Modules of these folders that are in neither list. */
export const unlisted = (root: string): string[] =>
  globSync(seenTo, { cwd: root }).filter((file) => !modules[file] && !unmutated.includes(file));
