import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { cachesOf, isRevalidated, type Route } from '#shared/contract/route.ts';
import { hostedPages, shellFile } from '../../lib/hosted-pages.ts';
import type { Prepare } from '../support/budgets/case.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import type { Call } from '../support/call.ts';
import { hostedProject } from '../support/hosted-pages.ts';
import { pathOf } from '../support/routes.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id } = await hostedProject(world);
const asset = [...(await hostedPages()).files.keys()].find((file) => file !== shellFile);

/** Parameters with which a route succeeds. */
const paramsOf: Partial<Record<string, Record<string, unknown>>> = {
  'projects.get': { project_id },
  'docs.asset': { file: 'errors' },
  'pages.page': { project_id, page: 'sign-in' },
  'pages.asset': { file: asset },
};

const cacheable = routes.filter((route) => !cachesOf(route).includes('no-store'));

/** The hosted pages, whose requests have no Origin, and the page of another one. */
const callers = [{}, { origin: 'https://app.example.com' }];

describe.each(cacheable)('$name', (route: Route) => {
  test('a cache keeps each response for one origin and content coding', async () => {
    for (const headers of callers) {
      const path = pathOf(route, paramsOf[route.name] ?? {});
      const answer = await world.call({ method: route.method, path, headers });
      expect(route.statuses).toContain(answer.status);
      expect(cachesOf(route)).toContain(answer.headers.get('cache-control'));
      expect(answer.headers.get('vary')).toBe(
        route.compressed ? 'accept-encoding, origin' : 'origin',
      );
    }
  });
});

const revalidated = routes.filter(isRevalidated);
const cases = budgetCases(world);

describe.each(revalidated)('$name with If-None-Match', ({ name }) => {
  let resource: Call;
  beforeAll(async () => {
    const [prepare] = Object.values(cases[name]);
    resource = await (prepare as Prepare)();
  });
  const read = (tag?: string) =>
    world.call({ ...resource, ...(tag !== undefined && { headers: { 'if-none-match': tag } }) });

  test('is 304 without a body for the current version', async () => {
    const { headers, body } = await read();
    const etag = headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other",, ${etag}`, '*']) {
      const answer = await read(tag);
      expect([answer.status, answer.body], tag).toEqual([304, '']);
      expect(answer.headers.get('content-type')).toBeNull();
      for (const same of ['etag', 'cache-control', 'vary', 'x-content-type-options'])
        expect(answer.headers.get(same), same).toBe(headers.get(same));
    }
    for (const tag of ['"other"', etag.slice(1, -1), `"${etag}`, ''])
      expect(await read(tag), tag).toMatchObject({ status: 200, body });
  });

  test('is refused to a stranger as without the header', async () => {
    const { basic } = await world.newProject();
    const asked = { ...resource, auth: undefined, headers: { 'if-none-match': '*' } };
    expect((await world.call(asked)).status).toBe(401);
    if (name !== 'users.getMe')
      expect([403, 404]).toContain((await world.call({ ...asked, auth: basic })).status);
  });
});

test('a user that GET creates is a 201, and a 304 from then on', async () => {
  const { basic } = await world.newProject({ create_users_on_get: true });
  const path = `/users/${randomUUID()}`;
  const headers = { 'if-none-match': '*' };
  const ask = () => world.call('GET', path, basic, undefined, { headers });
  const [made, again] = [await ask(), await ask()];
  expect([made.status, again.status]).toEqual([201, 304]);
});
