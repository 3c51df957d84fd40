import type { Domain } from '../domain.ts';

/** The OpenID provider. */
export const oauth = {
  endpoints: {
    // Reads the session of the browser and stores a code: it starts nothing.
    'oauth.authorize': {
      get: ['projects', 'users'],
      query: ['keys'],
      put: ['authorizationCodes'],
      secrets: { signing: 'read' },
    },
    'oauth.authorizeByForm': {},
    'oauth.token': {
      get: ['projects', 'users', 'authorizationCodes', 'workspaces', 'roles'],
      query: ['users'],
      check: ['users'],
      put: ['users'],
      update: ['users', 'authorizationCodes', 'rates'],
      delete: ['users'],
      secrets: { signing: 'read' },
    },
    'oauth.userinfo': {},
    'oauth.userinfoByPost': {},
    'oauth.logout': {
      get: ['projects', 'users'],
      query: ['keys'],
      update: ['users'],
      delete: ['users'],
      secrets: { signing: 'read' },
    },
    'oauth.logoutByForm': {},
  },
  jobs: {},
} as const satisfies Domain;
