import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { endpointsReference } from '../../bin/reference/endpoints-reference.ts';

const file = new URL('../../docs/reference/endpoints.md', import.meta.url);

test('docs/reference/endpoints.md names every route with its credentials, and no other', async () => {
  const text = await readFile(file, 'utf8');
  expect(text, 'run: npm run openapi').toBe(endpointsReference());
  const rows = [...text.matchAll(/^\| `(\w+ \S+)` \| ([^|]*?) ?\| (?:`([\w.]+)` )?\|/gm)];
  const names = {
    project: 'Basic',
    access: 'Bearer',
    refresh: 'Bearer (refresh)',
    cookie: 'Cookie',
  } as const;
  expect(rows.map(([, ...cells]) => cells)).toEqual(
    routes.map((route) => [
      `${route.method} ${route.path}`,
      route.auth.map((scheme) => names[scheme]).join(', '),
      'client' in route ? undefined : route.name,
    ]),
  );
});
