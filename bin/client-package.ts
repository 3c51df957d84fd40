/**
 * Builds the client as an npm package: `npm run client`, then `npm pack ./dist/client`. Another folder can be given.
 * Modules for `import` and for `require`, each with its types, one file each as in client/: an application's bundler
 * leaves out what it does not use.
 */
import { execFileSync } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(root, process.argv[2] ?? 'dist/client');

/** The entries: what is imported, and its file in client/. */
const entries = {
  '.': 'index',
  './captcha': 'captcha',
  './cookies': 'cookies',
  './cookie-session': 'cookie-session',
  './factors': 'factors',
  './links': 'links',
  './passkeys': 'passkeys',
  './permissions': 'permissions',
  './providers': 'providers',
  './react': 'react',
  './redirect': 'redirect',
  './server': 'server',
  './testing': 'testing',
};

const compile = (folder: string, ...options: string[]) =>
  execFileSync(
    `${root}node_modules/.bin/tsc`,
    ['-p', 'client', '--outDir', `${target}/${folder}`, ...options],
    { cwd: root, stdio: 'inherit' },
  );

/** Rewrites the built files that match. A path in the pattern could have a bracket. */
async function rewrite(pattern: string, to: (text: string) => string): Promise<void> {
  for await (const name of glob(pattern, { cwd: target })) {
    const file = `${target}/${name}`;
    await writeFile(file, to(await readFile(file, 'utf8')));
  }
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
compile('esm');
const asCommonJs = ['--module', 'commonjs', '--moduleResolution', 'bundler'];
compile('cjs', ...asCommonJs, '--verbatimModuleSyntax', 'false');
// The one library that the client uses, in its one file that imports it: an application installs no second package.
for (const format of ['esm', 'cjs'] as const)
  await build({
    entryPoints: [`${root}client/qr-code.ts`],
    outfile: `${target}/${format}/qr-code.js`,
    bundle: true,
    format,
    target: 'es2022',
    banner: { js: `/*\n${await readFile(`${root}node_modules/uqr/LICENSE`, 'utf8')}*/` },
  });
// Frameworks with server rendering require this directive of stateful modules. It includes everything that the entry
// imports.
await rewrite('*/react.js', (text) => `'use client';\n${text}`);
await writeFile(`${target}/cjs/package.json`, '{"type":"commonjs"}\n');
// The compiler does not rewrite the paths of type imports. Before TypeScript 5.7 typed arrays are not generic.
await rewrite('*/**/*.d.ts', (text) =>
  text
    .replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
    .replaceAll('Uint8Array<ArrayBuffer>', 'Uint8Array'),
);
await cp(`${root}LICENSE`, `${target}/LICENSE`);
await cp(`${root}client/README.md`, `${target}/README.md`);

const { version, license } = manifest;
const built = {
  name: 'identity-workspace-client',
  version,
  description: 'The client of the identity and workspace service.',
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  peerDependencies: { react: '>=18' },
  peerDependenciesMeta: { react: { optional: true } },
  files: ['esm', 'cjs'],
  // For tools that do not know `exports`: old bundlers, and TypeScript with `moduleResolution: node10`.
  main: './cjs/index.js',
  module: './esm/index.js',
  types: './cjs/index.d.ts',
  typesVersions: {
    '*': Object.fromEntries(
      Object.entries(entries)
        .filter(([entry]) => entry !== '.')
        .map(([entry, file]) => [entry.slice(2), [`./cjs/${file}.d.ts`]]),
    ),
  },
  exports: {
    ...Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [
        entry,
        {
          import: { types: `./esm/${file}.d.ts`, default: `./esm/${file}.js` },
          require: { types: `./cjs/${file}.d.ts`, default: `./cjs/${file}.js` },
        },
      ]),
    ),
    './package.json': './package.json',
  },
};
await writeFile(`${target}/package.json`, `${JSON.stringify(built, undefined, 2)}\n`);
