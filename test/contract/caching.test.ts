import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { cachesOf, type Route } from '#shared/contract/route.ts';
import { hostedPages, shellFile } from '../../lib/hosted-pages.ts';
import { hostedProject } from '../support/hosted-pages.ts';
import { pathOf } from '../support/routes.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id } = await hostedProject(world);
const [asset] = [...(await hostedPages()).files.keys()].filter((file) => file !== shellFile);

/** The parameters with which a route succeeds. */
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
  test('a cache keeps a response for one origin and coding', async () => {
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
