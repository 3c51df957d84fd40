// Made of the contract by `npm run openapi`. Do not edit.

/** Method, path and query fields of each operation; then what it is: see `send`. */
export const backendRoutes = {
  sessions: {
    create: 'POST /sessions',
    reauthenticate: 'POST /sessions/reauthenticate',
    introspect: 'POST /sessions/introspect reads',
  },
  links: {
    start: 'POST /links public',
    showCode: 'POST /links/code public',
    signIn: 'POST /sessions/link public',
  },
  factors: {
    startTotp: 'POST /users/me/factors/totp',
    confirmTotp: 'POST /users/me/factors/totp/confirm',
    list: 'GET /users/me/factors',
    deleteTotp: 'DELETE /users/me/factors/totp body',
    renewRecoveryCodes: 'POST /users/me/factors/recovery_codes',
    startEnrolment: 'POST /sessions/mfa/totp public',
    confirmEnrolment: 'POST /sessions/mfa/totp/confirm public',
    reset: 'DELETE /users/{uid}/factors',
  },
  identities: {
    getTokenOfUser: 'GET /users/{uid}/identities/{provider}/token',
  },
  users: {
    create: 'POST /users',
    list: 'GET /users?order&created_after&created_before&email&external_id&query&limit&cursor',
    import: 'POST /users/import',
    get: 'GET /users/{uid}',
    search: 'POST /users/search reads',
    getDeletion: 'GET /users/{uid}/deletion',
  },
  workspaces: {
    setMetadata: 'PUT ~/metadata',
    mergeMetadata: 'PATCH ~/metadata',
  },
  members: {
    setMetadata: 'PUT ~/users/{user_id}/metadata',
    mergeMetadata: 'PATCH ~/users/{user_id}/metadata',
  },
  apiKeys: {
    listOfUser: 'GET /users/{uid}/api_keys',
    revokeOfUser: 'DELETE /users/{uid}/api_keys/{key_id}',
    verify: 'POST /api_keys/verify reads',
  },
  permissions: {
    list: 'GET /permissions',
    get: 'GET /permissions/{permission}',
    set: 'PUT /permissions/{permission}',
    delete: 'DELETE /permissions/{permission}',
  },
  roles: {
    list: 'GET /roles',
    get: 'GET /roles/{role}',
    set: 'PUT /roles/{role}',
    delete: 'DELETE /roles/{role}',
  },
  workspaceRoles: {
    get: 'GET ~/roles/{role}',
    set: 'PUT ~/roles/{role}',
    delete: 'DELETE ~/roles/{role}',
  },
  webhooks: {
    create: 'POST /webhooks',
    list: 'GET /webhooks',
    get: 'GET /webhooks/{webhook_id}',
    update: 'PUT /webhooks/{webhook_id}',
    delete: 'DELETE /webhooks/{webhook_id}',
    rotateSecret: 'POST /webhooks/{webhook_id}/secret -',
    listAttempts: 'GET /webhooks/{webhook_id}/attempts?limit&cursor',
    redeliver: 'POST /webhooks/{webhook_id}/redeliver',
  },
  events: {
    list: 'GET /events?after&limit',
  },
  stats: {
    get: 'GET /stats?days',
  },
  discovery: {
    jwks: 'GET /.well-known/jwks.json public',
    openidConfiguration: 'GET /.well-known/openid-configuration public',
  },
  docs: {
    home: 'GET / public text',
    openapi: 'GET /openapi.json public',
    page: 'GET /docs public text',
    asset: 'GET /docs/{file} public text',
  },
} as const;
