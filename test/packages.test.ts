import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
type Manifest = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
> & { overrides: Record<string, Record<string, string>> };
const manifest = JSON.parse(read('package.json')) as Manifest;

/** The packages that this project must use: where each belongs, and the call that shows its use. */
const required = [
  ['dependencies', '@middy/core', 'shared/', /\bmiddy\(/],
  ['dependencies', '@middy/http-json-body-parser', 'shared/', /\bhttpJsonBodyParser\(/],
  ['dependencies', '@aws-sdk/client-dynamodb', 'shared/', /new DynamoDBClient\(/],
  ['dependencies', '@aws-sdk/lib-dynamodb', 'shared/', /DynamoDBDocumentClient\.from\(/],
  ['dependencies', 'zod', 'shared/contract/', /\bz\.strictObject\(/],
  ['dependencies', 'jose', 'shared/', /\bjwtVerify\(/],
  ['devDependencies', 'dynamodb-local', 'local/', /\blaunch\(/],
  ['devDependencies', 'esbuild', 'lib/', /\b(?:build|context)\(/],
  ['devDependencies', 'aws-cdk-lib', 'lib/', /extends Stack\b/],
  ['devDependencies', 'constructs', 'lib/', /extends Construct\b/],
  ['devDependencies', 'vitest', 'test/', /\bexpect\(/],
] as const;

const sources = globSync('{lib,local,shared,test}/**/*.ts', { cwd: root });
/** Whether a source imports a value from the package; types do not count. */
const imports = (source: string, name: string) =>
  new RegExp(`^import (?!type )[^;]*? from '${name}';`, 'm').test(source);

describe.each(required)('%s: %s', (kind, name, folder, call) => {
  test('is declared', () => {
    expect(manifest[kind]).toHaveProperty([name]);
  });

  test(`is imported and used in ${folder}`, () => {
    const users = sources
      .filter((path) => path.startsWith(folder))
      .map(read)
      .filter((source) => imports(source, name) && call.test(source));
    expect(users).not.toEqual([]);
  });
});

test('every package is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("Scalar's browser build contains its dependencies, so none of them is installed", () => {
  const scalar = JSON.parse(read('node_modules/@scalar/api-reference/package.json')) as Manifest;
  const replaced = manifest.overrides['@scalar/api-reference'] ?? {};
  expect(Object.keys(replaced)).toEqual(Object.keys(scalar.dependencies));
  expect(new Set(Object.values(replaced))).toEqual(new Set(['npm:empty-npm-package@1.0.0']));
});
