import { ada, password, session } from './data.ts';

const providerToken = {
  access_token: 'ya29.a0AfH6SMBx3J',
  token_type: 'Bearer',
  expires_at: '2026-11-22T13:00:00.000Z',
  scope: 'openid email https://www.googleapis.com/auth/calendar.readonly',
};

const redirected = { response: 'See the Location header.' };

/** Examples of the routes about accounts at identity providers, in the form of examples.ts. */
export const providerExamples = {
  'identities.signIn': {
    body: {
      project_id: 'demo',
      provider: 'google',
      id_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiIxMTAifQ.c2lnbmF0dXJl',
      nonce: 'n-0S6_WzA2Mj',
    },
    response: { ...session, user: { ...ada, social: 'google' } },
  },
  'identities.link': {
    body: { provider: 'google', id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMTAifQ.c2ln' },
    response: { ...ada, social: 'google' },
  },
  'identities.unlink': { body: { current_password: password }, response: ada },
  'identities.getToken': { response: providerToken },
  'identities.getTokenOfUser': { response: providerToken },
  'providers.start': redirected,
  'providers.callback': redirected,
  'providers.callbackByForm': {
    body: {
      state: 'af0ifjsldkj',
      code: 'c4d2b9d7e5f0a4c6e9b1d3f5a7c9e1b3d.0.srxx.Vw2Xy3Zq',
      user: '{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"ada@example.com"}',
    },
    ...redirected,
  },
  'providers.signIn': {
    body: {
      project_id: 'demo',
      code: 'SplxlOBeZQQYbYS6WxSbIA-SplxlOBeZQQYbYS6WxSb',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    response: { ...session, user: { ...ada, social: 'github' } },
  },
};
