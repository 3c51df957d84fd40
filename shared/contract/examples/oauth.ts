import { ids, session } from './data.ts';

const id_token = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOiJkZW1vLndlYiJ9.c2lnbmF0dXJl';
const claims = {
  sub: ids.ada,
  name: 'Ada',
  given_name: 'Ada',
  family_name: 'Lovelace',
  preferred_username: 'ada',
  picture: 'https://example.com/ada.png',
  email: 'ada@example.com',
  email_verified: true,
};
const redirected = { response: 'See the Location header.' };

export const oauthExamples = {
  'oauth.authorize': redirected,
  'oauth.authorizeByForm': {
    body: {
      client_id: 'demo.web',
      redirect_uri: 'https://app.example.com/callback',
      response_type: 'code',
      state: 'af0ifjsldkj',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      nonce: 'n-0S6_WzA2Mj',
    },
    ...redirected,
  },
  'oauth.token': {
    body: {
      grant_type: 'authorization_code',
      code: 'SplxlOBeZQQYbYS6WxSbIA-SplxlOBeZQQYbYS6WxSb',
      redirect_uri: 'https://app.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      client_id: 'demo.web',
    },
    response: {
      access_token: session.access_token,
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: session.refresh_token,
      id_token,
      scope: 'openid email profile',
    },
  },
  'oauth.userinfo': { response: claims },
  'oauth.userinfoByPost': { response: claims },
  'oauth.logout': redirected,
  'oauth.logoutByForm': {
    body: {
      id_token_hint: id_token,
      client_id: 'demo.web',
      post_logout_redirect_uri: 'https://app.example.com/',
      state: 'af0ifjsldkj',
    },
    ...redirected,
  },
};

const at = (path: string) => `https://api.example.com${path}`;

/** The provider as its metadata has it. */
export const provider = {
  issuer: at(''),
  jwks_uri: at('/.well-known/jwks.json'),
  authorization_endpoint: at('/authorize'),
  token_endpoint: at('/token'),
  userinfo_endpoint: at('/userinfo'),
  end_session_endpoint: at('/logout'),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  scopes_supported: ['openid', 'email', 'profile'],
  prompt_values_supported: ['none', 'login', 'create', 'select_account', 'consent'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  acr_values_supported: ['aal1', 'aal2'],
  claims_supported: [
    ...['iss', 'sub', 'aud', 'sid', 'iat', 'exp', 'auth_time', 'amr', 'acr'],
    ...['nonce', 'at_hash'],
    ...['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'profile'],
    ...['email', 'email_verified'],
  ],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
};
