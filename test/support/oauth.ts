import { createHash, randomBytes } from 'node:crypto';
import { newProjectSecret } from '../../shared/access/project-secret.ts';
import type { OAuthClient } from '../../shared/access/projects.ts';
import { keys } from '../../shared/db/keys.ts';
import { sha256 } from '../../shared/model/ids.ts';
import { claimsOf } from '../model/tokens.ts';
import type { Answer, Call } from './call.ts';
import { cookiesSet, fromOwnPage, hostedProject } from './hosted-pages.ts';
import type { Person, TestProject, World } from './world.ts';

export type Fields = Record<string, string | undefined>;

/** A PKCE verifier with its challenge. */
export function newProof() {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return { code_verifier, code_challenge };
}

/** The target URL of a redirect without its query, and the query parameters. */
export function redirected({ headers }: { headers: Headers }) {
  const location = headers.get('location') ?? '';
  const [to = ''] = location.split('?');
  const search = location.slice(to.length + 1);
  return { location, to, given: Object.fromEntries(new URLSearchParams(search)) };
}

export const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

/** An ID token with changed claims and the original signature. */
export const reissued = (id_token: string, changes: object) => {
  const [head, , signature] = id_token.split('.');
  const claims = JSON.stringify({ ...claimsOf(id_token), ...changes });
  return [head, Buffer.from(claims).toString('base64url'), signature].join('.');
};

export const callback = 'https://app.example.com/callback';

/** A project with hosted pages, a public client `web`, another one `native` and a confidential one `server`. */
export async function oauthScene(world: World, settings: object = {}) {
  const project = await hostedProject(world, settings);
  const { project_id } = project;
  const secret = newProjectSecret();
  const client = (name: string, more: Partial<OAuthClient> = {}): OAuthClient => ({
    client_id: `${project_id}.${name}`,
    name,
    redirect_uris: [callback],
    post_logout_redirect_uris: ['https://app.example.com/bye'],
    secrets: [],
    created_at: new Date().toISOString(),
    ...more,
  });
  const secrets = [
    { secret_id: '00000000', sha256: sha256(secret), created_at: new Date().toISOString() },
  ];
  const web = client('web', { redirect_uris: [callback, 'https://app.example.com/other?a=b'] });
  const native = client('native', {
    redirect_uris: [
      ...['http://127.0.0.1/done', 'http://[::1]/done', callback],
      ...['http://localhost:5173/done', 'com.example.app:/done'],
    ],
  });
  const server = client('server', { secrets });
  await world.table.update(keys.project(project_id), { oauth_clients: [native, server, web] });

  /** A user whose browser is signed in to the hosted pages. */
  async function visitor(given: Parameters<World['user']>[0] = {}): Promise<Visitor> {
    const person = await world.user({ verified: true, ...given, project });
    return { ...person, cookie: await keep(person) };
  }
  async function keep({ refresh_token }: Pick<Person, 'refresh_token'>): Promise<string> {
    const answer = await world.call({
      method: 'POST',
      path: `/pages/${project_id}/session`,
      auth: `Bearer ${refresh_token}`,
      headers: fromOwnPage,
    });
    const [[name, { value }] = ['', { value: '' }]] = Object.entries(cookiesSet(answer));
    return `${name}=${value}`;
  }
  const authorize = (given: Fields, cookie?: string): Promise<Answer> =>
    world.call({
      method: 'GET',
      path: `/authorize?${search(given)}`,
      ...(cookie !== undefined && { headers: { cookie } }),
    });
  const logout = (given: Fields, cookie?: string): Promise<Answer> =>
    world.call({
      method: 'GET',
      path: `/logout?${search(given)}`,
      ...(cookie !== undefined && { headers: { cookie } }),
    });
  const token = (given: Fields, auth?: string): Promise<Answer> => form('/token', given, auth);
  const form = (path: string, given: Fields, auth?: string): Promise<Answer> =>
    world.call(formOf(path, given, auth));

  /** A valid authorization request of a client, and the verifier of its challenge. */
  function request({ client_id }: OAuthClient = web, more: Fields = {}) {
    const { code_verifier, code_challenge } = newProof();
    const fields: Fields = {
      ...{ client_id, redirect_uri: callback, response_type: 'code', state: 'st ate&1' },
      ...{ code_challenge, code_challenge_method: 'S256', scope: 'openid email profile' },
      ...more,
    };
    return { fields, code_verifier };
  }
  /** A code for a client, as the form that redeems it. */
  async function code(person: Visitor, of: OAuthClient = web, more: Fields = {}) {
    const { fields, code_verifier } = request(of, more);
    const answer = await authorize(fields, person.cookie);
    const { given } = redirected(answer);
    if (!given['code']) throw new Error(`${answer.status} ${answer.headers.get('location')}`);
    return {
      ...{ grant_type: 'authorization_code', code: given['code'], code_verifier },
      ...{ redirect_uri: fields['redirect_uri'] ?? '', client_id: of.client_id },
    };
  }
  /** The tokens of a client's session, started by a code. */
  async function tokens(person: Visitor, of: OAuthClient = web, more: Fields = {}) {
    const presented = await code(person, of, more);
    const { status, body } = await token(presented, of === server ? basicOf(server) : undefined);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body as Tokens;
  }
  const basicOf = ({ client_id }: OAuthClient, given = secret) =>
    `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(given)}`).toString('base64')}`;
  const refresh = (of: OAuthClient, refresh_token: string, auth?: string, more: Fields = {}) =>
    world.call(refreshing(of, refresh_token, auth, more));
  const refreshing = (
    of: OAuthClient,
    refresh_token: string,
    auth?: string,
    more: Fields = {},
  ): Call => {
    const { client_id } = of;
    return formOf(
      '/token',
      { grant_type: 'refresh_token', refresh_token, client_id, ...more },
      auth,
    );
  };
  const set = (changes: object) =>
    world.table.update(keys.project(project_id), changes as Record<string, unknown>);

  return {
    ...{ project, project_id, secret, web, native, server, visitor, keep, authorize, logout },
    ...{ token, form, request, code, tokens, basicOf, refresh, refreshing, set },
  };
}

export type Visitor = Person & { cookie: string; project: TestProject };
export type Tokens = {
  access_token: string;
  refresh_token: string;
  id_token: string;
  expires_in: number;
  scope: string;
  token_type: string;
};

/** A request that posts a form. */
export const formOf = (path: string, given: Fields, auth?: string): Call => ({
  ...{ method: 'POST', path, auth, body: search(given) },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

const search = (given: Fields) =>
  Object.entries(given)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    )
    .join('&');
