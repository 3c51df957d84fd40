import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { withPureConstants, withRoute } from '../../lib/own-route.ts';
import { routes } from '../../shared/contract/api.ts';

const contract = new URL('../../shared/contract/', import.meta.url);
const fileOf = (name: string) =>
  `${name.split('.')[0]?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
const sourceOf = (name: string) => readFileSync(new URL(fileOf(name), contract), 'utf8');

/** The bundled rest of a source from which nothing is imported. */
const unused = (source: string) =>
  transformSync(source.replaceAll('export ', ''), {
    loader: 'ts',
    format: 'iife',
    treeShaking: true,
  }).code;

test.each(routes)('$name: only this route of its group remains, unchanged', ({ name, path }) => {
  const source = sourceOf(name);
  const own = withRoute(source, name);
  expect(own).toContain(`\n  ${name.split('.')[1]}: {\n`);
  expect(own).toContain(`    path: '${path}',`);
  const others = routes.filter((each) => fileOf(each.name) === fileOf(name) && each.name !== name);
  for (const other of others)
    expect(own).not.toContain(`\n  ${other.name.split('.')[1]}: {\n    method:`);
});

test('another group stays whole, as does every group for a function without a route', () => {
  const source = sourceOf('users.getMe');
  expect(withRoute(source, 'members.add')).toBe(source);
  expect(withRoute(source, 'fallback.notFound')).toBe(source);
});

test('a route that others refer to stays too', () => {
  const others = 'export const paths = { keys: discovery.jwks.path };';
  const own = withRoute(sourceOf('discovery.jwks'), 'discovery.openidConfiguration', others);
  expect(own.match(/^ {2}\w+(?=: \{$)/gm)).toEqual(['  jwks', '  openidConfiguration']);
});

describe('a group in an unknown format fails the build', () => {
  test.each([
    ['a route from elsewhere', '  ...others,\n'],
    ['a route on one line', "  create: { method: 'POST' },\n"],
    ['another route alone', "  create: {\n    method: 'POST',\n  },\n"],
  ])('%s', (_, routesOfGroup) => {
    const source = `export const users = group('users', {\n${routesOfGroup}});\n`;
    expect(() => withRoute(source, 'users.getMe')).toThrow('users.getMe');
  });
});

describe('an unused constant is left out', () => {
  test.each([
    'const a = z.string().regex(/;/);\n',
    'export const a = z\n  .string()\n  .meta({\n    description: `one;\n  two`,\n  });\n',
    'const a = { b: z.string() } as const satisfies object;\n',
    'export const a = z.strictObject({ ...b.shape, c: paged(d) });\nconst b = z.object({});\nconst d = z.int();\n',
  ])('%s', (source) => {
    const imports = "import * as z from 'zod';\nimport { paged } from './x.ts';\n";
    expect(unused(imports + source)).toContain('z.');
    expect(unused(withPureConstants(imports + source))).not.toContain('z.');
  });

  test.each([
    'z.config({});\n',
    'export function make() {\n  return z.string();\n}\nmake();\n',
    "let made = '';\nmade = z.string();\nconsole.log(made);\n",
  ])('a statement that is not a constant stays: %s', (source) => {
    expect(withPureConstants(source)).toBe(source);
  });
});
