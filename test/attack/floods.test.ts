/**
 * @module-tag source
 * @module-tag alone
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { docsScripts } from '#shared/contract/docs.ts';
import { isPublicByProject } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { sampleOf } from '../contract/samples.ts';
import { expectProblem } from '../support/expectations.ts';
import { type Fields, oauthScene } from '../support/oauth.ts';
import { pathOf } from '../support/routes.ts';
import { goodPassword, type SignIn, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/** An attacker who floods a public endpoint of a project blocks only that endpoint of that project. */

// The clock stands still: no window ends.
vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const { max, seconds } = rates.projectDoor;
const doors = routes.filter(isPublicByProject);
let flooded: SignIn;
let other: SignIn;
let calls: string[] = [];
beforeAll(async () => {
  flooded = await signInProject(world);
  other = await signInProject(world);
  for (const home of [flooded, other]) await home.signUp('ada@example.com');
  dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        calls.push(commandName);
        return next(args);
      },
    { step: 'initialize', name: 'calls' },
  );
});
afterAll(() => dynamodb.middlewareStack.remove('calls'));

let mailboxes = 0;
const newEmail = () => `somebody${(mailboxes += 1)}@example.com`;

const windowNow = () => Math.floor(Date.now() / 1_000 / seconds);
const doorOf = ({ project_id }: SignIn, door: string, network?: string) =>
  network === undefined
    ? keys.rate('projectDoor', `${project_id} ${door}`, windowNow())
    : keys.rate('networkDoor', `${project_id} ${door} ${network}`, windowNow());

/** Uses up the limit of a project, or of a network there, as if by other instances. */
const flood = (home: SignIn, door: string, network?: string) =>
  world.table.put({ ...doorOf(home, door, network), count: max });

/** A request to a public endpoint. */
const askAt = (route: (typeof doors)[number], { project_id }: SignIn, headers = {}) => {
  const { body, params } = sampleOf(route);
  // A separate mailbox for each, because one gets three mails in ten minutes.
  const email = body?.['email'] !== undefined && { email: newEmail() };
  return world.call({
    ...{ method: route.method, path: pathOf(route, params), headers },
    body: { ...body, project_id, ...email },
  });
};

describe('a used-up rate limit of an endpoint', () => {
  test.each(doors)(
    '$name: gives 429 until the window ends, without a call to the database',
    async (route) => {
      const ask = (home: SignIn, headers = {}) => askAt(route, home, headers);
      // A new window without requests.
      vi.setSystemTime(Date.now() + seconds * 1_000);
      await flood(flooded, route.name);
      // The first request of an instance is admitted without counting.
      expect((await ask(flooded)).status).not.toBe(429);
      calls = [];
      const refused = await ask(flooded);
      expectProblem(refused, 'too_many_requests');
      expect(refused.body.detail).toBe(rates.projectDoor.detail);
      const retryAfter = Number(refused.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(seconds);
      expect(calls).toEqual(['UpdateItemCommand']);
      calls = [];
      const headers = { 'idempotency-key': 'a-key-that-nobody-else-has' };
      for (let i = 0; i < 6; i += 1)
        expectProblem(await ask(flooded, i % 2 === 0 ? headers : {}), 'too_many_requests');
      expect(calls).toEqual([]);
      expect((await ask(other)).status).not.toBe(429);
      vi.setSystemTime(Date.now() + seconds * 1_000);
      expect((await ask(flooded)).status).not.toBe(429);
    },
  );
});

test('a flood of one project leaves sign-in to other projects, and by its other endpoints, working', async () => {
  vi.setSystemTime(Date.now() + seconds * 1_000);
  await flood(flooded, 'passwords.signIn');
  const attack = () =>
    flooded.post('/sessions/password', { email: 'ada@example.com', password: 'wrong' });
  const [attacks, sessions] = await Promise.all([
    Promise.all(Array.from({ length: 100 }, attack)),
    Promise.all(Array.from({ length: 3 }, () => other.signIn('ada@example.com', goodPassword))),
  ]);
  expect(attacks.filter(({ status }) => status !== 429)).toHaveLength(1);
  expect(new Set(sessions.map(({ uid }) => uid)).size).toBe(1);
  expect((await flooded.signInByCode('ada@example.com')).user.email).toBe('ada@example.com');
});

test('a flood of requests for the large files of the documentation is refused by each instance', async () => {
  const { documentationFiles } = limits;
  for (const path of ['/openapi.json', `/docs/${docsScripts.scalar}`]) {
    vi.setSystemTime(Date.now() + documentationFiles.seconds * 1_000);
    const ask = () => fetch(new URL(path, world.url));
    for (let i = 0; i < documentationFiles.max; i += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    vi.setSystemTime(Date.now() + documentationFiles.seconds * 1_000);
    expect((await ask()).status).toBe(200);
  }
});

test('a flood of requests for the public keys reads their one partition once a second', async () => {
  const second = async () => {
    vi.setSystemTime(Date.now() + 1_000);
    calls = [];
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.call('GET', '/.well-known/jwks.json')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    return calls;
  };
  expect(await second()).toEqual(['QueryCommand']);
  expect(await second()).toEqual(['QueryCommand']);
});

describe('behind a proxy that names its clients', () => {
  const secret = 'a secret that CloudFront alone sends';
  beforeAll(() => {
    process.env['TRUSTED_PROXY_SHA256'] = createHash('sha256').update(secret).digest('hex');
  });
  afterAll(() => {
    delete process.env['TRUSTED_PROXY_SHA256'];
  });

  test('mails from many networks of one IPv6 customer are counted together, those of others are not', async () => {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    const { mailsFromSite, mailsToOne } = rates;
    const { project_id } = other;
    const window = Math.floor(Date.now() / 1_000 / mailsFromSite.seconds);
    const site = keys.rate('mailsFromSite', `${project_id} 2001:db8:7::/48`, window);
    const ask = (address: string, email = newEmail()) =>
      world.call({
        ...{ method: 'POST', path: '/codes', body: { project_id, email } },
        headers: { 'x-origin-verify': secret, 'cloudfront-viewer-address': `${address}:46532` },
      });
    // Requests that are refused for their mailbox count for nothing here.
    const full = newEmail();
    await world.table.put({ ...site, count: mailsFromSite.max - mailsToOne.max - 1 });
    for (let i = 0; i < mailsToOne.max; i += 1)
      expect((await ask(`2001:db8:7:${i}a::1`, full)).status).toBe(202);
    for (const network of ['1b', '2b', '3b']) {
      const { detail } = (await ask(`2001:db8:7:${network}::1`, full)).body;
      expect(detail).toBe(mailsToOne.detail);
    }
    expect((await ask('2001:db8:7:2::1')).status).toBe(202);
    const victim = newEmail();
    for (let i = 0; i <= mailsToOne.max; i += 1) {
      const refused = await ask(`2001:db8:7:${i + 2}::1`, victim);
      expectProblem(refused, 'too_many_requests');
      expect(refused.body.detail).toBe(mailsFromSite.detail);
    }
    for (const address of ['2001:db8:8:1::1', '203.0.113.9'])
      expect((await ask(address, victim)).status).toBe(202);
  });

  test('a flood from one network leaves every public endpoint open to other networks', async () => {
    const from = (address: string) => ({
      ...{ 'x-origin-verify': secret, 'cloudfront-viewer-address': `${address}:46532` },
    });
    for (const route of doors) {
      vi.setSystemTime(Date.now() + seconds * 1_000);
      await flood(flooded, route.name, '2001:db8:9::/48');
      // Each from another /64 of the /48. An instance admits the first eight without counting.
      const attacks = Array.from({ length: 20 }, (_, i) =>
        askAt(route, flooded, from(`2001:db8:9:${i}::1`)),
      );
      const details = (await Promise.all(attacks)).map(({ body }) => body.detail);
      expect(details.filter((detail) => detail === rates.networkDoor.detail)).toHaveLength(12);
      const ofProject = await world.table.get(doorOf(flooded, route.name));
      expect(ofProject?.['count']).toBeLessThanOrEqual(8);
      const elsewhere = await askAt(route, flooded, from('2001:db8:a::1'));
      expect([route.name, elsewhere.status]).not.toEqual([route.name, 429]);
    }
  });

  const [attacker, home] = ['203.0.113.7', '198.51.100.10'];
  /** A request of a client at an address. */
  const from = (address: string, fields: Fields, auth?: string) =>
    world.call({
      ...{ method: 'POST', path: '/token', auth },
      body: new URLSearchParams(fields as Record<string, string>).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...{ 'x-origin-verify': secret, 'cloudfront-viewer-address': `${address}:46532` },
      },
    });
  const scene = async () => {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    const made = await oauthScene(world);
    const ada = await made.visitor();
    const { web, server, basicOf } = made;
    const garbage: [Fields, string?][] = [
      [{ grant_type: 'authorization_code' }, basicOf(server, 'x')],
      [{ grant_type: 'authorization_code', client_id: server.client_id }],
      [{ grant_type: 'refresh_token', client_id: `${made.project_id}.nobody` }],
      [{ grant_type: 'refresh_token', client_id: web.client_id, refresh_token: 'rt_x' }],
      [
        {
          ...{ grant_type: 'authorization_code', client_id: web.client_id, code: 'x' },
          ...{ redirect_uri: web.redirect_uris[0], code_verifier: 'x'.repeat(43) },
        },
      ],
    ];
    return { ...made, ada, garbage };
  };

  test('a flood of invalid requests by a stranger is refused without a database call, and blocks no client', async () => {
    const { ada, web, server, garbage, code, tokens, basicOf } = await scene();
    const { refresh_token } = await tokens(ada);
    const [stored, { client_id: _, ...ofServer }] = [await code(ada), await code(ada, server)];
    const ask = (i: number) => from(attacker, ...garbage[i % garbage.length]!);
    for (let i = 0; i < garbage.length; i += 1) expect((await ask(i)).status).not.toBe(429);
    await Promise.all(Array.from({ length: rates.networkDoor.max + 10 }, (_each, i) => ask(i)));
    calls = [];
    for (let i = 0; i < garbage.length; i += 1) {
      const refused = await ask(i);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
    }
    expect(calls).toEqual([]);

    expect((await from(home, stored)).status).toBe(200);
    // Also in the stranger's own network, with a secret or a refresh token.
    const refresh = { grant_type: 'refresh_token', refresh_token, client_id: web.client_id };
    expect((await from(attacker, refresh)).status).toBe(200);
    expect((await from(attacker, ofServer, basicOf(server))).status).toBe(200);
  });
});
