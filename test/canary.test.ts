/** @module-tag proof */
import { createPrivateKey } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { secretNames } from '../local/environment.ts';
import { exception, type Fault } from './faults/fault.ts';
import type { Answer, Call } from './support/call.ts';
import { signInByCodes, signInByLink } from './support/canary-mailed.ts';
import { signInByRedirect } from './support/canary-redirect.ts';
import { startFaultyEngine } from './support/faults.ts';
import { settingsOf } from './support/identities.ts';
import { keepLog } from './support/log.ts';
import { startOpenidProvider } from './support/openid-provider.ts';
import { type Started, signInProject } from './support/sign-in.ts';
import { digestsOf, formsOf, leaks, type Places, type Secret } from './support/traces.ts';
import { startWorld } from './support/world.ts';

// Users sign in by every method with recognisable secrets (canaries), while the table fails repeatedly. Then every log
// line, response, mail, item and call to the table is searched for them.
const { log, stop } = keepLog();
const faults = await startFaultyEngine();
const openid = await startOpenidProvider();
const world = await startWorld({ endpoint: faults.url });
afterAll(async () => {
  stop();
  await Promise.all([faults.close(), openid.close()]);
});

const secrets: Secret[] = [];
const answers: string[] = [];
/** The responses of the operator's function, without the secrets that it creates. */
const operated: string[] = [];
/** Every call to the table. */
const calls: string[] = [];

/** Registers a secret that may occur only in one response or mail. */
function brought<T extends string>(by: 'answers' | 'mails', name: string, secret: T): T {
  secrets.push({ name, forms: formsOf(secret), bringer: by });
  return secret;
}

/** Registers a secret that a client sends and that may occur nowhere. */
function sent(name: string, secret: string): string {
  secrets.push({ name, forms: formsOf(secret) });
  return secret;
}

/** Registers a secret chosen by a user, which may occur nowhere, not even as a digest, because it can be guessed. */
function typed(name: string, secret: string): string {
  secrets.push({ name, forms: new Map([...formsOf(secret), ...digestsOf(secret)]) });
  return secret;
}

/** Sends a request and records the whole response. */
async function say(request: Call): Promise<Answer> {
  const answer = await world.call(request);
  answers.push(JSON.stringify([answer.status, [...answer.headers], answer.body]));
  return answer;
}

/** An error of the table that repeats the whole call, as some real messages repeat parts. */
const telltale: Fault = (exchange) =>
  exception('ValidationException', 400, { message: JSON.stringify(exchange.body) })(exchange);

const transaction = /^Transact/;
const [write, read] = [/^(?:Update|Delete|Put)/, /^(?:BatchGet|Get|Query)/];

/** Retries until success, while the table fails first at a transaction, then at another write, then at a read. */
async function insist(request: Call): Promise<Answer> {
  const { method, path } = request;
  const alone = path.endsWith('/refresh');
  const reads = method === 'GET' || path.endsWith('/introspect');
  const stages = reads ? [read] : [...(alone ? [] : [transaction]), write, read];
  for (const stage of stages) {
    let met = false;
    const when = ({ operation }: { operation: string }) => {
      met ||= stage.test(operation);
      return stage.test(operation);
    };
    faults.inject(telltale, { when });
    const answer = await say(request);
    calls.push(...faults.calls.map(({ body }) => JSON.stringify(body)));
    faults.reset();
    if (!met || answer.status < 500) return answer;
  }
  return say(request);
}

/** Moves the clock past the rate-limit windows and the caches; a user's credentials stay valid, except codes. */
const later = () => vi.setSystemTime(Date.now() + 901_000);

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const home = await signInProject(world, { identity_providers: { google: settingsOf(openid) } });
  const { project_id, mailTo } = home;
  const mailed = async (to: string) =>
    brought('mails', `what was mailed to ${to}`, await home.mailed(to));
  const post = (path: string, body: object) =>
    insist({ method: 'POST', path, body: { project_id, ...body } });
  const as = (auth: string, method: string, path: string, body?: object) =>
    insist({ method, path, auth, body });
  /** The tokens of a started session, and the Authorization header of its user. */
  const started = async (answer: Promise<Answer<Started>>, status = 201) => {
    const { status: was, body } = await answer;
    expect([was, body]).toMatchObject([status, { uid: expect.any(String) }]);
    const { access_token, refresh_token } = body;
    brought('answers', 'an access token', access_token);
    brought('answers', 'the signature of an access token', access_token.split('.')[2] ?? '');
    brought('answers', 'a refresh token', refresh_token);
    return { ...body, bearer: `Bearer ${access_token}` };
  };
  const expectStatus = async (answer: Promise<Answer>, ...statuses: number[]) => {
    const { status, body } = await answer;
    expect(statuses, JSON.stringify(body)).toContain(status);
  };

  const email = 'ada@example.com';
  const first = typed('the first password', 'canary-5f1e: first! "ünïcödé" \\ passphrase');
  const second = typed('the second password', 'canary-5f1e: second passphrase <&>');
  const third = typed('the third password', 'canary-5f1e: third passphrase %00');
  const wrong = typed('a password with a slip', 'canary-5f1e: first! passphrase');
  const short = typed('a short password', 'canary-5f1e');
  const tiny = typed('a password that is no password', 'cnry-5f');
  const junk = sent('a token that is none', 'canary-5f1e'.padEnd(43, '-'));

  // Signing up.
  await expectStatus(post('/sign-up', { email }), 202);
  const token = await mailed(email);
  await expectStatus(post('/passwords', { token: junk, password: first }), 400);
  for (const bad of [short, tiny, [wrong], { wrong }])
    await expectStatus(post('/passwords', { token, password: bad }), 400);
  await expectStatus(
    say({ method: 'POST', path: '/passwords', body: `{"password":"${wrong}",` }),
    400,
  );
  await expectStatus(
    say({ method: 'GET', path: '/users/me', query: { password: wrong }, auth: `Bearer ${wrong}` }),
    401,
  );
  const signedUp = await started(post('/passwords', { token, password: first }));
  await expectStatus(post('/passwords', { token, password: first }), 400);
  await expectStatus(
    as(signedUp.bearer, 'GET', `/users/me?access_token=${signedUp.access_token}`),
    400,
  );
  await expectStatus(as(signedUp.bearer, 'GET', `/sessions/${signedUp.refresh_token}`), 404, 405);

  // By password, and another one.
  later();
  await expectStatus(post('/sessions/password', { email, password: wrong }), 401);
  const byPassword = await started(post('/sessions/password', { email, password: first }));
  await expectStatus(post('/sessions/password', { email: 'no@example.com', password: wrong }), 401);
  later();
  const { bearer } = await started(post('/sessions/password', { email, password: first }));
  const change = (current_password: string, new_password: string) =>
    as(bearer, 'PUT', '/users/me/password', { current_password, new_password });
  await expectStatus(change(wrong, second), 401);
  await expectStatus(change(first, short), 400);
  await expectStatus(change(first, second), 200);
  await mailTo(email);

  // Forgotten.
  later();
  await expectStatus(post('/passwords/forgotten', { email }), 202);
  const reset = await mailed(email);
  const again = await started(post('/passwords', { token: reset, password: third }));

  // By code, also as a new user, and by a link.
  later();
  const shown = (name: string, secret: string) => brought('answers', name, secret);
  const doors = { post, started, expectStatus, mailed, typed, sent, shown };
  await signInByCodes([email, 'bob@example.com'], doors);
  for (const by of ['token', 'code'] as const) {
    later();
    await signInByLink(by, email, doors);
  }

  // Another e-mail.
  later();
  const ada = await started(post('/sessions/password', { email, password: third }));
  const confirm = async (to: string) =>
    as(ada.bearer, 'POST', '/users/me/email/confirmation', { token: await mailed(to) });
  await expectStatus(as(ada.bearer, 'POST', '/users/me/email/confirmation', { token: junk }), 400);
  await expectStatus(as(ada.bearer, 'POST', '/users/me/email/verification'), 202);
  await expectStatus(confirm(email), 200);
  const another = 'lovelace@example.com';
  const move = (current_password: string) =>
    as(ada.bearer, 'POST', '/users/me/email', { email: another, current_password });
  await expectStatus(move(wrong), 401);
  await expectStatus(move(third), 202);
  await expectStatus(confirm(another), 200);

  // By an identity provider.
  later();
  const nonce = sent('a nonce', 'canary-5f1e-nonce');
  const idToken = (claims: object) => {
    const made = openid.signed({ nonce, email: 'hedy@example.com', sub: 'hedy', ...claims });
    sent('an ID token', made);
    sent('the signature of an ID token', made.split('.')[2] ?? '');
    return made;
  };
  const identify = (id_token: string, given = nonce) =>
    post('/sessions/identity', { provider: 'google', id_token, nonce: given });
  await started(identify(idToken({})));
  await started(identify(idToken({})));
  await expectStatus(identify(idToken({}), wrong), 401);
  await expectStatus(identify(idToken({ aud: 'another' })), 401);
  await expectStatus(identify(sent('a forged ID token', openid.forge({ nonce }))), 401);
  await expectStatus(identify(junk), 401);
  await started(identify(idToken({ sub: 'bob', email: 'bob@example.com' })));

  await signInByRedirect(world, home, { insist, say, sent, brought, started, later });

  // By another one, linked by the signed-in user.
  later();
  const grown = await started(post('/sessions/password', { email: another, password: third }));
  const link = (id_token: string, current_password?: string) =>
    as(grown.bearer, 'POST', '/users/me/identities', {
      ...{ provider: 'google', id_token, nonce, current_password },
    });
  const theirs = { sub: 'ada', email: 'ada@elsewhere.example' };
  await expectStatus(link(idToken(theirs)), 400);
  await expectStatus(link(idToken(theirs), wrong), 401);
  await expectStatus(link(junk, third), 401);
  await expectStatus(link(idToken({ sub: 'bob' }), third), 409);
  await expectStatus(link(idToken(theirs), third), 200);
  await started(identify(idToken(theirs)));
  await mailTo(another);
  await expectStatus(
    as(grown.bearer, 'DELETE', '/users/me/identities/google', { current_password: third }),
    200,
  );

  // Renewed, seen, ended; a token that was used long ago.
  later();
  const renew = (refresh_token: string, accessToken: string) =>
    as(`Bearer ${refresh_token}`, 'POST', '/sessions/token/refresh', { accessToken });
  const renewed = await started(renew(again.refresh_token, again.access_token), 200);
  later();
  await expectStatus(renew(again.refresh_token, again.access_token), 401);
  await expectStatus(renew(renewed.refresh_token, renewed.access_token), 401);
  await expectStatus(renew(byPassword.refresh_token, signedUp.access_token), 401);
  const last = await started(post('/sessions/password', { email: another, password: third }));
  const prove = (password: string) =>
    as(last.bearer, 'POST', '/sessions/reauthenticate', { password });
  await expectStatus(prove(wrong), 401);
  const proven = await prove(third);
  brought('answers', 'an access token after a proof', proven.body.access_token);
  const { result } = (await as(last.bearer, 'GET', '/sessions')).body;
  await expectStatus(as(last.bearer, 'DELETE', `/sessions/${result.at(-1).session_id}`), 200);
  await expectStatus(as(last.bearer, 'POST', '/sessions/workspace', { workspace_id: null }), 200);
  await expectStatus(as(last.bearer, 'DELETE', '/sessions'), 200);
  await expectStatus(as(last.bearer, 'DELETE', '/sessions/current'), 200);
  await expectStatus(as(last.bearer, 'GET', '/users/me'), 401);

  // A project's secrets.
  const made = await world.operate({ action: 'create-secret', project_id });
  const { secret } = made as { secret: string };
  for (const each of [secret, home.project.secret]) sent('a secret of the project', each);
  const basic = world.basic({ project_id, secret });
  later();
  const begun = await started(as(basic, 'POST', '/sessions', { uid: last.uid }));
  await expectStatus(as(basic, 'POST', '/sessions/introspect', { token: begun.access_token }), 200);
  const typo = sent('a secret with a slip', secret.replace(/.$/, '~'));
  await expectStatus(as(world.basic({ project_id, secret: typo }), 'GET', '/sessions'), 401);
  const hook = (await as(basic, 'POST', '/webhooks', { url: 'https://example.com/' })).body;
  const rotated = (await as(basic, 'POST', `/webhooks/${hook.webhook_id}/secret`)).body;
  for (const each of [hook, rotated])
    brought('answers', 'the key of a webhook', each.secret.slice('whsec_'.length));
  await expectStatus(as(basic, 'GET', '/webhooks'), 200);
  await expectStatus(as(basic, 'PUT', `/users/${last.uid}`, { disabled: true }), 200);
  await expectStatus(post('/sessions/password', { email: another, password: third }), 403);
  for (const request of [
    { action: 'list' },
    { action: 'list-secrets', project_id },
    { action: 'update', project_id, name: 'New' },
  ])
    operated.push(JSON.stringify(await world.operate(request)));

  // Mails that are not sent, and a provider whose keys cannot be fetched.
  later();
  for (const fault of [{ status: 400, code: 'MessageRejected' }, 'lose'] as const) {
    world.outbox.failNext(fault);
    const who = `${typeof fault}@example.com`;
    await expectStatus(post('/codes', { email: who }), 202);
    await mailTo(who);
  }
  await openid.close();
  later();
  await expectStatus(identify(idToken({})), 503);

  sent('the key of mails', await secretText(secretNames.mail));
  sent('the key of webhooks', await secretText(secretNames.webhook));
  sent('the key of second factors', await secretText(secretNames.factor));
  const { refresh_secret, private_key, next } = JSON.parse(await secretText(secretNames.signing));
  sent('the key of refresh tokens', refresh_secret);
  for (const pem of [private_key, next.private_key]) {
    // The modulus, within it, is public.
    const { d = '', p = '', q = '' } = createPrivateKey(pem).export({ format: 'jwk' });
    for (const part of [pem, d, p, q]) sent('a signing key', part);
  }
});

async function secretText(SecretId: string): Promise<string> {
  const { SecretString = '' } = await new SecretsManagerClient().send(
    new GetSecretValueCommand({ SecretId }),
  );
  return SecretString;
}

/** All texts to search. */
const places = async (): Promise<Places> => ({
  log,
  answers,
  operated,
  mails: world.mails().map((mail) => JSON.stringify(mail)),
  events: world.events().map((event) => JSON.stringify(event)),
  // Deleted items appear in the recorded calls, as do the images in the stream.
  table: (await world.table.all()).map((item) => JSON.stringify(item)),
  calls: [...calls, ...faults.calls.map(({ body }) => JSON.stringify(body))],
});

test('each secret appears only in the response or mail that delivers it', async () => {
  const all = await places();
  expect(leaks(all, secrets)).toEqual([]);
  // Verifies the search: without its permitted place each secret is found.
  const ours = secrets.filter(({ bringer }) => bringer !== undefined);
  const found = ours.map(({ name, forms }) => leaks(all, [{ name, forms }]).length);
  expect(found).toEqual(ours.map(() => 1));
  expect(ours.length).toBeGreaterThan(40);
});

test('no hash of a password leaves the table, and no e-mail is in the log', async () => {
  const { table = [], calls: _, ...others } = await places();
  expect(table.join('')).toContain('$argon2id$');
  expect(JSON.stringify(others)).not.toContain('argon2');
  expect(log.join('')).not.toMatch(/\w@/);
});

test('every operation of signing in was called, and failed at least once with a 500', () => {
  const lines = log.map((line) => JSON.parse(line) as { operation: string; status?: number });
  const done = lines.filter(({ status = 500 }) => status < 300).map(({ operation }) => operation);
  const ways = routes.filter(({ name }) =>
    /^(?:sessions|passwords|codes|identities|emails)\./.test(name),
  );
  expect(done).toEqual(expect.arrayContaining(ways.map(({ name }) => name)));
  const failed = lines.filter(({ status }) => status === 500).map(({ operation }) => operation);
  expect(failed).toEqual(expect.arrayContaining(ways.map(({ name }) => name)));
  // The error repeats the call: what is in the call is then in the log.
  expect(log.filter((line) => line.includes('ClientRequestToken')).length).toBeGreaterThan(20);
  expect(lines.filter(({ operation }) => operation === 'mail.send')).toHaveLength(2);
});

describe('a planted secret is found', () => {
  const text = 'canary-77aa: planted "passphrase" <&> é';
  const forms = new Map([...formsOf(text), ...digestsOf(text)]);
  const planted = [{ name: 'planted', forms }];

  test.each([...forms])('%s', (_, form) => {
    const around = (inner: string) => ({ place: ['other', `before${inner}after`] });
    expect(leaks(around(''), planted)).toEqual([]);
    expect(leaks(around(form), planted)).toHaveLength(1);
  });

  test('a code, only where it stands alone', () => {
    const code = [{ name: 'code', forms: formsOf('271828') }];
    expect(leaks({ place: ['1271828', '271828.5', '"2718281"', 'a271828'] }, code)).toEqual([]);
    const inToken = (payload: string) => Buffer.from(payload).toString('base64url');
    expect(leaks({ place: [inToken('{"exp":1271828000}')] }, code)).toEqual([]);
    expect(leaks({ place: [inToken('{"code":"271828"}')] }, code)).toHaveLength(1);
    expect(leaks({ place: ['"271828"', 'code 271828,', '{"code":271828}'] }, code)).toHaveLength(3);
  });

  test('in every searched place', async () => {
    const name = 'canary-77aa planted';
    const { project_id, basic } = world.project;
    const settings = { name, code_sign_in: true, sign_up: true };
    process.stderr.write(JSON.stringify({ name }));
    operated.push(
      JSON.stringify(await world.operate({ action: 'update', project_id, ...settings })),
    );
    later();
    const user = { email: 'mary@example.com', display_name: name };
    await say({ method: 'POST', path: '/users', auth: basic, body: user });
    await say({ method: 'POST', path: '/codes', body: { project_id, email: user.email } });
    await world.drainStream();
    const all = await places();
    const found = leaks(all, [{ name, forms: formsOf(name) }]);
    expect([...new Set(found.map((line) => line.split(':')[0]))]).toEqual(Object.keys(all));
  });
});
