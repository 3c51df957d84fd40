import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * The permitted imports between folders of shared/, by the README's table: a folder may import those of its own row and
 * of the rows above it.
 */
const root = join(import.meta.dirname, '..');

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, table = ''] = /\| Folder of `shared\/` \|.*\n.*\n((?:\|.*\n)+)/.exec(readme) ?? [];
/** The folders of each row, the lowest first. */
const rows = table
  .trim()
  .split('\n')
  .map((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  );
const rowOf = (folder: string): number => rows.findIndex((row) => row.includes(folder));

type Import = { file: string; folder: string; source: string; typeOnly: boolean };
const statement = /^(import|export) (type )?[^;']*? ?from '([^']+)'|\bimport\('([^']+)'\)/gm;
const imports: Import[] = globSync('shared/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(statement)].map(
    ([whole, , type, source = '', dynamic = '']) => ({
      file,
      folder: file.split('/')[1] ?? '',
      source: source || dynamic,
      typeOnly: type !== undefined || /^\w+ \{(?:\s*type \w+,?)+\s*\} from/.test(whole),
    }),
  ),
);

/** The imports of other files here, with the path of what they import. */
const inner = imports
  .filter(({ source }) => source.startsWith('.') || source.startsWith('#'))
  .map((each) => ({
    ...each,
    target: each.source.startsWith('.')
      ? normalize(join(dirname(each.file), each.source))
      : each.source.slice(1),
  }));
const toText = ({ file, target }: { file: string; target: string }) => `${file} -> ${target}`;

/** Permitted imports in the other direction, each with its reason. */
const upward = [
  // The one middleware of callers. What authenticates by an API key is loaded with the first one.
  'shared/http/middleware/authentication.ts -> shared/api-keys/authenticate-key.ts',
];

/** The permitted importers of restricted packages. */
const packages: Record<string, readonly string[]> = {
  '@aws-sdk': ['access', 'db', 'events', 'mail', 'operator', 'webhooks'],
  '@middy': ['http'],
  '@simplewebauthn': ['passkeys'],
  jose: ['identity', 'operator', 'providers'],
  'openid-client': ['providers'],
  zod: ['access', 'contract', 'http', 'mail', 'model', 'oauth', 'operator'],
};

describe('a folder of shared/', () => {
  test('is in the table of the README, once', () => {
    expect(rows.flat().sort()).toEqual(readdirSync(join(root, 'shared')).sort());
  });

  test('imports only folders of its own row or above', () => {
    const found = inner
      .filter(({ target }) => target.startsWith('shared/'))
      .filter(({ folder, target }) => rowOf(target.split('/')[1] ?? '') > rowOf(folder));
    expect([...new Set(found.map(toText))].sort()).toEqual(upward);
  });

  test('imports no other folder of the project', () => {
    const found = inner.filter(({ target }) => !target.startsWith('shared/'));
    expect(found.map(toText)).toEqual([]);
  });

  test('imports only types of the contract, except the code that reads requests', () => {
    const found = inner.filter(
      ({ folder, target, typeOnly }) =>
        target.startsWith('shared/contract/') &&
        !typeOnly &&
        !['contract', 'http'].includes(folder),
    );
    expect(found.map(toText)).toEqual([
      'shared/operator/request.ts -> shared/contract/reserved-ids.ts',
    ]);
  });

  test.each(Object.entries(packages))('only its own folders import %s', (name, folders) => {
    const found = imports.filter(
      ({ source, typeOnly }) => !typeOnly && (source === name || source.startsWith(`${name}/`)),
    );
    expect([...new Set(found.map(({ folder }) => folder))].sort()).toEqual(folders);
  });
});
