import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { scopeOf } from '#shared/contract/scopes.ts';
import { newUid } from '#shared/model/ids.ts';
import { secretScopes } from '#shared/model/scopes.ts';
import { expectProblem, expectSame } from '../support/expectations.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { routeCaller } from './calls.ts';

/** The permissions of a limited secret, tested for every route that accepts Basic. */

const world = await startWorld();
const call = routeCaller(world);
const ofBackends = routes.filter(({ auth }) => auth.includes('project'));
const needed = [...new Set(ofBackends.map((route) => scopeOf(route) ?? ''))];

/** A secret of the project with these limits, as its credential. */
async function limited(project: TestProject, limits: object): Promise<string> {
  const { project_id } = project;
  const made = await world.operate({ action: 'create-secret', project_id, ...limits });
  return world.basic({ project_id, secret: (made as { secret: string }).secret });
}

/** Whether a granted scope includes the needed one, implemented independently of the service. */
function covers(granted: string, scope: string): boolean {
  const [resource, action] = scope.split(':');
  return (
    granted === scope || granted === `${resource}:*` || (granted === '*:read' && action === 'read')
  );
}

/** For each scope a project with credentials that include it in each way, and one that has all other scopes. */
const credentials = new Map<string, { having: string[]; lacking: string }>();
beforeAll(async () => {
  for (const scope of needed) {
    const project = await world.newProject();
    const having = [];
    for (const each of secretScopes.filter((granted) => covers(granted, scope)))
      having.push(await limited(project, { scopes: [each] }));
    const others = secretScopes.filter((granted) => !covers(granted, scope));
    credentials.set(scope, { having, lacking: await limited(project, { scopes: others }) });
  }
});
const of = (scope: string) => credentials.get(scope) ?? { having: [], lacking: '' };

const stored = async () =>
  (await world.table.allAttributes()).filter(({ pk }) => !pk?.S?.startsWith('SECRET_USE#'));

test('each scope of a secret belongs to a route, and each wildcard to several', () => {
  const single = secretScopes.filter((scope) => !scope.includes('*'));
  expect([...single].sort()).toEqual([...needed].sort());
  const wild = secretScopes.filter((scope) => scope.includes('*'));
  for (const each of wild)
    expect(needed.filter((scope) => covers(each, scope)).length, each).toBeGreaterThan(1);
});

test('only routes for backends have a scope', () => {
  for (const route of routes)
    expect(scopeOf(route) === undefined, route.name).toBe(!route.auth.includes('project'));
});

describe('with every scope but the needed one: 403, for any request', () => {
  let before: unknown[];
  beforeAll(async () => {
    before = await stored();
  });

  test.each(ofBackends)('$name', async (route) => {
    const scope = scopeOf(route) ?? '';
    const { lacking: auth } = of(scope);
    const requests = [{}, { query: { unknown: 'x' } }, ...(route.body ? [{ raw: '{' }] : [])];
    for (const request of requests) {
      const refused = await call(route, { ...request, auth });
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
      expect(refused.body.detail).toBe(`The secret does not have the scope ${scope}`);
      expect(refused.headers.get('www-authenticate')).toBe(
        `Basic realm="project", charset="UTF-8", error="insufficient_scope", scope="${scope}"`,
      );
    }
  });

  test('and none of these requests has written anything', async () => {
    expect(await stored()).toEqual(before);
  });
});

test.each(ofBackends)(
  '$name accepts its scope, and each wildcard that includes it',
  async (route) => {
    for (const auth of of(scopeOf(route) ?? '').having) {
      const { status, body } = await call(route, { auth });
      expect(status, `${route.name} ${JSON.stringify(body)}`).not.toBe(401);
      expect(body.code).not.toBe('insufficient_scope');
    }
  },
);

test('a secret that can only read creates no user by reading one', async () => {
  const project = await world.newProject();
  const uid = newUid(new Date());
  const readers = [
    await limited(project, { scopes: ['users:read'] }),
    await limited(project, { scopes: ['*:read'] }),
  ];
  const writer = await limited(project, { scopes: ['users:read', 'users:write'] });
  for (const reader of readers)
    expectProblem(await world.as(reader).users.get({ uid }), 'not_found');
  expect((await world.as(writer).users.get({ uid })).status).toBe(201);
});

test('a stored response is not given to a secret without the scope', async () => {
  const project = await world.newProject();
  const headers = { 'idempotency-key': 'a-key-of-both-secrets' };
  const create = (auth: string) =>
    world.as(auth).users.create({ email: 'ada@example.com' }, { headers });
  const other = await limited(project, { scopes: ['sessions:create'] });
  expect((await create(project.basic)).status).toBe(201);
  expectProblem(await create(other), 'insufficient_scope');
  expect((await create(project.basic)).headers.get('idempotency-replayed')).toBe('true');
});

describe('the source address of a secret', () => {
  const proxy = 'a secret that CloudFront alone sends';
  const stats = (auth: string, address?: string) =>
    world.call({
      method: 'GET',
      path: '/stats',
      auth,
      ...(address && {
        headers: { 'x-origin-verify': proxy, 'cloudfront-viewer-address': `${address}:46532` },
      }),
    });
  afterEach(() => {
    vi.stubEnv('TRUSTED_PROXY_SHA256', undefined);
  });

  test('from another address it gets the same response as a wrong secret', async () => {
    const project = await world.newProject();
    const here = await limited(project, { source_cidrs: ['10.0.0.0/8', '127.0.0.0/8'] });
    const elsewhere = await limited(project, { source_cidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    const { secret } = await world.newProject();
    expect((await stats(here)).status).toBe(200);
    const refused = await stats(elsewhere);
    expectProblem(refused, 'unauthenticated');
    expectSame(refused, await stats(world.basic({ ...project, secret })));
  });

  test('behind the operator’s proxy the address of the client counts', async () => {
    vi.stubEnv('TRUSTED_PROXY_SHA256', createHash('sha256').update(proxy).digest('hex'));
    const project = await world.newProject();
    const there = await limited(project, { source_cidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    expect((await stats(there, '203.0.113.7')).status).toBe(200);
    expect((await stats(there, '[2001:db8::7]')).status).toBe(200);
    for (const address of ['203.0.114.7', '[2001:db9::7]', undefined])
      expectProblem(await stats(there, address), 'unauthenticated');
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const forged = { method: 'GET', path: '/stats', auth: there, headers };
    expectProblem(await world.call(forged), 'unauthenticated');
  });

  test('a refused use is not recorded as a use', async () => {
    const project = await world.newProject();
    const elsewhere = await limited(project, { source_cidrs: ['203.0.113.0/24'] });
    await stats(elsewhere);
    expect(await world.table.query(`SECRET_USE#${project.project_id}`)).toEqual([]);
  });
});
