const functions = (...names: string[]) => names.map((name) => `test/functions/${name}.test.ts`);
const facts = ['test/facts/sign-in.test.ts'];
const races = (...names: string[]) => names.map((name) => `test/races/${name}.test.ts`);
const auth = (...names: string[]) => names.map((name) => `test/shared/auth/${name}.test.ts`);

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
  'shared/auth/identity-token.ts': auth(
    'identity-token',
    'identity-token-keys',
    'identity-sign-in',
  ),
  'shared/auth/invitation-token.ts': auth('invitation-token'),
  'shared/auth/issue.ts': auth('issue'),
  'shared/auth/join-token.ts': auth('join-token'),
  'shared/auth/log-standing.ts': auth('log-standing'),
  'shared/auth/mail-secret.ts': auth('mail-secret'),
  'shared/auth/network.ts': auth('network'),
  'shared/auth/packed-ids.ts': auth('join-token', 'invitation-token'),
  'shared/auth/password.ts': auth('password'),
  'shared/auth/project-key.ts': auth('project-key'),
  'shared/auth/refresh-token.ts': auth('refresh-token'),
  'shared/auth/secret.ts': auth('secret'),
  'shared/auth/signing-secret.ts': auth('signing-secret'),
  'shared/auth/standing.ts': auth('standing'),
  'shared/auth/ways-in.ts': [
    ...auth('ways-in'),
    ...functions('members/join', 'joinRequests/create'),
    ...races('between-reads', 'ways-in', 'ways-in-between'),
  ],
  'shared/auth/whose.ts': auth('whose'),
  // What acts on what the others decide is held by the tests of the functions that it serves, over HTTP.
  'shared/auth/identity-links.ts': [
    ...functions('identities/link', 'identities/signIn', 'identities/unlink'),
    ...facts,
    ...races('between-reads'),
  ],
  'shared/auth/identity-sign-in.ts': [
    ...auth('identity-sign-in'),
    ...functions('identities/signIn', 'identities/unlink'),
    ...facts,
    ...races('between-reads', 'sign-in-between'),
  ],
  'shared/auth/inviting.ts': [
    ...functions('invitations/create', 'invitations/resend'),
    ...auth('inviting-many'),
    ...races('between-reads'),
  ],
  'shared/auth/mailing.ts': functions(
    'codes/start',
    'emails/change',
    'emails/verify',
    'passwords/forgot',
    'passwords/signUp',
  ),
  'shared/auth/sign-in.ts': [
    ...auth('sign-in'),
    ...functions(
      'codes/start',
      'codes/verify',
      'identities/signIn',
      'passwords/forgot',
      'passwords/set',
      'passwords/signIn',
      'passwords/signUp',
      'sessions/create',
    ),
    ...facts,
  ],
};

/**
 * Modules that decide on nobody's rights: one of types alone, and one that cuts many invitations into parts that fit the
 * time of a request, of which most mutants change how long it takes.
 */
export const unmutated: readonly string[] = [
  'shared/auth/caller.ts',
  'shared/auth/inviting-many.ts',
];
