import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { Answer } from './call.ts';
import { newProof } from './oauth.ts';
import { callback, type Fields, type OpenidScene, type UserAgent } from './openid-scene.ts';
import type { World } from './world.ts';

/** Client authentication methods of OpenID Connect Core 1.0, section 9. */
export type Method = 'client_secret_basic' | 'client_secret_post';

export type Tokens = {
  access_token: string;
  refresh_token: string;
  id_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
};

/**
 * A confidential client without a library, so that a test can send what no library sends. It checks every response as
 * OpenID Connect Core 1.0 requires (sections 3.1.2.7 and 3.1.3.7).
 */
export function relyingParty(world: World, scene: OpenidScene, of = scene.backend) {
  const { client_id } = of;
  const { secret, issuer } = scene;

  /** A valid authorization request; undefined parameters are omitted. */
  function request(more: Record<string, string | undefined> = {}) {
    const { code_verifier, code_challenge } = newProof();
    const [state, nonce] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
    const asked = {
      ...{
        client_id,
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid',
        state,
        nonce,
      },
      ...{ code_challenge, code_challenge_method: 'S256', ...more },
    };
    const fields = Object.fromEntries(
      Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const url = `${issuer}/authorize?${new URLSearchParams(fields).toString()}`;
    return { fields, url, code_verifier };
  }

  /** Sends a browser to the service; returns the parameters of the callback. */
  async function authorize(agent: UserAgent, more?: Record<string, string | undefined>) {
    const asked = request(more);
    return { ...asked, ...received(asked.fields, await agent.open(asked.url)) };
  }

  /** The callback parameters, after checking that they answer this request and come from this service. */
  function received({ state }: Fields, { url, pages }: { url: URL; pages: string[] }) {
    const given = Object.fromEntries(url.searchParams);
    const to = `${url.origin}${url.pathname}`;
    if (to !== callback || given['state'] !== state || given['iss'] !== issuer)
      throw new Error(`Not an answer to the request: ${url.href}`);
    return { pages, given, code: given['code'] ?? '' };
  }

  const token = (fields: Fields, method: Method = 'client_secret_basic'): Promise<Answer> =>
    world.call({
      method: 'POST',
      path: '/token',
      ...(method === 'client_secret_basic' && {
        auth: world.basic({ project_id: client_id, secret }),
      }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...fields,
        ...(method === 'client_secret_post' && { client_id, client_secret: secret }),
      }).toString(),
    });
  const redeem = (code: string, code_verifier: string, method?: Method): Promise<Answer> =>
    token(
      { grant_type: 'authorization_code', code, code_verifier, redirect_uri: callback },
      method,
    );
  const refresh = (refresh_token: string): Promise<Answer> =>
    token({ grant_type: 'refresh_token', refresh_token });
  const userInfo = (access_token: string): Promise<Answer> =>
    world.call('GET', '/userinfo', `Bearer ${access_token}`);

  /** The claims of an ID token, after checking that it is for this client and this access token. */
  async function verified(tokens: Tokens, nonce?: string): Promise<JWTPayload> {
    const { body } = await world.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    const rules = { issuer, audience: client_id, typ: 'JWT', currentDate: new Date() };
    const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(body), rules);
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16);
    if (payload['at_hash'] !== half.toString('base64url')) throw new Error('Another at_hash');
    if (nonce !== undefined && payload['nonce'] !== nonce) throw new Error('Another nonce');
    return payload;
  }

  /** Runs the whole flow: signs in and redeems the code. */
  async function signIn(
    agent: UserAgent,
    more?: Record<string, string | undefined>,
    method?: Method,
  ) {
    const { code, code_verifier, pages, fields } = await authorize(agent, more);
    const { status, body } = await redeem(code, code_verifier, method);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    const tokens = body as Tokens;
    const claims = await verified(tokens, fields['nonce']);
    return { tokens, claims, pages, code, code_verifier };
  }

  return { request, authorize, received, redeem, refresh, token, userInfo, verified, signIn };
}
