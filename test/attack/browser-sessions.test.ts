import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import {
  cookieName,
  cookiesSet,
  fromOwnPage,
  hostedProject,
  withCookie,
} from '../support/hosted-pages.ts';
import { sessionKey } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';

/** Attacks by foreign pages and cookie thieves on a browser session with the hosted pages. */

const world = await startWorld();
const project = await hostedProject(world);
const { project_id } = project;
const name = cookieName(project);
let ada: Person;
beforeEach(async () => {
  ada = await world.user({ project });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.stubEnv('LOG_LEVEL', 'silent');
});

const anyone = world.as().browserSessions;
const refresh = (headers: Record<string, string>) => anyone.refresh({ project_id }, { headers });
const end = (headers: Record<string, string>) => anyone.end({ project_id }, { headers });
const keep = (token: string, headers: Record<string, string>) =>
  world.as(`Bearer ${token}`).browserSessions.keep({ project_id }, { headers });
const next = (answer: { headers: Headers }) => cookiesSet(answer)[name]?.value ?? '';

/** Browser headers of requests that do not come from the hosted pages. */
const foreign: [string, Record<string, string>][] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a page of another host of the same site', { 'sec-fetch-site': 'same-site' }],
  [
    "a page of another host with the service's origin",
    { 'sec-fetch-site': 'same-site', origin: world.url },
  ],
  ['a typed address', { 'sec-fetch-site': 'none' }],
  ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin,cross-site' }],
  ['no header about its origin', {}],
  ['another origin in an old browser', { origin: 'https://evil.example' }],
  ['an opaque origin in an old browser', { origin: 'null' }],
  ["an origin that begins with the service's", { origin: `${world.url}.evil.example` }],
  ["the service's host at another port", { origin: world.url.replace(/:\d+$/, ':1') }],
  [
    "only a Referer with the service's address",
    { referer: `${world.url}/pages/${project_id}/sign-in` },
  ],
];

describe.each(foreign)('a request of %s', (_, headers) => {
  test('is refused, and neither renews nor ends the session of the cookie (CSRF)', async () => {
    const before = await world.table.get(sessionKey(ada));
    const cookie = `${name}=${ada.refresh_token}`;
    for (const send of [refresh, end]) {
      const answer = await send({ ...headers, cookie });
      expectProblem(answer, 'forbidden');
      expect(cookiesSet(answer)).toEqual({});
    }
    expect(await world.table.get(sessionKey(ada))).toEqual(before);
  });

  test('cannot put the session of another user into the browser (login CSRF)', async () => {
    const mallory = await world.user({ project });
    const answer = await keep(mallory.refresh_token, headers);
    expectProblem(answer, 'forbidden');
    expect(cookiesSet(answer)).toEqual({});
  });

  test('sets or removes no cookie, even without a valid one (logout CSRF)', async () => {
    for (const send of [refresh, end])
      for (const cookie of ['', `${name}=x`]) {
        const answer = await send({ ...headers, ...(cookie && { cookie }) });
        expect([401, 403]).toContain(answer.status);
        expect(cookiesSet(answer)).toEqual({});
      }
  });
});

test("accepts an old browser that sends only Origin, if it is the service's own", async () => {
  const { cookie = '' } = withCookie(project, ada.refresh_token);
  const headers = { origin: world.url, cookie };
  expect((await keep(ada.refresh_token, headers)).status).toBe(200);
  expect((await refresh(headers)).status).toBe(200);
});

describe('a stolen cookie', () => {
  test('ends the session once the user has renewed it twice, even within the grace period', async () => {
    const first = await refresh(withCookie(project, ada.refresh_token));
    const second = await refresh(withCookie(project, next(first)));
    expectProblem(await refresh(withCookie(project, ada.refresh_token)), 'refresh_token_reused');
    expectProblem(await refresh(withCookie(project, next(second))), 'refresh_token_reused');
  });

  test('cannot be kept once it is replaced', async () => {
    const first = await refresh(withCookie(project, ada.refresh_token));
    await refresh(withCookie(project, next(first)));
    const answer = await keep(ada.refresh_token, fromOwnPage);
    expectProblem(answer, 'unauthenticated');
    expect(cookiesSet(answer)).toEqual({});
  });
});

describe('planted cookies', () => {
  test('two cookies of the same name are both refused, so the user is not signed in as the attacker', async () => {
    const mallory = await world.user({ project });
    const [own, planted] = [ada, mallory].map(({ refresh_token }) => `${name}=${refresh_token}`);
    for (const cookie of [
      `${own}; ${planted}`,
      `${planted}; ${own}`,
      `${own};${planted}`,
      `${own}; ${own}`,
    ]) {
      for (const send of [refresh, end])
        expectProblem(await send({ ...fromOwnPage, cookie }), 'unauthenticated');
    }
    for (const person of [ada, mallory])
      expect((await world.as(person).users.getMe()).status).toBe(200);
  });

  test('a session cookie authenticates only the routes of the browser session', async () => {
    const headers = withCookie(project, ada.refresh_token);
    expectProblem(await world.as().users.getMe({}, { headers }), 'unauthenticated');
    expectProblem(await world.as().sessions.signOut({}, { headers }), 'unauthenticated');
    expectProblem(
      await world.as().sessions.refresh({ accessToken: ada.access_token }, { headers }),
      'unauthenticated',
    );
    expectProblem(await anyone.keep({ project_id }, { headers }), 'unauthenticated');
  });
});

test('no refresh token appears in a response body or in the log', async () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.stubEnv('LOG_LEVEL', 'info');
  const other = await hostedProject(world);
  const first = await refresh(withCookie(project, ada.refresh_token));
  const token = next(first);
  const answers = [
    await keep(token, fromOwnPage),
    first,
    await refresh({ cookie: `${name}=${token}` }),
    await refresh(withCookie(project, `${token}x`)),
    await anyone.refresh({ project_id: other.project_id }, { headers: withCookie(other, token) }),
    await anyone.refresh(
      { project_id: 'nobody' },
      { headers: withCookie({ project_id: 'nobody' }, token) },
    ),
    await end(withCookie(project, token)),
    await refresh(withCookie(project, token)),
  ];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403, 401, 404]));
  expect(written.length).toBeGreaterThanOrEqual(answers.length);
  // Not inside an access token's signature, whose letters are random.
  const refreshToken = /(?<![\w-])rt_/;
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(refreshToken);
  for (const secret of [ada.refresh_token, token, first.body.access_token])
    expect(written.join('')).not.toContain(secret.slice(-43));
  expect(written.join('')).not.toMatch(refreshToken);
});
