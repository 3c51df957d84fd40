const auth = (...names: string[]) => names.map((name) => `test/shared/auth/${name}.test.ts`);
const functions = (...names: string[]) => names.map((name) => `test/functions/${name}.test.ts`);

/** Each module of policy and authentication, and the tests that every mutant of it is held to. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  'shared/policy.ts': ['test/shared/policy.test.ts'],
  'shared/auth/access-token.ts': auth('access-token'),
  'shared/auth/authenticate.ts': auth('authenticate'),
  'shared/auth/common-passwords.ts': auth('common-passwords'),
  'shared/auth/confirm-password.ts': auth('confirm-password'),
  'shared/auth/counted.ts': auth('counted'),
  'shared/auth/derive.ts': auth('derive'),
  'shared/auth/dns.ts': auth('dns'),
  'shared/auth/domain-claims.ts': auth('domain-claims'),
  'shared/auth/exactly-once.ts': auth('exactly-once'),
  'shared/auth/sealing.ts': auth('sealing'),
  'shared/auth/identity-links.ts': [
    ...auth('identity-sign-in'),
    ...functions('identities/link', 'identities/unlink', 'identities/signIn'),
  ],
  'shared/auth/identity-sign-in.ts': [
    ...auth('identity-sign-in'),
    ...functions('identities/signIn'),
  ],
  'shared/auth/identity-token.ts': auth('identity-token', 'identity-token-keys'),
  'shared/auth/invitation-token.ts': auth('invitation-token'),
  'shared/auth/inviting-many.ts': auth('inviting-many'),
  'shared/auth/inviting.ts': functions('invitations/create', 'invitations/resend'),
  'shared/auth/issue.ts': auth('issue'),
  'shared/auth/join-token.ts': auth('join-token'),
  'shared/auth/log-standing.ts': auth('log-standing'),
  'shared/auth/mail-secret.ts': auth('mail-secret'),
  'shared/auth/mailing.ts': functions('passwords/forgot', 'emails/change', 'codes/start'),
  'shared/auth/network.ts': auth('network'),
  'shared/auth/packed-ids.ts': auth('join-token', 'invitation-token'),
  'shared/auth/password.ts': auth('password'),
  'shared/auth/project-key.ts': auth('project-key'),
  'shared/auth/refresh-token.ts': auth('refresh-token'),
  'shared/auth/secret.ts': auth('secret'),
  'shared/auth/sign-in.ts': functions('sessions/create', 'codes/verify', 'passwords/set'),
  'shared/auth/signing-secret.ts': auth('signing-secret'),
  'shared/auth/standing.ts': auth('standing'),
  'shared/auth/ways-in.ts': auth('ways-in'),
  'shared/auth/whose.ts': auth('whose'),
};

/** Types alone, of which nothing runs. */
export const typesAlone: readonly string[] = ['shared/auth/caller.ts'];
