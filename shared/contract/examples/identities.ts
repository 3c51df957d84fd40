import {
  ada,
  display_name,
  ended,
  grace,
  ids,
  listed,
  metadata,
  nameless,
  newcomer,
  page,
  password,
  receipt,
  session,
  times,
  token,
  who,
  workspace,
} from './data.ts';

import { assertion, attestation, creationOptions, passkey, requestOptions } from './passkeys.ts';

import { providerExamples } from './providers.ts';

const factor = { type: 'totp', created_at: times.created_at, recovery_codes_left: 10 };

const enrolment = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Demo:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Demo&algorithm=SHA1&digits=6&period=30',
};

/** Examples of the routes of users: how they sign in, and what they say of themselves; in the form of examples.ts. */
export const identityExamples = {
  ...providerExamples,
  'sessions.create': { body: { uid: ids.ada }, response: session },
  'sessions.refresh': { body: { accessToken: session.access_token }, response: session },
  'sessions.list': { response: page(listed) },
  'sessions.end': { response: ended },
  'sessions.endAll': { response: { ended: 2 } },
  'sessions.signOut': { response: ended },
  'sessions.selectWorkspace': {
    body: { workspace_id: ids.workspace },
    response: {
      access_token: session.access_token,
      expires_in: 540,
      workspace_id: ids.workspace,
      workspace_role: 'owner',
    },
  },
  'sessions.reauthenticate': {
    body: { password: 'correct horse battery' },
    response: { access_token: session.access_token, expires_in: 540 },
  },
  'sessions.introspect': {
    body: { token: session.access_token },
    response: {
      active: true,
      token_type: 'Bearer',
      client_id: 'demo',
      sub: ids.ada,
      sid: ids.session,
      aud: 'demo',
      iss: 'https://api.example.com',
      iat: 1_795_248_000,
      exp: 1_795_248_600,
      jti: 'tQ1q7gk0Zq2cXo1mE3ZkYw',
      auth_time: 1_795_247_400,
      amr: ['pwd', 'otp', 'mfa'],
      acr: 'aal2',
    },
  },
  'passwords.signUp': { body: who, response: { expires_in: 86_400 } },
  'passwords.signIn': { body: { ...who, password }, response: session },
  'passwords.forgot': { body: who, response: { expires_in: 3_600 } },
  'passwords.set': {
    body: { project_id: 'demo', token, password, ...newcomer },
    response: { ...session, user_created: true },
  },
  'passwords.change': {
    body: { current_password: password, new_password: 'another horse, another battery' },
    response: ada,
  },
  'codes.start': { body: who, response: { challenge_id: ids.session, expires_in: 600 } },
  'codes.verify': {
    body: { project_id: 'demo', challenge_id: ids.session, code: '314159', ...newcomer },
    response: session,
  },
  'links.start': {
    body: { ...who, challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    response: { link_id: ids.session, expires_in: 900 },
  },
  'links.showCode': {
    body: { project_id: 'demo', link_id: ids.session, token },
    response: { code: '314159' },
  },
  'links.signIn': {
    body: {
      project_id: 'demo',
      link_id: ids.session,
      token,
      ...newcomer,
      verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    response: session,
  },
  'passkeys.startRegistration': {
    body: { current_password: password },
    response: { publicKey: creationOptions },
  },
  'passkeys.register': {
    body: { credential: attestation, name: 'Phone' },
    response: passkey,
  },
  'passkeys.list': { response: page(passkey) },
  'passkeys.rename': { body: { name: 'Phone' }, response: passkey },
  'passkeys.delete': { body: { current_password: password }, response: passkey },
  'passkeys.startSignIn': {
    body: { project_id: 'demo' },
    response: { publicKey: requestOptions },
  },
  'passkeys.signIn': { body: { project_id: 'demo', credential: assertion }, response: session },
  'factors.startTotp': {
    body: { current_password: password },
    response: { ...enrolment, expires_in: 900 },
  },
  'factors.confirmTotp': {
    body: { code: '314159' },
    response: { ...factor, recovery_codes: ['k7m2x-9qd4r-w5hep', 'p3n8a-h6tvc-2jq9z'] },
  },
  'factors.list': { response: page({ ...factor, last_used_at: times.modified_at }) },
  'factors.deleteTotp': { body: { code: '314159' }, response: factor },
  'factors.renewRecoveryCodes': {
    body: { code: '314159' },
    response: { recovery_codes: ['k7m2x-9qd4r-w5hep', 'p3n8a-h6tvc-2jq9z'] },
  },
  'factors.signIn': {
    body: { project_id: 'demo', mfa_token: 'm'.repeat(43), code: '314159' },
    response: session,
  },
  'factors.startEnrolment': {
    body: { project_id: 'demo', mfa_token: 'm'.repeat(43) },
    response: { ...enrolment, expires_in: 580 },
  },
  'factors.confirmEnrolment': {
    body: { project_id: 'demo', mfa_token: 'm'.repeat(43), code: '314159' },
    response: { ...session, recovery_codes: ['k7m2x-9qd4r-w5hep', 'p3n8a-h6tvc-2jq9z'] },
  },
  'factors.reset': { response: factor },
  'emails.verify': { response: { expires_in: 86_400 } },
  'emails.change': {
    body: { email: 'ada@example.org', current_password: password },
    response: { expires_in: 3_600 },
  },
  'emails.confirm': { body: { token }, response: { ...ada, email: 'ada@example.org' } },
  'users.getMe': { response: ada },
  'users.list': { response: { total: 1, count: 1, result: [ada] } },
  'users.create': {
    body: { email: 'ada@example.com', email_verified: true, display_name: 'Ada' },
    response: ada,
  },
  'users.import': {
    body: {
      users: [
        {
          email: 'ada@example.com',
          email_verified: true,
          external_id: 'crm-4711',
          password_hash: '$2b$10$4xaVQTrrCTcA1yPi3sGTfOb4WvZJpTLjEcPmJeYZ7ZjQzqBvUfS6a',
          identities: [{ provider: 'google', subject: '110169484474386276334' }],
          created_at: '2024-05-01T08:00:00.000Z',
          display_name: 'Ada',
        },
      ],
    },
    response: {
      dry_run: false,
      created: 1,
      exists: 0,
      failed: 0,
      unprocessed: 0,
      results: [{ outcome: 'created', uid: ids.ada }],
    },
  },
  'users.get': { response: ada },
  'users.search': {
    body: { uids: [ids.ada], offset: 0, limit: 20 },
    response: page({ ...nameless, displayed_name: display_name }),
  },
  'users.update': {
    body: {
      display_name: 'Ada',
      name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
      urls: [{ value: 'https://example.com/ada', type: 'home', primary: true }],
    },
    response: ada,
  },
  'users.delete': {
    body: { current_password: 'correct horse battery staple' },
    response: receipt,
  },
  'users.getDeletion': { response: { ...receipt, completed_at: '2026-11-21T09:00:01.000Z' } },
  'users.getMetadata': { response: metadata },
  'users.setMetadata': {
    body: { app_metadata: { plan: 'team', seats: 5 } },
    response: metadata,
  },
  'users.mergeMetadata': {
    body: { user_metadata: { theme: 'dark', beta: null } },
    response: metadata,
  },
  'users.export': {
    response: {
      exported_at: '2026-11-21T09:00:00.000Z',
      user: ada,
      password: { changed_at: times.created_at },
      identities: [{ provider: 'google', issuer: 'https://accounts.google.com', subject: '110' }],
      locks: [{ credential: 'password', wrong_attempts: 10, until: '2026-11-21T09:15:00.000Z' }],
      sessions: [listed],
      memberships: [
        {
          ...grace,
          user_id: ids.ada,
          email: 'ada@example.com',
          role: 'admin',
          workspace_name: 'Engines',
        },
      ],
      invitations: [],
      join_requests: [],
      owned_workspaces: [workspace],
      events: [],
    },
  },
};
