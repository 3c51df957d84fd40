// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const userRoutes = {
  sessions: {
    list: 'GET /sessions?user_id',
    end: 'DELETE /sessions/{session_id}?user_id',
    endAll: 'DELETE /sessions?user_id',
    signOut: 'DELETE /sessions/current',
    refresh: 'POST /sessions/token/refresh body',
    selectWorkspace: 'POST /sessions/workspace body',
  },
  passwords: {
    signUp: 'POST /sign-up body public',
    signIn: 'POST /sessions/password body public',
    forgot: 'POST /passwords/forgotten body public',
    set: 'POST /passwords body public',
    change: 'PUT /users/me/password body',
  },
  codes: {
    start: 'POST /codes body public',
    verify: 'POST /sessions/code body public',
  },
  passkeys: {
    startRegistration: 'POST /users/me/passkeys/options body',
    register: 'POST /users/me/passkeys body',
    list: 'GET /users/me/passkeys',
    rename: 'PUT /users/me/passkeys/{passkey_id} body',
    delete: 'DELETE /users/me/passkeys/{passkey_id} body',
    startSignIn: 'POST /sessions/passkey/options body public',
    signIn: 'POST /sessions/passkey body public',
  },
  identities: {
    link: 'POST /users/me/identities body',
    unlink: 'DELETE /users/me/identities/{provider} body',
    signIn: 'POST /sessions/identity body public',
  },
  emails: {
    verify: 'POST /users/me/email/verification',
    change: 'POST /users/me/email body',
    confirm: 'POST /users/me/email/confirmation body',
  },
  users: {
    getMe: 'GET /users/me',
    update: 'PUT /users/{uid} body',
    delete: 'DELETE /users/{uid} body',
    getMetadata: 'GET /users/{uid}/metadata',
    setMetadata: 'PUT /users/{uid}/metadata body',
    mergeMetadata: 'PATCH /users/{uid}/metadata body',
    export: 'GET /users/{uid}/export?cursor',
  },
  workspaces: {
    create: 'POST /workspaces body',
    list: 'GET /workspaces?user_id&role&order&created_after&created_before&external_id&query&offset&limit&cursor',
    get: 'GET /workspaces/{workspace_id}',
    update: 'PUT /workspaces/{workspace_id} body',
    delete: 'DELETE /workspaces/{workspace_id}',
    restore: 'POST /workspaces/{workspace_id}/restore',
    getMetadata: 'GET /workspaces/{workspace_id}/metadata',
    setAllowedDomains: 'PUT /workspaces/{workspace_id}/allowed_domains body',
    listJoined: 'GET /workspaces/joined/search?offset&limit&cursor',
    listInvited: 'GET /workspaces/invited/search?limit&cursor',
  },
  domains: {
    list: 'GET /workspaces/{workspace_id}/allowed_domains',
    set: 'PUT /workspaces/{workspace_id}/allowed_domains/{domain} body',
    prove: 'POST /workspaces/{workspace_id}/allowed_domains/{domain}/proof',
  },
  members: {
    join: 'POST /workspaces/join body',
    add: 'POST /workspaces/{workspace_id}/users body',
    list: 'GET /workspaces/{workspace_id}/users?status&query&offset&limit&cursor',
    get: 'GET /workspaces/{workspace_id}/users/{user_id}',
    remove: 'DELETE /workspaces/{workspace_id}/users/{user_id}',
    suspend: 'PUT /workspaces/{workspace_id}/users/{user_id}/suspension body',
    changeRole: 'PUT /workspaces/{workspace_id}/users/{user_id}/role body',
  },
  invitations: {
    create: 'POST /workspaces/{workspace_id}/invitations body',
    list: 'GET /workspaces/{workspace_id}/invitations?state&offset&limit&cursor',
    resend: 'POST /workspaces/{workspace_id}/invitations/{user_id}/resend',
    end: 'DELETE /workspaces/{workspace_id}/invitations/{user_id}',
    endByEmail: 'DELETE /workspaces/{workspace_id}/invitations?email',
    accept: 'POST /invitations/accept body',
  },
  joinRequests: {
    create: 'POST /workspaces/{workspace_id}/join_requests body',
    list: 'GET /workspaces/{workspace_id}/join_requests?offset&limit&cursor',
    approve: 'POST /workspaces/{workspace_id}/join_requests/{user_id}/approve body',
    delete: 'DELETE /workspaces/{workspace_id}/join_requests/{user_id}',
  },
  joinLinks: {
    create: 'POST /workspaces/{workspace_id}/join_links body',
    list: 'GET /workspaces/{workspace_id}/join_links',
    revoke: 'DELETE /workspaces/{workspace_id}/join_links/{link_id}',
  },
  ownership: {
    offer: 'POST /workspaces/{workspace_id}/ownership body',
    accept: 'POST /workspaces/{workspace_id}/ownership/accept',
    end: 'DELETE /workspaces/{workspace_id}/ownership',
  },
  apiKeys: {
    create: 'POST /users/me/api_keys body',
    list: 'GET /users/me/api_keys',
    update: 'PUT /users/me/api_keys/{key_id} body',
    revoke: 'DELETE /users/me/api_keys/{key_id}',
    rotate: 'POST /users/me/api_keys/{key_id}/rotate body',
  },
  workspaceKeys: {
    create: 'POST /workspaces/{workspace_id}/api_keys body',
    list: 'GET /workspaces/{workspace_id}/api_keys',
    update: 'PUT /workspaces/{workspace_id}/api_keys/{key_id} body',
    revoke: 'DELETE /workspaces/{workspace_id}/api_keys/{key_id}',
    rotate: 'POST /workspaces/{workspace_id}/api_keys/{key_id}/rotate body',
  },
  permissions: {
    check: 'POST /permissions/check body reads',
    listOfCaller: 'GET /workspaces/{workspace_id}/permissions',
  },
  roles: {
    listOfWorkspace: 'GET /workspaces/{workspace_id}/roles',
  },
  events: {
    listOfWorkspace: 'GET /workspaces/{workspace_id}/events?after&limit',
  },
  projects: {
    get: 'GET /projects/{project_id} public',
  },
} as const;
