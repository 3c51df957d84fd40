import { describe, expect, test } from 'vitest';
import { docs } from '#shared/contract/docs.ts';
import { oauth } from '#shared/contract/oauth.ts';
import { providers } from '#shared/contract/providers.ts';
import type { Route } from '#shared/contract/route.ts';
import { routes } from '../../shared/contract/api.ts';
import { expectProblem } from '../support/expectations.ts';
import { pathOf } from '../support/routes.ts';
import { startWorld } from '../support/world.ts';
import { sampleOf } from './samples.ts';

/** What a browser shows of the failures of the addresses that its user opens, and that lead it elsewhere. */

const world = await startWorld();
const opened: Route[] = routes.filter(
  ({ statuses, produces = '' }: Route) =>
    statuses.some((status) => status > 300) || produces.startsWith('text/html'),
);
const redirecting = opened.filter(({ statuses }) => (statuses[0] ?? 0) > 300);
const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** What changes with each response, or with the form of its body. */
const ofEach = ['content-type', 'content-length', 'x-request-id', 'apigw-requestid', 'date'];
const standing = (headers: Headers) => [...headers].filter(([name]) => !ofEach.includes(name));

/** More parameters than any route takes. */
const tooMany = Object.fromEntries([...Array(120).keys()].map((i) => [`evil${i}`, '<b>']));
const get = (path: string, accept?: string) =>
  world.call<string>({ method: 'GET', path, ...(accept && { headers: { accept } }) });

test('the routes that a browser opens are known', () => {
  expect(opened.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['oauth.authorize', 'oauth.logout', 'pages.page', 'providers.callback']),
  );
});

test('a form leads to a GET, whatever its client makes of a 302 (RFC 9700 section 4.12)', () => {
  expect(redirecting.map(({ method, statuses }) => [method, ...statuses])).toEqual(
    redirecting.map(({ method }) => [method, method === 'GET' ? 302 : 303]),
  );
  expect(redirecting.map(({ method }) => method)).toContain('POST');
});

describe.each(opened)('$name', (route: Route) => {
  // A body of no known type, or too many parameters.
  const refused = (accept: string) =>
    world.call<string>({
      method: route.method,
      path: pathOf(route, sampleOf(route).params),
      ...(route.body ? { body: '<b>evil</b>' } : { query: tooMany }),
      headers: { accept, 'content-type': 'text/plain' },
    });

  test('shows a failure as a page, without anything from the request', async () => {
    const [page, problem] = [await refused(ofBrowser), await refused('application/json')];
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('<h1>This page cannot be shown</h1>');
    expect(page.body).not.toMatch(/evil|<b>/);
    expectProblem(problem, route.body ? 'unsupported_media_type' : 'invalid_request', {
      ...(!route.body && { errors: expect.anything() }),
    });
    expect([page.status, standing(page.headers)]).toEqual([
      problem.status,
      standing(problem.headers),
    ]);
    expect(page.headers.get('vary')).toBe('accept');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });
});

test.each([
  ['application/json, text/html;q=0', 'application/problem+json'],
  ['text/html;level=1; q=0.0, */*', 'application/problem+json'],
  ['TEXT/HTML;q=0.1', 'text/html; charset=utf-8'],
])('a client that accepts %s gets %s', async (accept, type) => {
  const { headers } = await get(oauth.authorize.path, accept);
  expect(headers.get('content-type')).toBe(type);
});

describe('a browser that cannot be redirected reads', () => {
  const client = `client_id=demo.web&redirect_uri=https%3A%2F%2Fevil.example`;
  test.each([
    [`${oauth.authorize.path}?${client}`, 'client_id: Must be that of a client of a project'],
    [`${oauth.authorize.path}?${client}&client_id=evil`, 'client_id: Duplicate field'],
    [oauth.authorize.path, 'client_id: Is required'],
    [`${oauth.logout.path}?client_id=evil`, 'Neither client_id nor a valid id_token_hint'],
    [
      `${providers.callback.path.replace('{provider}', 'google')}?state=evil`,
      'This sign-in was not begun',
    ],
    [`/oauth/google/start?evil=%3Cb%3E&project_id=demo`, 'return_url: Is required'],
  ])('%s: what is wrong, and whom to ask', async (path, reason) => {
    const { status, headers, body } = await get(path, ofBrowser);
    expect(status).toBe(400);
    expect(headers.has('location')).toBe(false);
    expect(body).toContain(`<li>${reason}`);
    expect(body).toContain('ask the people who run that application');
    expect(body).toContain(`<li>Request ${headers.get('x-request-id')}</li>`);
    expect(body).not.toMatch(/evil|<b>/);
  });

  test('the documentation, whatever the parameters of a link', async () => {
    for (const { path } of [docs.home, docs.page]) {
      const { status } = await get(`${path}?utm_source=mail`, ofBrowser);
      expect(status, path).toBeLessThan(400);
    }
  });

  test('that there is no such page, for an unknown path or project', async () => {
    for (const path of ['/nowhere', '/docs/nothing', '/pages/nobody/sign-in']) {
      const { status, body } = await get(path, ofBrowser);
      expect([400, 404], path).toContain(status);
      expect(body, path).toContain('There is no such page.');
    }
    expectProblem(await get('/nowhere'), 'not_found');
  });
});
