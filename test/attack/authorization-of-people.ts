import type { Case, Guarded, Ids, Outcome } from './authorization.ts';

type Group =
  | 'sessions'
  | 'browserSessions'
  | 'oauth'
  | 'passwords'
  | 'passkeys'
  | 'factors'
  | 'identities'
  | 'emails'
  | 'users'
  | 'apiKeys'
  | 'webhooks'
  | 'permissions'
  | 'roles'
  | 'workspaceRoles';

/** Basic must name the user. */
const unnamed = { project: 'invalid_request', 'other project': 'invalid_request' } as const;

/** Users may change only the first, the backend both. */
const ofMetadata: readonly Case[] = [
  { rule: 'user', request: () => ({ body: { user_metadata: { theme: 'dark' } } }) },
  ...['app_metadata', 'private_metadata'].map(
    (name): Case => ({
      what: `its ${name}`,
      rule: 'user',
      request: () => ({ body: { [name]: { plan: 'team' } } }),
      but: { member: 'forbidden' },
      // The version must not reveal to users whether private metadata would change.
      ...(name === 'private_metadata' && { sooner: { member: 'forbidden' } }),
    }),
  ),
];

/** The rules of each operation on users, their data, and data of the project. */
export const ofPeople = {
  'sessions.create': [{ rule: 'project', request: ({ uid }) => ({ body: { uid } }) }],
  'sessions.list': [
    { rule: 'user', request: ofUser },
    { what: 'of oneself', rule: 'self', request: ofNobody, but: unnamed },
  ],
  'sessions.end': [
    { rule: 'user', request: ofUser },
    {
      what: 'by its id alone',
      rule: (caller, reach) =>
        /project/.test(caller)
          ? 'invalid_request'
          : caller === 'member' && reach === 'own'
            ? 'allow'
            : 'not_found',
      request: ofNobody,
    },
  ],
  'sessions.endAll': [{ rule: 'user', request: ofUser }],
  'sessions.signOut': [{ rule: 'self' }],
  'sessions.selectWorkspace': [
    {
      rule: 'workspace:read',
      request: ({ workspace_id }) => ({ body: { workspace_id } }),
    },
    { what: 'none', rule: 'self', request: () => ({ body: { workspace_id: null } }) },
  ],
  // No user of the scene has a password, an app or a passkey, and the projects disable these methods.
  'sessions.reauthenticate': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  // The status is 200 for any token; a separate test covers whose tokens are active for whom.
  'sessions.introspect': [{ rule: 'project' }],
  'sessions.refresh': [
    {
      rule: () => 'unauthenticated',
      request: ({ access_token }) => ({ body: { accessToken: access_token } }),
    },
  ],
  // The project has no pages; separate tests cover them.
  'browserSessions.keep': [{ rule: 'self', but: 'not_found' }],
  'browserSessions.refresh': [{ rule: () => 'unauthenticated' }],
  'browserSessions.end': [{ rule: () => 'unauthenticated' }],
  'oauth.userinfo': [{ rule: 'self' }],
  'oauth.userinfoByPost': [{ rule: 'self' }],
  'passwords.change': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'passkeys.startRegistration': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'passkeys.register': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'passkeys.list': [{ rule: 'self' }],
  'passkeys.rename': [{ rule: 'self', but: 'not_found' }],
  'passkeys.delete': [{ rule: 'self', but: 'not_found', request: () => ({ body: {} }) }],
  'factors.startTotp': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'factors.confirmTotp': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'factors.list': [{ rule: 'self' }],
  'factors.deleteTotp': [
    { rule: 'self', but: 'not_found', request: () => ({ body: { code: '314159' } }) },
  ],
  'factors.renewRecoveryCodes': [
    {
      rule: 'self',
      but: 'sign_in_method_disabled',
      request: () => ({ body: { code: '314159' } }),
    },
  ],
  'factors.reset': [{ rule: 'project', but: 'not_found' }],
  'identities.link': [{ rule: 'self', but: 'sign_in_method_disabled' }],
  'identities.unlink': [{ rule: 'self', but: 'not_found', request: () => ({ body: {} }) }],
  'identities.getToken': [{ rule: 'self', but: 'not_found' }],
  'identities.getTokenOfUser': [{ rule: 'project', but: 'not_found' }],
  'emails.verify': [{ rule: 'self' }],
  'emails.change': [{ rule: 'self', request: () => ({ body: { email: 'new@new.example' } }) }],
  'emails.confirm': [{ rule: 'self', but: 'mail_token_invalid' }],
  'apiKeys.create': [{ rule: 'self' }],
  'apiKeys.list': [{ rule: 'self' }],
  'apiKeys.update': [{ rule: ofMember, request: theKey }],
  'apiKeys.revoke': [{ rule: ofMember, request: theKey }],
  'apiKeys.rotate': [{ rule: ofMember, request: theKey }],
  'apiKeys.listOfUser': [{ rule: 'project' }],
  'apiKeys.revokeOfUser': [{ rule: 'project', request: theKey }],
  // The status is 200 for any text; a separate test covers which keys are valid for whom.
  'apiKeys.verify': [{ rule: 'project' }],
  'users.getMe': [{ rule: 'self' }],
  'users.create': [{ rule: 'project', request: () => ({ body: { email: 'new@new.example' } }) }],
  // Both backends get their own list, whose content has a separate test.
  'users.list': [{ rule: 'project' }],
  'users.import': [
    { rule: 'project', request: () => ({ body: { users: [{ email: 'new@new.example' }] } }) },
  ],
  'users.get': [{ rule: 'project' }],
  'users.search': [{ rule: 'project' }],
  'users.update': [
    { rule: 'user', request: () => ({ body: { display_name: 'Changed' } }) },
    {
      what: 'their e-mail',
      rule: 'user',
      // Fields that they may change stay unchanged too.
      request: () => ({ body: { email: 'new@new.example', display_name: 'Changed' } }),
      but: { member: 'forbidden' },
    },
    ...[true, false].map(
      (disabled): Case => ({
        what: disabled ? 'to disable them' : 'to enable them',
        rule: 'user',
        request: () => ({ body: { disabled, display_name: 'Changed' } }),
        but: { member: 'forbidden' },
      }),
    ),
  ],
  'users.delete': [{ rule: 'user', request: () => ({ body: {} }), also: { deleted: ['project'] } }],
  'users.getDeletion': [
    {
      rule: (caller, reach) =>
        caller === 'project' && reach === 'deleted' ? 'allow' : 'not_found',
    },
  ],
  'users.export': [{ rule: 'user' }],
  'users.getMetadata': [{ rule: 'user' }],
  'users.setMetadata': ofMetadata,
  'users.mergeMetadata': ofMetadata,
  // Each caller's own project: the scene defines the same ones in both projects.
  'permissions.list': [{ rule: 'project' }],
  'permissions.get': [{ rule: 'project' }],
  'permissions.set': [{ rule: 'project' }],
  'permissions.delete': [{ rule: 'project' }],
  // The status is 200 for any input; a separate test covers the content.
  'permissions.check': [
    {
      rule: 'self',
      request: ({ workspace_id }, self) => ({
        body: { checks: [{ workspace_id, permissions: ['workspace:read'], user_id: self }] },
      }),
    },
  ],
  'permissions.listOfCaller': [{ rule: 'workspace:read' }],
  'roles.listOfWorkspace': [{ rule: 'role:list' }],
  'roles.list': [{ rule: 'project' }],
  'roles.get': [{ rule: 'project' }],
  'roles.set': [{ rule: 'project' }],
  'roles.delete': [{ rule: 'project' }],
  'workspaceRoles.get': [{ rule: 'role:list' }],
  'workspaceRoles.set': [{ rule: 'role:manage' }],
  'workspaceRoles.delete': [{ rule: 'role:manage' }],
  'webhooks.create': [
    { rule: 'project', request: () => ({ body: { url: 'https://example.com/new' } }) },
  ],
  'webhooks.list': [{ rule: 'project' }],
  'webhooks.get': [{ rule: 'project' }],
  'webhooks.update': [{ rule: 'project', request: () => ({ body: { description: 'Changed' } }) }],
  'webhooks.delete': [{ rule: 'project' }],
  'webhooks.rotateSecret': [{ rule: 'project' }],
  'webhooks.listAttempts': [{ rule: 'project' }],
  'webhooks.redeliver': [
    {
      rule: 'project',
      request: () => ({
        body: { since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:01.000Z' },
      }),
    },
  ],
} as const satisfies Record<Extract<Guarded, `${Group}.${string}`>, readonly Case[]>;

export function ofUser({ uid }: Ids) {
  return { query: { user_id: uid } };
}

function ofMember(caller: string, reach: string): Outcome {
  return caller === 'member' && reach === 'own' ? 'allow' : 'not_found';
}

function theKey({ user_key_id }: Ids) {
  return { params: { key_id: user_key_id } };
}

export function ofNobody() {
  return { query: {} };
}
