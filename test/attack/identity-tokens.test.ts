import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import { settingsOf, signInByIdentity } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { serve } from '../support/serve.ts';
import { type SignIn, signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import { forgeriesOf, type Target } from './forgeries.ts';
import { byKey, compact } from './tokens.ts';
import { partsOf, silence } from './traces.ts';

/** Forged ID tokens at every endpoint that accepts one: sign-in, and linking an account to a user. */

// The clock stands still, so no cache expires and no rate limit window ends.
vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWorld();
const openid = await startOpenidProvider();
const google = settingsOf(openid);
const newProject = () => signInProject(world, { identity_providers: { google } });

const now = Math.floor(Date.now() / 1_000);
const { kid, privateKey, publicKey } = openid.signingKey();
const header = { alg: 'RS256', typ: 'JWT', kid };
const claims: Record<string, unknown> = {
  iss: openid.issuer,
  aud: openid.client_id,
  sub: 'ada',
  email: 'ada@gmail.com',
  email_verified: true,
  iat: now,
  exp: now + 3_600,
};
const signed = (payload: unknown, head: unknown = header) =>
  compact(head, payload, byKey(privateKey));
const raw = (more: string) => `${JSON.stringify(claims).slice(0, -1)},${more}}`;
const target: Target = { genuine: signed(claims), header, claims, publicKey, kid };
const another = signed({ ...claims, sub: 'bob' });
let fetched = 0;
const theirs = await serve((_, response) => {
  fetched += 1;
  response.end('{"keys":[]}');
});

const home = await newProject();
const person = await world.user({ project: home.project, email: 'ada@gmail.com', verified: true });
/** The users who link forged tokens, 200 times each: a user may make 300 changes per minute. */
const linkers = await Promise.all([1, 2, 3].map(() => world.user({ project: home.project })));
const guards = async () =>
  (await world.table.all()).flatMap(({ pk, sk }) => (sk === 'EMAIL' || sk === 'USER' ? [pk] : []));
const before = await guards();
const link = (id_token: string, more: object = {}, by: Person | undefined = person) =>
  world.call('POST', '/users/me/identities', by?.bearer, {
    provider: 'google',
    id_token,
    ...more,
  });
const log = silence();

let tries = 0;
let away: SignIn;
/** Another project for every 80 attempts: a network may fail 100 times. */
async function projectToTry(): Promise<SignIn> {
  if (tries % 80 === 0) away = await newProject();
  tries += 1;
  return away;
}

/** The original token is valid, so that a rejection is caused by the forgery. */
async function expectGood(): Promise<void> {
  const { status, body } = await link(target.genuine);
  expect([status, body.uid]).toEqual([200, person.uid]);
}
beforeAll(expectGood);
afterAll(expectGood);

async function expectRefused(token: string): Promise<void> {
  const project = await projectToTry();
  log.clear();
  const linked = await link(token, {}, linkers[Math.floor(tries / 200)]);
  for (const answer of [linked, await signInByIdentity(project, token)]) {
    // A token that violates the contract's format is a bad request.
    if (answer.status === 400)
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/body/id_token' }] });
    else expectProblem(answer, 'identity_token_invalid');
    log.expectWithout(partsOf(token), answer);
  }
}

describe.each(Object.entries(forgeriesOf(target, another, theirs)))('%s', (_, forgeries) => {
  afterAll(expectGood);
  test.each(Object.entries(forgeries))('%s', async (_name, token) => {
    expect(token).not.toBe(target.genuine);
    await expectRefused(token);
  });
});

test('no URL that a token names is fetched, and hundreds of tokens cause one read of the keys', () => {
  expect([fetched, openid.keysRead()]).toEqual([0, 1]);
});

/** Of what the provider itself signs, test/shared/identity/identity-token.test.ts tests what is refused. */
test.each<[string, string, object?]>([
  ['a duplicate claim, whose last value counts', signed(raw('"sub":"ada"'))],
  ['the e-mail of another user', signed({ ...claims, email: 'eve@gmail.com' })],
  ['an e-mail that is not a string', signed({ ...claims, email: ['ada@gmail.com'] })],
  ['a `__proto__` claim', signed(raw('"__proto__":{"sub":"eve"}'))],
  ['a zip parameter, which JWS does not define', signed(claims, { ...header, zip: 'DEF' })],
  ['no typ', signed(claims, { alg: 'RS256', kid })],
  ['URLs of keys in the header', signed(claims, { ...header, jku: theirs, x5u: theirs })],
  ['an expiry in the far future', signed({ ...claims, exp: 9_999_999_999 })],
  ['a fraction of a second', signed({ ...claims, iat: now - 0.5, nbf: now - 0.5 })],
  ['the nonce of the request', signed({ ...claims, nonce: 'n-1' }), { nonce: 'n-1' }],
])('accepts for the same user: %s', async (_name, token, more) => {
  const { status, body } = await link(token, more);
  expect([status, body.uid, body.email]).toEqual([200, person.uid, person.email]);
});

test('none of these tokens has created a user, and the genuine token still signs the user in', async () => {
  expect(await guards()).toEqual(before);
  const { status, body } = await signInByIdentity(home, target.genuine);
  expect([status, body.uid, body.user_created]).toEqual([201, person.uid, false]);
});
