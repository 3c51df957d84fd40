import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import type { Route } from '../../shared/contract/route.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/endpoints.md'), 'utf8');
const byCode = (a: string, b: string) => (a < b ? -1 : 1);

test('docs/reference/endpoints.md names every route with its credentials, and no other', () => {
  const rows = [
    ...page.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE) [^|]*?) \| ([^|]*?) ?\|.*/gm),
  ];
  const listed = rows.flatMap(([, endpoints = '', credentials = '']) =>
    [...endpoints.matchAll(/`(\w+) (\S+)`/g)].map(([, method, path]) => [
      method,
      path,
      credentials,
    ]),
  );
  const methods = new Map(
    routes.map(({ method, path, name, client }: Route) => [
      `\`${method} ${path}\``,
      client === false ? [] : [`\`${name}\``],
    ]),
  );
  const expectedOf = (endpoints = '') => endpoints.split(', ').flatMap((each) => methods.get(each));
  const shown = rows.map(([row, endpoints]) => [endpoints, ...(row.match(/`\w+\.\w+`/g) ?? [])]);
  expect(shown).toEqual(rows.map(([, endpoints]) => [endpoints, ...expectedOf(endpoints)]));
  const names = {
    project: 'Basic',
    access: 'Bearer',
    refresh: 'Bearer (refresh)',
    cookie: 'Cookie',
  } as const;
  const known = routes.map(({ method, path, auth }) => [
    method,
    path,
    auth.map((scheme) => names[scheme]).join(', '),
  ]);
  const sorted = (lines: unknown[][]) => lines.map((line) => line.join(' ')).toSorted(byCode);
  expect(sorted(listed)).toEqual(sorted(known));
});
