// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const userRoutes = {
  sessions: {
    list: 'GET /sessions?user_id',
    end: 'DELETE /sessions/{session_id}?user_id',
    endAll: 'DELETE /sessions?user_id',
    signOut: 'DELETE /sessions/current',
    refresh: 'POST /sessions/token/refresh',
    selectWorkspace: 'POST /sessions/workspace',
  },
  passwords: {
    signUp: 'POST /sign-up public',
    signIn: 'POST /sessions/password public',
    forgot: 'POST /passwords/forgotten public',
    set: 'POST /passwords public',
    change: 'PUT /users/me/password',
  },
  codes: {
    start: 'POST /codes public',
    verify: 'POST /sessions/code public',
  },
  passkeys: {
    startRegistration: 'POST /users/me/passkeys/options',
    register: 'POST /users/me/passkeys',
    list: 'GET /users/me/passkeys',
    rename: 'PUT /users/me/passkeys/{passkey_id}',
    delete: 'DELETE /users/me/passkeys/{passkey_id} body',
    startSignIn: 'POST /sessions/passkey/options public',
    signIn: 'POST /sessions/passkey public',
  },
  factors: {
    signIn: 'POST /sessions/mfa public',
  },
  identities: {
    link: 'POST /users/me/identities',
    unlink: 'DELETE /users/me/identities/{provider} body',
    getToken: 'GET /users/me/identities/{provider}/token',
    signIn: 'POST /sessions/identity public',
  },
  providers: {
    signIn: 'POST /sessions/oauth public',
  },
  emails: {
    verify: 'POST /users/me/email/verification -',
    change: 'POST /users/me/email',
    confirm: 'POST /users/me/email/confirmation',
  },
  users: {
    getMe: 'GET /users/me',
    update: 'PUT /users/{uid}',
    delete: 'DELETE /users/{uid} body',
    getMetadata: 'GET /users/{uid}/metadata',
    setMetadata: 'PUT /users/{uid}/metadata',
    mergeMetadata: 'PATCH /users/{uid}/metadata',
    export: 'GET /users/{uid}/export?cursor',
  },
  workspaces: {
    create: 'POST /workspaces',
    list: 'GET /workspaces?user_id&role&order&created_after&created_before&external_id&query&offset&limit&cursor',
    get: 'GET ~',
    update: 'PUT ~',
    delete: 'DELETE ~',
    restore: 'POST ~/restore -',
    getMetadata: 'GET ~/metadata',
    setAllowedDomains: 'PUT ~/allowed_domains',
    listJoined: 'GET /workspaces/joined/search?offset&limit&cursor',
    listInvited: 'GET /workspaces/invited/search?limit&cursor',
  },
  domains: {
    list: 'GET ~/allowed_domains',
    set: 'PUT ~/allowed_domains/{domain}',
    prove: 'POST ~/allowed_domains/{domain}/proof -',
  },
  members: {
    join: 'POST /workspaces/join',
    add: 'POST ~/users',
    list: 'GET ~/users?status&query&offset&limit&cursor',
    get: 'GET ~/users/{user_id}',
    remove: 'DELETE ~/users/{user_id}',
    suspend: 'PUT ~/users/{user_id}/suspension',
    changeRole: 'PUT ~/users/{user_id}/role',
  },
  invitations: {
    create: 'POST ~/invitations',
    list: 'GET ~/invitations?state&offset&limit&cursor',
    resend: 'POST ~/invitations/{user_id}/resend -',
    end: 'DELETE ~/invitations/{user_id}',
    endByEmail: 'DELETE ~/invitations?email',
    accept: 'POST /invitations/accept',
  },
  joinRequests: {
    create: 'POST ~/join_requests',
    list: 'GET ~/join_requests?offset&limit&cursor',
    approve: 'POST ~/join_requests/{user_id}/approve',
    delete: 'DELETE ~/join_requests/{user_id}',
  },
  joinLinks: {
    create: 'POST ~/join_links',
    list: 'GET ~/join_links',
    revoke: 'DELETE ~/join_links/{link_id}',
  },
  ownership: {
    offer: 'POST ~/ownership',
    accept: 'POST ~/ownership/accept -',
    end: 'DELETE ~/ownership',
  },
  apiKeys: {
    create: 'POST /users/me/api_keys',
    list: 'GET /users/me/api_keys',
    update: 'PUT /users/me/api_keys/{key_id}',
    revoke: 'DELETE /users/me/api_keys/{key_id}',
    rotate: 'POST /users/me/api_keys/{key_id}/rotate',
  },
  workspaceKeys: {
    create: 'POST ~/api_keys',
    list: 'GET ~/api_keys',
    update: 'PUT ~/api_keys/{key_id}',
    revoke: 'DELETE ~/api_keys/{key_id}',
    rotate: 'POST ~/api_keys/{key_id}/rotate',
  },
  permissions: {
    check: 'POST /permissions/check reads',
    listOfCaller: 'GET ~/permissions',
  },
  roles: {
    listOfWorkspace: 'GET ~/roles',
  },
  events: {
    listOfWorkspace: 'GET ~/events?after&limit',
  },
  projects: {
    get: 'GET /projects/{project_id} public',
  },
} as const;
