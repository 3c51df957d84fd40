import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { jwtVerify, SignJWT } from 'jose';
import { newSecret, sha256 } from '#shared/model/ids.ts';
import type { PresetName } from '#shared/model/provider-presets.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { type OtherTokens, standInTokens } from './stand-in-tokens.ts';

/** A user as the provider's documentation describes them: claims, or the resource of its API. */
export type ProviderUser = Record<string, unknown>;

type Asked = Record<string, string>;
/** Deviations of the stand-in from the documentation. */
export type Misbehaviour = OtherTokens & {
  /** Overrides claims of the ID token; undefined removes one. */
  claims?: ProviderUser;
  /** Replaces the redirect with a code. */
  answer?: (callback: URL) => URL;
  /** The status of the token endpoint, the API or the metadata. */
  token?: number;
  api?: number;
  /** Signs with a key that it does not publish. */
  forged?: boolean;
  /** Replaces its metadata. */
  metadata?: object;
  /** Omits the ID token. */
  noIdToken?: boolean;
  /** Overrides members of the token response. */
  tokens?: object;
  /** The error for each refresh; undefined to succeed. A promise delays the response. */
  refresh?: string | Promise<string | undefined>;
};

/** The paths of the endpoints of each preset, as documented, below one origin. */
const paths: Record<PresetName, { authorize: string; token: string }> = {
  google: { authorize: '/o/oauth2/v2/auth', token: '/token' },
  microsoft: { authorize: '/common/oauth2/v2.0/authorize', token: '/common/oauth2/v2.0/token' },
  apple: { authorize: '/auth/authorize', token: '/auth/token' },
  github: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
  gitlab: { authorize: '/oauth/authorize', token: '/oauth/token' },
  linkedin: { authorize: '/oauth/v2/authorization', token: '/oauth/v2/accessToken' },
  discord: { authorize: '/oauth2/authorize', token: '/api/oauth2/token' },
  slack: { authorize: '/openid/connect/authorize', token: '/api/openid.connect.token' },
  facebook: { authorize: '/v24.0/dialog/oauth', token: '/v24.0/oauth/access_token' },
  oidc: { authorize: '/authorize', token: '/token' },
};
const openid = new Set<PresetName>([
  ...(['google', 'microsoft', 'apple', 'gitlab', 'linkedin', 'slack', 'oidc'] as const),
]);

/** The key of every stand-in, each with its own `kid`, and a forger's key. */
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The Apple key of a team, which signs the service's client secrets. */
const appleKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const appleSettings = { team_id: 'TEAM123456', key_id: 'KEY1234567' };
const applePrivateKey = appleKeys.privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;

/**
 * Starts a stand-in for a provider, which follows the provider's documentation and is as strict: single-use codes bound
 * to a redirect URI, PKCE, the client secret (for Apple a signed JWT).
 *
 * @param publicOrigin the origin in its metadata, if it is behind a proxy
 * @param behind other documents that it serves: URLs by path
 */
export async function startStandIn(
  preset: PresetName,
  publicOrigin?: (origin: string) => string,
  behind: Record<string, string> = {},
) {
  const client_id = `client-of-${preset}`;
  const secret = preset === 'apple' ? applePrivateKey : `secret-of-${preset}-${newSecret()}`;
  const kid = randomUUID();
  const codes = new Map<string, Asked & { person: string }>();
  const made = standInTokens(preset);
  /** Every request to the token endpoint and the API. */
  const calls: { path: string; body: string; authorization?: string }[] = [];
  let person: ProviderUser = {};
  let posted: string | undefined;
  let wrong: Misbehaviour = {};
  let metadataReads = 0;
  let isDown = false;
  const { authorize, token } = paths[preset];

  const server = createServer((request, response) => {
    if (isDown) return void response.destroy();
    answer(request, response).catch(() => response.destroy());
  });
  const origin = await listenOnLoopback(server);
  // A test that does not close it must still be able to end.
  server.unref();
  const known = publicOrigin?.(origin) ?? origin;
  const issuer = preset === 'linkedin' ? `${known}/oauth` : known;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const json = (body: unknown, status = 200) => {
      // GitLab repeats an error in a challenge, of whatever status.
      if (preset === 'gitlab' && status >= 400)
        response.setHeader('www-authenticate', 'Bearer realm="Doorkeeper", error="invalid_grant"');
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (url.pathname.endsWith('/.well-known/openid-configuration')) {
      metadataReads += 1;
      return json(wrong.metadata ?? metadata());
    }
    const other = behind[url.pathname];
    if (other !== undefined) return json(await (await fetch(other)).json());
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' }] });
    if (url.pathname === authorize) return consent(url, response);
    const body = await readText(request);
    const { authorization } = request.headers;
    calls.push({ path: url.pathname, body, ...(authorization && { authorization }) });
    if (url.pathname === token) {
      if (wrong.token) return json({ error: 'server_error' }, wrong.token);
      const given = Object.fromEntries(new URLSearchParams(body));
      return redeem(given, authorization, request.headers.accept, json);
    }
    const bearer = made.personOf(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    if (!bearer) return json({ message: 'Bad credentials' }, 401);
    if (wrong.api) return json({ message: 'No' }, wrong.api);
    return json(...resourceOf(url, bearer, authorization ?? ''));
  }

  const metadata = () => ({
    issuer: preset === 'microsoft' ? `${origin}/{tenantid}/v2.0` : issuer,
    authorization_endpoint: `${known}${authorize}`,
    token_endpoint: `${known}${token}`,
    jwks_uri: `${known}/jwks`,
    ...(preset === 'oidc' && { userinfo_endpoint: `${known}/userinfo` }),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported:
      preset === 'oidc' ? ['client_secret_basic'] : ['client_secret_post', 'client_secret_basic'],
  });

  /** The provider's page: every browser belongs to the current user, who consents. */
  function consent(url: URL, response: ServerResponse): void {
    const asked = Object.fromEntries(url.searchParams);
    const back = new URL(asked['redirect_uri'] ?? '');
    const code = newSecret();
    codes.set(code, { ...asked, person: JSON.stringify(person) });
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked['state'] ?? '');
    if (preset === 'google') back.searchParams.set('iss', issuer);
    if (preset === 'github') back.searchParams.set('iss', `${issuer}/login/oauth`);
    if (posted !== undefined) back.searchParams.set('user', posted);
    const there = wrong.answer?.(back) ?? back;
    if (asked['response_mode'] !== 'form_post') {
      response.writeHead(302, { location: there.href });
      return void response.end();
    }
    const fields = [...there.searchParams]
      .map(([name, value]) => `<input name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
      .join('');
    there.search = '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<body onload="document.forms[0].submit()"><form method="post" action="${there.href}">${fields}</form>`,
    );
  }

  async function redeem(
    given: Asked,
    authorization: string | undefined,
    accept: string | undefined,
    json: (body: unknown, status?: number) => void,
  ): Promise<void> {
    if (given['grant_type'] === 'refresh_token') return again(given, authorization, json);
    const asked = codes.get(given['code'] ?? '');
    codes.delete(given['code'] ?? '');
    const refuse = (error: string) =>
      // GitHub reports errors with status 200.
      json({ error, error_description: `no: ${given['code']}` }, preset === 'github' ? 200 : 400);
    if (!(await knowsClient(given, authorization))) return refuse('invalid_client');
    if (!asked || asked['redirect_uri'] !== given['redirect_uri']) return refuse('invalid_grant');
    const { code_challenge } = asked;
    if (preset === 'linkedin' && (code_challenge || given['code_verifier']))
      return refuse('invalid_request');
    if (code_challenge && sha256(given['code_verifier'] ?? '') !== code_challenge)
      return refuse('invalid_grant');
    if (preset === 'github' && accept !== 'application/json') return refuse('unsupported');
    const somebody = JSON.parse(asked.person) as ProviderUser;
    json({
      ...made.first(asked, wrong),
      scope: asked['scope'],
      ...(preset === 'slack' && { ok: true }),
      ...(openid.has(preset) && !wrong.noIdToken && { id_token: await idToken(asked, somebody) }),
      ...wrong.tokens,
    });
  }

  async function again(
    given: Asked,
    authorization: string | undefined,
    json: (body: unknown, status?: number) => void,
  ): Promise<void> {
    const refuse = (error: string) => json({ error }, preset === 'github' ? 200 : 400);
    if (!(await knowsClient(given, authorization))) return refuse('invalid_client');
    const error = await wrong.refresh;
    const renewed = error === undefined ? made.refresh(given['refresh_token'] ?? '', wrong) : error;
    if (typeof renewed === 'string') return refuse(renewed);
    const { person: of, ...rest } = renewed;
    const id_token = openid.has(preset)
      ? await idToken({}, JSON.parse(of) as ProviderUser)
      : undefined;
    json({ ...rest, id_token, ...wrong.tokens });
  }

  async function knowsClient(given: Asked, authorization: string | undefined): Promise<boolean> {
    if (preset === 'oidc') {
      // Both parts are form-encoded (RFC 6749, section 2.3.1).
      const [scheme, text = ''] = (authorization ?? '').split(' ');
      const parts = Buffer.from(text, 'base64').toString().split(':').map(decodeURIComponent);
      return scheme === 'Basic' && parts[0] === client_id && parts[1] === secret;
    }
    if (given['client_id'] !== client_id) return false;
    if (preset !== 'apple') return given['client_secret'] === secret;
    const { team_id, key_id } = appleSettings;
    const { payload, protectedHeader } = await jwtVerify(
      given['client_secret'] ?? '',
      appleKeys.publicKey,
      { issuer: team_id, subject: client_id, audience: issuer, algorithms: ['ES256'] },
    ).catch(() => ({ payload: undefined, protectedHeader: undefined }));
    const life = Number(payload?.exp) - Number(payload?.iat);
    return protectedHeader?.kid === key_id && life <= 300;
  }

  function idToken(
    asked: Asked,
    { email, email_verified, ...others }: ProviderUser,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const { tid } = others;
    const claims: ProviderUser = {
      iss: preset === 'microsoft' ? `${origin}/${String(tid)}/v2.0` : issuer,
      aud: client_id,
      iat: now,
      exp: now + 600,
      // LinkedIn omits it.
      ...(preset !== 'linkedin' && asked['nonce'] && { nonce: asked['nonce'] }),
      ...others,
      // A generic provider has it at its userinfo endpoint.
      ...(preset !== 'oidc' && { email, email_verified }),
      ...wrong.claims,
    };
    const signer: KeyObject = wrong.forged ? stranger.privateKey : key.privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(signer);
  }

  /** The response of the provider's API about a user. */
  function resourceOf(url: URL, somebody: ProviderUser, authorization: string): [unknown, number?] {
    const { emails, ...user } = somebody;
    switch (`${preset} ${url.pathname}`) {
      case 'github /api/v3/user':
        return [user];
      case 'github /api/v3/user/emails':
        return [emails];
      case 'discord /api/users/@me':
      case 'oidc /userinfo':
        return [user];
      case 'facebook /v24.0/me': {
        const proof = createHmac('sha256', secret).update(authorization.slice(7)).digest('hex');
        return url.searchParams.get('appsecret_proof') === proof
          ? [user]
          : [{ error: { message: 'Invalid appsecret_proof' } }, 400];
      }
      default:
        return [{ message: 'Not Found' }, 404];
    }
  }

  return {
    preset,
    /** The provider name in projects. */
    name: preset === 'oidc' ? 'own' : preset,
    origin,
    issuer,
    secret,
    client_id,
    calls,
    /** Every token that it has issued. */
    made: made.all,
    /** The provider settings of a project. */
    settings: {
      ...{ preset, client_id, issuer },
      ...(preset === 'apple' && appleSettings),
    },
    /** Sets the user of the browser. `user` is the field that Apple posts the first time. */
    is: (somebody: ProviderUser, user?: string) => {
      person = somebody;
      posted = user;
    },
    /** Sets the misbehaviour from now on; without an argument, none. */
    behave: (otherwise: Misbehaviour = {}) => void (wrong = otherwise),
    down: (is = true) => void (isDown = is),
    metadataReads: () => metadataReads,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

let others = 0;
/**
 * A stand-in with another issuer than the first of its preset. It needs its own name, because a provider name stands
 * for one issuer.
 */
export async function startOther(preset: 'oidc' | 'github'): Promise<StandIn> {
  others += 1;
  const name = `other${others}`;
  return { ...(await startStandIn(preset)), name };
}
