const functions = (...names: string[]) => names.map((name) => `test/functions/${name}.test.ts`);
const facts = ['test/events/sign-in.test.ts'];
const races = (...names: string[]) => names.map((name) => `test/races/${name}.test.ts`);
const shared = (...names: string[]) => names.map((name) => `test/shared/${name}.test.ts`);

/** Each module of policy and authentication, and the tests that every mutant of it is held to. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  'shared/workspaces/policy.ts': ['test/shared/workspaces/policy.test.ts'],
  'shared/access/access-token.ts': shared('access/access-token'),
  'shared/access/authenticate.ts': shared('access/authenticate'),
  'shared/access/jws.ts': shared('access/jws', 'access/access-token'),
  'shared/access/es256-key.ts': shared('access/es256-key', 'access/access-token'),
  'shared/identity/common-passwords.ts': shared('identity/common-passwords'),
  'shared/identity/reauthenticate.ts': shared('identity/reauthenticate'),
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
  'shared/db/rate-limits.ts': shared('db/rate-limits', 'db/rate-limit-keys'),
  'shared/db/transaction.ts': shared('db/transaction', 'db/commit', 'db/client'),
  'shared/model/hmac.ts': shared('model/hmac'),
  'shared/workspaces/domain-dns.ts': shared('workspaces/domain-dns'),
  'shared/workspaces/domain-claims.ts': shared('workspaces/domain-claims'),
  'shared/http/idempotency.ts': shared('http/idempotency'),
  'shared/http/idempotency-encryption.ts': shared('http/idempotency-encryption'),
  'shared/identity/identity-token.ts': shared(
    'identity/identity-token',
    'identity/identity-token-keys',
    'identity/identity-sign-in',
  ),
  'shared/identity/provider-keys.ts': shared('identity/identity-token-keys'),
  'shared/workspaces/invitation-token.ts': shared('workspaces/invitation-token'),
  'shared/identity/session-response.ts': shared('identity/session-response'),
  'shared/workspaces/join-token.ts': shared('workspaces/join-token'),
  'shared/events/authorize-log.ts': shared('events/authorize-log'),
  'shared/mail/mail-secret.ts': shared('mail/mail-secret'),
  'shared/model/client-network.ts': shared('model/client-network'),
  'shared/workspaces/compact-ids.ts': shared(
    'workspaces/join-token',
    'workspaces/invitation-token',
  ),
  'shared/identity/password-hash.ts': shared('identity/password-hash'),
  'shared/access/project-secret.ts': shared('access/project-secret'),
  'shared/access/refresh-token.ts': shared('access/refresh-token'),
  'shared/access/session-cookie.ts': shared('access/session-cookie'),
  'shared/access/secrets-manager.ts': shared('access/secrets-manager'),
  'shared/access/signing-keys.ts': shared('access/signing-keys'),
  'shared/workspaces/authorize.ts': shared('workspaces/authorize'),
  'shared/workspaces/admission.ts': [
    ...shared('workspaces/admission'),
    ...functions('members/join', 'join-requests/create'),
    ...races('between-reads', 'joining', 'joining-between'),
  ],
  'shared/access/caller.ts': shared('access/caller'),
  'shared/workspaces/add-member.ts': [
    ...functions('invitations/accept', 'join-requests/approve', 'members/add', 'members/join'),
    ...races('joining', 'joining-between', 'members-between'),
  ],
  'shared/workspaces/change-member.ts': [
    ...functions('members/change-role', 'members/remove', 'members/suspend', 'ownership/offer'),
    ...races('members-between'),
  ],
  'shared/workspaces/delete-workspace.ts': [
    ...functions('ownership/accept', 'users/delete', 'workspaces/delete', 'workspaces/restore'),
    ...shared('accounts/delete-user'),
    ...races('between', 'lifecycle'),
  ],
  'shared/workspaces/invitations.ts': [
    ...shared('workspaces/invitations'),
    ...functions('invitations/accept', 'invitations/list'),
  ],
  'shared/workspaces/membership-transaction.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...functions('members/add', 'members/change-role', 'members/join', 'members/remove'),
    ...races('members-between'),
  ],
  'shared/workspaces/ownership.ts': [
    ...functions('ownership/accept', 'ownership/end', 'ownership/offer', 'members/change-role'),
    ...races('lifecycle', 'members-between'),
  ],
  // What acts on what the others decide is held by the tests of the functions that it serves, over HTTP.
  'shared/identity/identity-links.ts': [
    ...functions('identities/link', 'identities/sign-in', 'identities/unlink'),
    ...facts,
    ...races('between-reads'),
  ],
  'shared/identity/identity-sign-in.ts': [
    ...shared('identity/identity-sign-in'),
    ...functions('identities/sign-in', 'identities/unlink'),
    ...facts,
    ...races('between-reads', 'sign-in-between'),
  ],
  'shared/workspaces/invite.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...shared('workspaces/bulk-invite'),
    ...races('between-reads'),
  ],
  'shared/identity/request-mail.ts': functions(
    'codes/start',
    'emails/change',
    'emails/verify',
    'passwords/forgot',
    'passwords/sign-up',
  ),
  'shared/identity/sign-in.ts': [
    ...shared('identity/sign-in'),
    ...functions(
      'codes/start',
      'codes/verify',
      'identities/sign-in',
      'passwords/forgot',
      'passwords/set',
      'passwords/sign-in',
      'passwords/sign-up',
      'sessions/create',
    ),
    ...facts,
  ],
};

/**
 * Modules that decide on nobody's rights: one of types alone, and one that cuts many invitations into parts that fit the
 * time of a request, of which most mutants change how long it takes. And what of access/ reads and writes the table.
 */
export const unmutated: readonly string[] = [
  'shared/access/get-secret-value.ts',
  'shared/access/hosted-pages.ts',
  'shared/access/live-session.ts',
  'shared/access/project-rate-limit.ts',
  'shared/access/projects.ts',
  'shared/access/public-keys.ts',
  'shared/access/sdk-secret-value.ts',
  'shared/access/secret-last-used.ts',
  'shared/workspaces/bulk-invite.ts',
];
