import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
// @ts-expect-error The package has no types: the parts used are declared below.
import { Provider } from 'oidc-provider';
import { sha256 } from '#shared/model/ids.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { CookieJar } from './cookie-jar.ts';

/** A person at the provider: the claims of their ID token. */
export type OpenidUser = {
  sub: string;
  email?: string;
  /** A boolean, though some providers send a string. */
  email_verified?: unknown;
  name?: string;
  given_name?: string;
  family_name?: string;
  picture?: string;
};

/** What the user does at the provider instead of signing in as the hinted account. */
export type Choice = { signsInAs: string } | 'refuses' | undefined;

/** Signs the text of a token, for forgeries. */
export type Signer = (text: string) => Buffer;

type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
type Details = { params: { login_hint?: string } };
type Context = {
  oidc: {
    session: { accountId: string };
    client: { clientId: string };
    provider: { Grant: new (of: { accountId: string; clientId: string }) => Grant };
  };
};
type OpenidProvider = {
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: { login: { accountId: string }; consent: object } | { error: 'access_denied' },
  ): Promise<void>;
};
type SigningKey = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

const clientIds = ['web-app', 'mobile-app'] as const;
/** The client of a service that signs users in by redirect. It must use PKCE. */
const redirectClientId = 'redirecting';
/** The client whose page requests ID tokens. */
const pageClientId = 'page';
const clientSecret = 'only-for-tests';
const redirectUri = 'http://127.0.0.1/callback';
const scope = 'openid email profile';

/**
 * Starts a real OpenID provider on localhost. Users sign in with the authorization code flow and PKCE, over HTTP.
 *
 * @param pages at most one page that requests ID tokens in a browser (the implicit flow)
 * @param callbacks redirect URIs of the client `redirecting`
 * @param key its first signing key; providers may share one, to save time, if a test does not compare them
 */
export async function startOpenidProvider({
  pages = [],
  callbacks = [],
  key = newKey(),
}: {
  pages?: string[];
  callbacks?: string[];
  key?: SigningKey;
} = {}) {
  const users = new Map<string, OpenidUser>();
  let keys: [SigningKey, ...SigningKey[]] = [key];
  let keysRead = 0;
  let provider: OpenidProvider;
  let choose: () => Choice | Promise<Choice> = () => undefined;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/jwks')) keysRead += 1;
    if (request.url?.startsWith('/interaction/')) void signInAsHinted(request, response);
    else provider.callback()(request, response);
  });
  const issuer = await listenOnLoopback(server);
  // A test that does not close it must still be able to end.
  server.unref();
  provider = newProvider(issuer, keys, users, { pages, callbacks });

  /** The sign-in page: signs in the account of `login_hint`, without a password. */
  async function signInAsHinted(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const chosen = choose();
    choose = () => undefined;
    const choice = await chosen;
    const accountId = typeof choice === 'object' ? choice.signsInAs : (params.login_hint ?? '');
    await provider.interactionFinished(
      request,
      response,
      // A native client asks for consent every time.
      choice === 'refuses' ? { error: 'access_denied' } : { login: { accountId }, consent: {} },
    );
  }

  /** Signs a user in and returns the ID token that the provider issues to the client. */
  async function idToken({
    nonce,
    client_id = clientIds[0],
    ...user
  }: OpenidUser & { nonce?: string; client_id?: string }): Promise<string> {
    users.set(user.sub, user);
    const code_verifier = randomBytes(32).toString('base64url');
    const query = {
      ...{ client_id, scope, redirect_uri: redirectUri, response_type: 'code' },
      ...{ code_challenge: sha256(code_verifier), code_challenge_method: 'S256' },
      ...{ login_hint: user.sub, ...(nonce !== undefined && { nonce }) },
    };
    const landed = await browse(new URL(`/auth?${new URLSearchParams(query).toString()}`, issuer));
    const code = landed.searchParams.get('code');
    if (code === null) throw new Error(`The provider gave no code: ${landed.href}`);
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, code_verifier, redirect_uri: redirectUri },
        ...{ client_id, client_secret: clientSecret },
      }),
    });
    const { id_token } = (await response.json()) as { id_token?: string };
    if (id_token === undefined) throw new Error(`The provider gave no token: ${response.status}`);
    return id_token;
  }

  /** Signs with a new key from now on. Old keys stay published only with `keep`. */
  function rotateKeys({ keep = false } = {}): void {
    keys = [newKey(), ...(keep ? keys : [])];
    provider = newProvider(issuer, keys, users, { pages, callbacks });
  }

  /**
   * Forges a token: overrides claims (undefined removes one) and header of a valid one. By default it is signed by a
   * key that the provider never had.
   */
  function forge(
    claims: object,
    header: object = {},
    signer = rs256(stranger().privateKey),
  ): string {
    const iat = Math.floor(Date.now() / 1_000);
    const good = { iss: issuer, aud: clientIds[0], sub: randomUUID(), iat, exp: iat + 3_600 };
    const person = { email: 'forged@example.com', email_verified: true };
    const text = [
      { alg: 'RS256', typ: 'JWT', kid: keys[0]?.kid, ...header },
      { ...good, ...person, ...claims },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    return `${text.join('.')}.${signer(text.join('.')).toString('base64url')}`;
  }

  /** The same, signed by the provider's own key: a token that a differently configured provider would issue. */
  const signed = (claims: object, header: object = {}): string =>
    forge(claims, header, rs256(signingKey().privateKey));

  const signingKey = () => keys[0];

  return {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    client_id: clientIds[0] as string,
    /** A second client of the provider. */
    other_client_id: clientIds[1] as string,
    page_client_id: pageClientId,
    /** The settings of a sign-in by redirect, and the secret of its client. */
    redirecting: { preset: 'oidc' as const, client_id: redirectClientId, issuer },
    secret: clientSecret,
    authorization_endpoint: `${issuer}/auth`,
    /** Registers a user, whom a page can name by `sub` in `login_hint`. */
    know: (user: OpenidUser) => void users.set(user.sub, user),
    /** Overrides what the user does on the provider's page, once. */
    chooseNext: (choice: () => Choice | Promise<Choice>) => void (choose = choice),
    idToken,
    rotateKeys,
    forge,
    signed,
    /** The provider's current signing key. */
    signingKey,
    /** A forger's key. */
    stranger,
    /** How often the provider's keys were read. */
    keysRead: () => keysRead,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs with RSA and SHA-256. */
export const rs256 =
  (key: KeyObject): Signer =>
  (text) =>
    sign('sha256', Buffer.from(text), key);

/** A provider key. Generating one takes a tenth of a second. */
export const newKey = (): SigningKey => ({
  kid: randomUUID(),
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

let forgers: SigningKey | undefined;
/** A forger's key, generated on first use. */
const stranger = (): SigningKey => (forgers ??= newKey());

/** A provider's keys are fixed at its creation, so a rotation creates another provider with the same issuer. */
function newProvider(
  issuer: string,
  keys: readonly SigningKey[],
  users: ReadonlyMap<string, OpenidUser>,
  { pages, callbacks }: Record<'pages' | 'callbacks', readonly string[]>,
): OpenidProvider {
  const hour = () => 3_600;
  return new (Provider as new (issuer: string, configuration: object) => OpenidProvider)(issuer, {
    adapter: memory(),
    clients: [
      ...clientIds.map((client_id) => ({
        ...{ client_id, client_secret: clientSecret, redirect_uris: [redirectUri] },
        token_endpoint_auth_method: 'client_secret_post',
      })),
      ...(callbacks.length > 0
        ? [
            {
              ...{ client_id: redirectClientId, client_secret: clientSecret },
              ...{ redirect_uris: callbacks, token_endpoint_auth_method: 'client_secret_basic' },
            },
          ]
        : []),
      ...pages.map((page) => ({
        ...{ client_id: pageClientId, redirect_uris: [page], application_type: 'native' },
        ...{ grant_types: ['implicit'], response_types: ['id_token'] },
        token_endpoint_auth_method: 'none',
      })),
    ],
    jwks: {
      keys: keys.map(({ kid, privateKey }) => ({
        ...privateKey.export({ format: 'jwk' }),
        ...{ kid, use: 'sig', alg: 'RS256' },
      })),
    },
    // Puts claims into the ID token, as Google does, and not only into the userinfo response.
    conformIdTokenClaims: false,
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    pkce: {
      required: (_: Context, { clientId }: { clientId: string }) => clientId === redirectClientId,
    },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: hour, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: Context, sub: string) => ({
      accountId: sub,
      claims: () => users.get(sub) ?? { sub },
    }),
    // Every user consents to everything.
    async loadExistingGrant({ oidc: { client, provider, session } }: Context): Promise<Grant> {
      const { accountId } = session;
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  });
}

/** The provider's storage. */
function memory() {
  const stored = new Map<string, Record<string, unknown>>();
  return (model: string) => ({
    upsert: async (id: string, payload: Record<string, unknown>) =>
      void stored.set(`${model} ${id}`, payload),
    find: async (id: string) => stored.get(`${model} ${id}`),
    findByUid: async (uid: string) =>
      [...stored.values()].find((payload) => payload['uid'] === uid),
    consume: async (id: string) =>
      void Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: true }),
    destroy: async (id: string) => void stored.delete(`${model} ${id}`),
    revokeByGrantId: async () => undefined,
  });
}

/** Follows redirects with cookies, as a browser does, until one leaves the provider; returns its URL. */
async function browse(start: URL): Promise<URL> {
  const cookies = new CookieJar();
  let url = start;
  for (let hops = 0; url.origin === start.origin; hops += 1) {
    const response = await fetch(url, { redirect: 'manual', headers: cookies.header });
    cookies.keep(response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (location === null || hops > 10) throw new Error(`${url.href}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
