import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BuildContext,
  type BuildOptions,
  type BuildResult,
  context,
  version as esbuildVersion,
  type Metafile,
  type Plugin,
} from 'esbuild';
import { type FunctionName, sourceOf } from '../shared/contract/functions.ts';
import { routePaths } from '../shared/contract/route-paths.ts';
import { builtins } from './bundle-builtins.ts';
import { type Bundled, bundledOnce } from './bundle-cache.ts';
import { sdkApart } from './bundle-sdk.ts';
import { functionNames } from './functions.ts';
import { ownRoute } from './own-route.ts';
import { copiedFiles, writeMadeFiles } from './static-files.ts';
import { withoutJsonSchema } from './without-json-schema.ts';

/** Bytes of one bundle. */
export type BundleSize = {
  /** Bytes that Node reads before the first request: the entry and all its static imports. */
  coldStart: number;
  /** Everything in the folder, including dynamic imports. */
  total: number;
};
export type BundleSizes = Record<FunctionName, BundleSize>;

const root = fileURLToPath(new URL('..', import.meta.url));

// esbuild is a Go process, and by default collects garbage a third of its time. With 370 MB instead of 190 MB it takes
// 15 s of processor time for all functions instead of 20 s. It starts with the first build and inherits this.
process.env['GOGC'] ??= '400';

/**
 * Bundles every function into `<outdir>/<name>/index.mjs`. A folder contains only what its function needs, so a change
 * redeploys only the affected functions. Dynamic imports become separate files, read on first use. Equal sources give
 * equal bytes.
 */
export async function bundleFunctions(outdir = 'dist'): Promise<BundleSizes> {
  await rm(resolve(root, outdir), { recursive: true, force: true });
  await using bundler = new Bundler();
  const sizes = await Promise.all(
    functionNames.map(async (name) => [
      name,
      await bundleFunction(name, resolve(root, outdir, name), bundler),
    ]),
  );
  return Object.fromEntries(sizes);
}

/** The esbuild settings of everything that is bundled. */
const common = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  splitting: true,
  platform: 'node',
  target: 'node24',
  // ES modules can be tree-shaken; `main` first would double the size.
  mainFields: ['module', 'main'],
  // 38 KB less to read and compile at a cold start and 130 KB less in all, measured on users.create.
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'lib/environment-credentials.ts'),
  },
  plugins: [builtins, withoutJsonSchema],
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
} satisfies BuildOptions;

/** The esbuild settings of all bundles. */
export const settings = {
  ...common,
  plugins: [...common.plugins, sdkApart(common)],
} satisfies BuildOptions;

/** The files beside the sources of a function that determine its bundle. */
export const deciding = [
  // esbuild compiles TypeScript as tsconfig.json says.
  ...['package.json', 'package-lock.json', 'tsconfig.json'],
  ...[
    'bundle',
    'bundle-builtins',
    'bundle-sdk',
    'environment-credentials',
    'own-route',
    'static-files',
    'without-json-schema',
  ].map((file) => `lib/${file}.ts`),
  // Its compressed files lie beside the bundle.
  'shared/docs/compress.ts',
];

/** One hash for all functions, computed once: the lock file has half a megabyte. */
let decidingHash: Promise<string> | undefined;

async function hashOfDeciding(): Promise<string> {
  // The packages' own manifests are pinned by the lock file.
  const contents = await Promise.all(deciding.map((file) => readFile(join(root, file), 'utf8')));
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex');
}

/** Bundles one function into a folder, or copies an earlier bundle of the same sources. */
export async function bundleFunction(
  name: FunctionName,
  folder: string,
  bundler?: Bundler,
): Promise<BundleSize> {
  const decided = JSON.stringify([
    esbuildVersion,
    await (decidingHash ??= hashOfDeciding()),
    name === 'fallback.notFound' && routePaths,
  ]);
  return bundledOnce({ root, name, settings: decided }, folder, (into) =>
    bundler ? bundler.build(name, into) : buildFunction(name, into),
  );
}

/** Builds one function into a folder. */
export async function buildFunction(
  name: FunctionName,
  folder: string,
): Promise<Bundled<BundleSize>> {
  await using bundler = new Bundler();
  return bundler.build(name, folder);
}

const entry = 'entry-of-the-function';

/**
 * Builds functions one after another in one esbuild context, which parses each file once. Each build has one function
 * as its entry, so the functions share work but no output: the bytes equal those of a separate build.
 */
export class Bundler {
  private current: FunctionName | undefined;
  private context: Promise<BuildContext<typeof options>> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Builds a function into a folder. */
  async build(name: FunctionName, folder: string): Promise<Bundled<BundleSize>> {
    await mkdir(folder, { recursive: true });
    const files = Object.entries(copiedFiles[name] ?? {});
    const [{ metafile, outputFiles }, copied, made] = await Promise.all([
      this.inTurn(name),
      Promise.all(files.map(([as, file]) => copyTo(join(folder, as), file))),
      writeMadeFiles(name, folder),
    ]);
    await Promise.all(
      outputFiles.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)),
    );
    // Lambda reads them as another user, and the CDK's archive keeps their modes: under a umask such as 077 no function
    // would start. The archive's name does not depend on modes, so a later deployment would not replace it either.
    for (const file of await readdir(folder)) await chmod(join(folder, file), 0o644);
    return {
      inputs: [
        ...Object.keys(metafile.inputs),
        ...files.map(([, file]) => relative(root, file)),
        ...made.inputs,
      ],
      result: measure(metafile, [...copied, made.bytes]),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.context)?.dispose();
  }

  /** Builds a function after the builds before it: esbuild uses all cores for one. */
  private inTurn(name: FunctionName): Promise<BuildResult<typeof options>> {
    const built = this.last.then(async () => {
      this.current = name;
      this.context ??= context({
        ...options,
        plugins: [...options.plugins, ownRoute(() => this.current), this.entryPlugin()],
      });
      return (await this.context).rebuild();
    });
    this.last = built.catch(() => {});
    return built;
  }

  /** Resolves the context's only entry to the function being built. */
  private entryPlugin(): Plugin {
    return {
      name: 'entry',
      setup: ({ onResolve }) => {
        onResolve({ filter: new RegExp(`^${entry}$`) }, () => ({
          path: join(root, sourceOf(this.current as FunctionName)),
        }));
      },
    };
  }
}

const options = {
  ...settings,
  entryPoints: { index: entry },
  // Nothing is written there; the files of a build go to the folder of its function.
  outdir: 'dist',
  write: false,
  metafile: true,
} satisfies BuildOptions;

/** Copies a file and returns its bytes. */
async function copyTo(target: string, file: string): Promise<number> {
  await copyFile(file, target);
  return (await stat(file)).size;
}

function measure({ outputs }: Metafile, copied: readonly number[]): BundleSize {
  const index = Object.keys(outputs).find((path) => basename(path) === 'index.mjs') ?? '';
  const bytes = (paths: Iterable<string>) =>
    Array.from(paths, (path) => outputs[path]?.bytes ?? 0).reduce((sum, one) => sum + one, 0);
  const loaded = new Set([index]);
  // The set grows during the iteration; each file is visited once.
  for (const path of loaded)
    for (const { kind, path: imported, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(imported);
  return {
    coldStart: bytes(loaded),
    total: bytes(Object.keys(outputs)) + copied.reduce((sum, one) => sum + one, 0),
  };
}
