/** @module-tag proof */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test, vi } from 'vitest';
import { deciding } from '../../lib/bundle.ts';
import { hostedPages } from '../../lib/hosted-pages.ts';
import { newFolder } from '../support/folder.ts';

const root = newFolder();
beforeAll(() => vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache')));

let made = 0;
/** Bundles two sources as a separate process, from the cache's view; with the number of actual bundlings. */
async function bundle(to: string, given: { name?: string; settings?: string } = {}) {
  vi.resetModules();
  const { bundledOnce } = await import('../../lib/bundle-cache.ts');
  const { name = 'users.create', settings = 'minified' } = given;
  const result = await bundledOnce({ root, name, settings }, join(root, to), async (folder) => {
    made += 1;
    const inputs = ['a.ts', 'b.ts'];
    const sources = await Promise.all(inputs.map((file) => readFile(join(root, file), 'utf8')));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.mjs'), sources.join());
    return { inputs, result: { bytes: sources.join().length } };
  });
  return { result, code: await readFile(join(root, to, 'index.mjs'), 'utf8'), made };
}

test('the same bytes are bundled once, and again when a source, the function or the settings change', async () => {
  await writeFile(join(root, 'a.ts'), 'a');
  await writeFile(join(root, 'b.ts'), 'b');
  const first = { result: { bytes: 3 }, code: 'a,b' };
  expect(await bundle('1')).toEqual({ ...first, made: 1 });
  expect(await bundle('2')).toEqual({ ...first, made: 1 });
  await writeFile(join(root, 'b.ts'), 'changed');
  expect(await bundle('3')).toEqual({ result: { bytes: 9 }, code: 'a,changed', made: 2 });
  await writeFile(join(root, 'b.ts'), 'b');
  expect(await bundle('4')).toEqual({ ...first, made: 2 });
  expect(await bundle('5', { name: 'users.get' })).toEqual({ ...first, made: 3 });
  expect(await bundle('6', { settings: 'readable' })).toEqual({ ...first, made: 4 });
});

/** Files of `lib/` that bundle.ts imports and that change no byte of a bundle. */
const others = [
  // Decides when a bundle is rebuilt.
  'lib/bundle-cache.ts',
  // The names of the functions, and their permissions.
  /^lib\/(?:grant|domain|functions|domains\/.+)\.ts$/,
  // Sources of the hosted pages, which those files list themselves.
  'lib/hosted-pages.ts',
  'lib/trim-css.ts',
];

test('each part of the bundler is an input of the cache key', async () => {
  const { metafile } = await build({
    entryPoints: ['lib/bundle.ts'],
    ...{ bundle: true, write: false, metafile: true, packages: 'external' },
    ...{ platform: 'node', format: 'esm', logLevel: 'error' },
  });
  const parts = Object.keys(metafile.inputs).filter((file) => file.startsWith('lib/'));
  expect(parts).toContain('lib/static-files.ts');
  const undecided = parts.filter(
    (file) =>
      !others.some((other) => (typeof other === 'string' ? other === file : other.test(file))),
  );
  // Replaces the SDK's own module, so nothing imports it.
  undecided.push('lib/environment-credentials.ts');
  expect(deciding.filter((file) => file.startsWith('lib/')).sort()).toEqual(undecided.sort());
  expect(deciding).toEqual(
    expect.arrayContaining(['package-lock.json', 'tsconfig.json', 'shared/docs/compress.ts']),
  );
});

test('the sources of the hosted pages are inputs of their bundles', async () => {
  expect((await hostedPages()).inputs).toEqual(
    expect.arrayContaining([
      'pages/main.tsx',
      'pages/tsconfig.json',
      'lib/hosted-pages.ts',
      'lib/trim-css.ts',
    ]),
  );
});

test('the newest three bundles of a function are kept', async () => {
  const name = 'users.search';
  for (const settings of ['1', '2', '3', '4']) await bundle(`kept-${settings}`, { name, settings });
  expect(await readdir(join(root, 'cache/identity-workspace-service/bundles', name))).toHaveLength(
    3,
  );
});

test('two concurrent processes both get their bundle', async () => {
  await writeFile(join(root, 'a.ts'), 'at once');
  const both = await Promise.all([bundle('7'), bundle('8')]);
  for (const { code } of both) expect(code).toBe('at once,b');
});

test('a bundle that another process removes during the copy is built again, without the partial copy', async () => {
  const name = 'users.delete';
  const before = await bundle('9', { name });
  const shelf = join(root, 'cache/identity-workspace-service/bundles', name);
  const [key = ''] = await readdir(shelf);
  await rm(join(shelf, key, 'files'), { recursive: true });
  await mkdir(join(root, '10'));
  await writeFile(join(root, '10/copied.mjs'), '');
  expect(await bundle('10', { name })).toEqual({ ...before, made: before.made + 1 });
  expect(await readdir(join(root, '10'))).toEqual(['index.mjs']);
});
