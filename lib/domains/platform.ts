import type { Domain } from '../domain.ts';

/** Public documents, signing keys, and the operator's function. */
export const platform = {
  endpoints: {
    'projects.get': { get: ['projects'] },
    'discovery.jwks': { query: ['keys'] },
    'discovery.openidConfiguration': {},
    'discovery.oauthAuthorizationServer': {},
    'docs.home': {},
    'docs.openapi': {},
    'docs.page': {},
    'docs.asset': {},
    'pages.page': { get: ['projects'] },
    'pages.asset': {},
    'fallback.notFound': {},
  },
  jobs: {
    // Creates an RSA key pair, which takes seconds at times.
    'keys.rotate': {
      grant: { query: ['keys'], put: ['keys'], update: ['keys'], secrets: { signing: 'rotate' } },
      memory: 512,
      timeout: 60,
      sources: ['key-rotation'],
      alarms: [
        {
          on: 'errors',
          id: 'keys.rotate.errors',
          description: 'keys.rotate timed out, crashed or failed.',
        },
      ],
    },
    'projects.admin': {
      grant: {
        get: ['importedHashes', 'projects', 'providerNames', 'secretUses', 'users'],
        put: ['importedHashes', 'pagesDomains', 'projects', 'providerNames'],
        query: ['keys'],
        check: ['users'],
        // A user whose password hash is exported gets an event.
        update: ['projects', 'stats', 'users'],
        delete: ['pagesDomains', 'providerNames', 'secretUses'],
        indexes: ['by-email'],
      },
      memory: 512,
      timeout: 10,
      sources: [],
    },
  },
} as const satisfies Domain;
