import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { scopesReference } from '../../bin/reference/scopes-reference.ts';

const file = new URL('../../docs/reference/scopes.md', import.meta.url);

test('docs/reference/scopes.md names every endpoint for backends once, with its scope', async () => {
  const text = await readFile(file, 'utf8');
  expect(text, 'run: npm run openapi').toBe(scopesReference());
  const rows = [...text.matchAll(/^\| `[a-z_]+:[a-z]+` \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, endpoints = '']) => endpoints.split(', ')).sort();
  const ofBackends = routes.filter(({ auth }) => auth.includes('project'));
  expect(listed).toEqual(ofBackends.map(({ method, path }) => `\`${method} ${path}\``).sort());
});
