import type { Domain } from '../domain.ts';

/** Refreshes what has expired, and deletes what the provider has taken back. */
const keptToken = {
  get: ['users', 'providerTokens'],
  update: ['providerTokens', 'rates'],
  delete: ['providerTokens'],
  secrets: { providers: 'read', providerToken: 'read' },
} as const;
/** The same answer of a provider, in the query or in a form. */
const callback = {
  get: ['projects', 'providerSignIns', 'providerCodes'],
  put: ['providerCodes'],
  update: ['providerSignIns'],
  secrets: { providers: 'read', providerToken: 'read' },
} as const;

/** Sign-in with passkeys, and with accounts at identity providers. */
export const signIn = {
  endpoints: {
    'passkeys.startRegistration': {
      query: ['users'],
      put: ['passkeyChallenges', 'mails'],
      update: ['rates', 'stats'],
    },
    'passkeys.register': {
      get: ['passkeyChallenges'],
      check: ['users'],
      put: ['users', 'passkeys', 'mails'],
      update: ['users'],
      delete: ['passkeyChallenges'],
    },
    'passkeys.list': { query: ['users'] },
    'passkeys.rename': { update: ['users'] },
    'passkeys.delete': {
      query: ['users'],
      check: ['users'],
      put: ['mails'],
      update: ['users', 'rates', 'stats'],
      delete: ['users', 'passkeys'],
    },
    'passkeys.startSignIn': { put: ['passkeyChallenges'] },
    'passkeys.signIn': {
      get: ['users', 'passkeyChallenges'],
      query: ['users'],
      put: ['users', 'mails'],
      update: ['users', 'rates', 'stats'],
      delete: ['users', 'passkeyChallenges'],
      secrets: { signing: 'read' },
      wallets: true,
    },
    'identities.signIn': {
      get: ['users', 'emails', 'identities'],
      query: ['users'],
      check: ['users', 'identities'],
      put: ['users', 'mfaTokens', 'emails', 'identities', 'mails'],
      update: ['users', 'rates', 'stats'],
      delete: ['users'],
      secrets: { signing: 'read' },
      wallets: true,
    },
    'identities.link': {
      get: ['identities', 'providerCodes'],
      check: ['users', 'identities'],
      put: ['identities', 'mails'],
      update: ['users', 'providerTokens', 'rates', 'stats'],
      delete: ['providerCodes'],
    },
    'identities.unlink': {
      query: ['users'],
      check: ['users'],
      put: ['mails'],
      update: ['users', 'rates', 'stats'],
      delete: ['identities', 'providerTokens'],
    },
    'identities.getToken': keptToken,
    'identities.getTokenOfUser': keptToken,
    // Begins and finishes sign-ins at a provider, and starts no session: neither reads or writes any user.
    'providers.start': { get: ['projects'], put: ['providerSignIns'], update: ['rates'] },
    'providers.callback': callback,
    'providers.callbackByForm': callback,
    'providers.signIn': {
      get: ['users', 'emails', 'identities', 'providerCodes'],
      query: ['users'],
      check: ['users', 'identities'],
      put: ['users', 'mfaTokens', 'emails', 'identities', 'mails'],
      update: ['users', 'providerTokens', 'rates', 'stats'],
      delete: ['users', 'providerCodes'],
      secrets: { signing: 'read' },
      wallets: true,
    },
  },
  jobs: {},
} as const satisfies Domain;
