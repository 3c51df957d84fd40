import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { bodyTypesOf, isForOwnPages, type Route } from '#shared/contract/route.ts';
import { credentialFor, pointersOf } from '../contract/calls.ts';
import { sampleOf } from '../contract/samples.ts';
import type { Answer } from '../support/call.ts';
import { expectInvalid } from '../support/expectations.ts';
import { nextOf } from '../support/paging.ts';
import { type Person, startWorld } from '../support/world.ts';
import { lines, wire } from './wire.ts';

/** Malformed request lines: paths, ids, queries and cursors that no regular client sends. */

const world = await startWorld({ subscribers: false });
const { basic } = world.project;
let person: Person;
let workspace_id: string;
let before: unknown[];
beforeAll(async () => {
  person = await world.user({ email: 'person@example.com' });
  ({ workspace_id } = await world.workspace({ owner: person }));
  await world.drainStream();
  before = await world.table.all();
});

const isCookie = ({ auth }: Route) => (auth as readonly string[]).includes('cookie');
const credentialOf = (route: Route) => credentialFor(route, world, person);
/** The cookie of the user's own project, and one named after the value in the path. */
const cookiesOf = (id: string) => [
  `Cookie: session-${world.project.project_id}=${person.refresh_token}; session-${id}=${person.refresh_token}`,
];

/** Headers of a body of two bytes, which is not a valid form either. */
const typed = (route: Route) => [`Content-Type: ${bodyTypesOf(route)[0]}`, 'Content-Length: 2'];

describe('an id is one path segment of a fixed format', () => {
  const odd = [
    ...['%23', 'USER%231', '%2e', '%2e%2e', '%2e%2e%2f%2e%2e', '..%2f', '%2f', '%2F%2f', '%5c'],
    ...[
      '%00',
      '%0a',
      '%0d%0a',
      '%20',
      '+',
      '*',
      '%25',
      '%2523',
      '%c3%a4',
      '%ff',
      '%',
      '%zz',
      '%u0041',
    ],
    ...['me%00', 'me%20', '~', ';a=b', '@', ':', '$', 'null', 'undefined', '0', '-1'],
    ...['{uid}', '%7Buid%7D', 'x'.repeat(3_000), '%F0%9F%91%A9', '%ED%A0%80'],
  ];
  // Malformed values are tested once for each parameter, variants of a valid id for every route.
  const asked = new Set<string>();
  const withIds = routes
    .filter(({ params }) => params)
    .map((route) => {
      const isNew = (name: string) => !asked.has(name) && asked.add(name).has(name);
      return { ...route, first: Object.keys(route.params!.shape).filter(isNew) };
    });
  test.each(withIds)('$name', async ({ first, ...route }) => {
    const { params, query } = sampleOf(route);
    const search = new URLSearchParams(query).toString();
    for (const name of Object.keys(params))
      for (const id of [
        ...(first.includes(name) ? odd : ['%2f', '%2e%2e', '%00', '%', '']),
        `${params[name]}%00`,
        `${params[name]}%20`,
        `%20${params[name]}`,
        `${params[name]}%0a`,
        params[name]!.toUpperCase() + '%23',
      ]) {
        const path = route.path.replaceAll(/\{(\w+)\}/g, (_, each: string) =>
          each === name ? id : encodeURIComponent(params[each] ?? ''),
        );
        const target = search === '' ? path : `${path}?${search}`;
        const headers = [
          ...(isCookie(route) ? cookiesOf(id) : [`Authorization: ${credentialOf(route)}`]),
          ...(isForOwnPages(route) ? ['Sec-Fetch-Site: same-origin'] : []),
          ...(route.body ? typed(route) : []),
        ];
        const text = lines(`${route.method} ${target}`, headers, route.body ? '{}' : '');
        const [answer] = await wire(world.url, text);
        // 405 if the id forms another path, such as /users/me. 401 if there is no cookie for such a project.
        const refusals = [400, 404, 405, ...(isCookie(route) ? [401] : [])];
        expect(refusals, `${target}: ${answer?.status} ${answer?.body}`).toContain(answer?.status);
        // A role may be named `me` or `null`; then the body is invalid.
        const isOne = (await route.params?.shape[name]?.safeParseAsync(id))?.success;
        if (answer?.status === 400 && !isOne)
          expect(answer.body).toMatch(/"message":"Bad Request"|"\/path\//);
      }
  });

  test.each([
    '/users/../users/me',
    '/users/./me',
    '//users/me',
    '/users//me',
    '/users/me/',
    '/USERS/me',
    '/users/me;x=1',
    '/users/me%2f',
    '/users%2fme',
    '/users/me/..',
    '/users/me#x',
    '/users/me/%2e%2e/me',
    '\\users\\me',
    '/users\\me',
    '*',
    '/users/me%00',
  ])('%s does not reach /users/me', async (path) => {
    const [answer] = await wire(
      world.url,
      lines(`GET ${path}`, [`Authorization: ${person.bearer}`]),
    );
    // 302: `*` is treated as the root, which redirects to the documentation.
    expect([302, 400, 401, 404, 405]).toContain(answer?.status);
  });
});

describe('an unusual query or path', () => {
  const list = (search: string) => world.call('GET', `/workspaces?${search}`, person.bearer);
  test.each([
    ['limit[]=1', 'limit[]'],
    ['limit[0]=1', 'limit[0]'],
    ['limit%5B%5D=1', 'limit[]'],
    ['Limit=1', 'Limit'],
    ['limit%00=1', 'limit\0'],
    ['limit%20=1', 'limit '],
    ['=1', ''],
    ['limit=1;offset=0', 'limit'],
    ['limit=%31%20', 'limit'],
    ['limit=+1', 'limit'],
    ['limit=１', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0x1', 'limit'],
    ['limit=01.0', 'limit'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['query=a%00b', 'query'],
    ['query=%0d%0aSet-Cookie:%20a', 'query'],
    ['query=%E2%80%AEx', 'query'],
    ['query=%ff', 'query'],
    ['role=admin,member', 'role'],
    ['cursor=%00', 'cursor'],
    ['__proto__[x]=1', '__proto__[x]'],
  ])('the query %s gets 400', async (search, name) => {
    const answer = await list(search);
    expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/query/${name}`]);
  });

  test('an encoded path is decoded', async () => {
    const { status, body } = await world.call('GET', '/users/%6d%65', person.bearer);
    expect([status, body.uid]).toEqual([200, person.uid]);
  });

  test('an encoded name is decoded, and a duplicate after decoding is refused', async () => {
    expect((await list('%6cimit=1')).status).toBe(200);
    const twice = await list('%6cimit=1&limit=1');
    expect([twice.status, ...pointersOf(twice)]).toEqual([400, '/query/limit']);
  });
});

test('none of these requests has changed anything but the rate limit counters', async () => {
  const counts = (item: { pk?: unknown }) => /^RATE#\w+Door#/.test(String(item.pk));
  expect((await world.table.all()).filter((item) => !counts(item))).toEqual(before);
});

describe('a cursor is valid only for its list, caller and filters', () => {
  /** Where it is valid, by path template and filters, and who may use it. */
  type Made = { at: string; auth: string; cursor: string };
  const made: Made[] = [];
  const listsOf = (id: string, uid: string) => [
    `/workspaces?user_id=${uid}`,
    '/workspaces/joined/search',
    `/workspaces/${id}/users?status=accepted`,
    `/workspaces/${id}/users?status=pending`,
    `/workspaces/${id}/users?status=accepted&query=p`,
    `/workspaces/${id}/invitations`,
    `/workspaces/${id}/join_requests`,
  ];
  let lists: string[] = [];
  const cursorOf = (answer: Answer) =>
    new URL(nextOf(answer) ?? '', world.url).searchParams.get('cursor') ?? '';
  const from = (at: string, cursor: string, auth: string) =>
    world.call('GET', `${at}${at.includes('?') ? '&' : '?'}limit=1&cursor=${cursor}`, auth);
  /** A narrower filter of each list that takes one. */
  const narrowed = (at: string) =>
    at.includes('query=')
      ? [`${at}r`]
      : [
          ...(/workspaces(?:\?|$)/.test(at) ? ['role=admin'] : []),
          ...(at.endsWith('/invitations') ? ['state=expired'] : []),
        ].map((filter) => `${at}${at.includes('?') ? '&' : '?'}${filter}`);

  beforeAll(async () => {
    const place = { workspace_id, owner: person };
    await world.workspace({ owner: person });
    const domain = `/workspaces/${workspace_id}/allowed_domains/example.net`;
    await world.call('PUT', domain, basic, { mode: 'suggest' });
    for (let i = 0; i < 2; i += 1) {
      await world.member(place);
      await world.invited(place);
      const email = `asks${i}@example.net`;
      const { bearer } = await world.user({ email, verified: true });
      await world.call('POST', `/workspaces/${workspace_id}/join_requests`, bearer, {});
    }
    await world.drainStream();
    lists = listsOf(workspace_id, person.uid);
    for (const at of lists)
      for (const auth of at.includes('joined') ? [person.bearer] : [basic, person.bearer]) {
        const own = auth === basic ? at : at.replace(/\?user_id=.*/, '');
        const answer = await world.call(
          'GET',
          `${own}${own.includes('?') ? '&' : '?'}limit=1`,
          auth,
        );
        made.push({ at: own, auth, cursor: cursorOf(answer) });
      }
  });

  test('it is accepted there', async () => {
    expect(made).toHaveLength(2 * lists.length - 1);
    for (const { at, auth, cursor } of made)
      expect((await from(at, cursor, auth)).status).toBe(200);
  });

  test('it is refused for every other list and caller', async () => {
    for (const { at, auth, cursor } of made)
      for (const other of made) {
        if (other.at === at && other.auth === auth) continue;
        expectInvalid(await from(other.at, cursor, other.auth), '/query/cursor');
      }
  });

  test('it is refused with another filter, and beside an offset', async () => {
    expect(lists.flatMap(narrowed)).toHaveLength(3);
    for (const { at, auth, cursor } of made)
      for (const other of [...narrowed(at), `${at}${at.includes('?') ? '&' : '?'}offset=1`])
        expectInvalid(await from(other, cursor, auth), '/query/cursor');
  });

  test('it is refused if any character is changed, doubled or left out', async () => {
    const [{ at, auth, cursor }] = made as [Made];
    const swap = (character: string | undefined) => (character === 'A' ? 'B' : 'A');
    for (let i = 0; i < cursor.length; i += 3)
      for (const changed of [
        cursor.slice(0, i) + swap(cursor[i]) + cursor.slice(i + 1),
        cursor.slice(0, i) + cursor.slice(i + 1),
        cursor.slice(0, i) + cursor[i] + cursor.slice(i),
      ])
        expectInvalid(await from(at, changed, auth), '/query/cursor');
  });

  test('it is refused for the same list of another project or workspace', async () => {
    const project = await world.newProject();
    const owner = await world.user({ project });
    const theirs = await world.workspace({ owner });
    await world.member(theirs);
    const elsewhere = listsOf(theirs.workspace_id, owner.uid)[2] ?? '';
    const answer = await world.call('GET', `${elsewhere}&limit=1`, project.basic);
    const ours = made.find(({ at, auth }) => at === lists[2] && auth === basic)!;
    expectInvalid(await from(ours.at, cursorOf(answer), basic), '/query/cursor');
    expectInvalid(await from(elsewhere, ours.cursor, project.basic), '/query/cursor');
    // A cursor never reveals another project: access to the list is checked first.
    expect((await from(elsewhere, cursorOf(answer), basic)).status).not.toBe(200);
  });
});
