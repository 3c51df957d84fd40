import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Imports of the SDK that only its own transport needs, and their replacements beside our transport. */
const replaced = [
  {
    importer: /\/lib-dynamodb\/dist-es\/DynamoDBDocumentClient\.js$/,
    path: '@aws-sdk/client-dynamodb',
    // Only for a client of another version, whose middlewares have other names.
    contents: `export class DynamoDBClient {
      constructor() { throw new Error('Bundles have no second DynamoDBClient.'); }
    }`,
  },
  {
    importer: /\/lib-dynamodb\/dist-es\/baseCommand\/\w+\.js$/,
    path: '@aws-sdk/core/client',
    // Only for the user agent, which is not sent.
    contents: 'export const setFeature = () => {};',
  },
  {
    importer: /\/client-dynamodb\/dist-es\/commandBuilder\.js$/,
    path: '@smithy/core/endpoints',
    // Every command would resolve the table's endpoint. Our transport knows it, and the SDK's client resolves it once.
    contents: 'export const getEndpointPlugin = () => ({ applyToStack() {} });',
  },
  {
    importer: /\/smithy-client\/command\.js$/,
    path: '@smithy/core/schema',
    // Searches the schema of each command for an event stream. No operation that we call has one.
    contents: `export const NormalizedSchema = {
      of: () => ({ getEventStreamMember() {} }),
    };`,
  },
  {
    importer: /\/smithy-client\/command\.js$/,
    path: './schemaLogFilter',
    // Only for the SDK's logger, which is not used. The replacement reveals nothing.
    contents: "export const schemaLogFilter = () => '***SensitiveInformation***';",
  },
];

const schemasFile = /\/client-dynamodb\/dist-es\/schemas\/schemas_0\.js$/;
const exceptionsFile = /\/client-dynamodb\/dist-es\/models\/errors\.js$/;

/**
 * The exceptions that our code tests with `instanceof`. Both copies of the SDK throw the same class.
 * test/lib/bundle-sdk.test.ts compares it with the imports.
 */
export const usedExceptions = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** Removes the used exceptions from the module of all exceptions. */
function withoutUsedExceptions(source: string): string {
  const classes = source.split(/^(?=export class )/m);
  const left = classes.filter(
    (text) => !usedExceptions.some((name) => text.startsWith(`export class ${name} `)),
  );
  if (left.length + usedExceptions.length !== classes.length)
    throw new Error('The SDK writes its exceptions differently.');
  return left.join('');
}

/**
 * Removes from cold starts the two thirds of the SDK that our transport replaces. The SDK's own transport, loaded on
 * demand, has its own copy of the SDK. With a shared copy, every cold start would read everything that the SDK's
 * transport needs, because esbuild does not split a module index between two files.
 */
export function sdkApart(settings: BuildOptions & { plugins: Plugin[] }): Plugin {
  /** Bundled once for all functions, by path. */
  const apart = new Map<string, Promise<string>>();
  return {
    name: 'SDK apart',
    setup({ onResolve, onLoad }) {
      for (const [i, { importer, path }] of replaced.entries())
        onResolve({ filter: new RegExp(`^${path}$`) }, (imported) =>
          importer.test(imported.importer) ? { path: String(i), namespace: 'replaced' } : undefined,
        );
      onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({
        contents: replaced[Number(path)]?.contents ?? '',
      }));
      onLoad({ filter: schemasFile }, async ({ path }) => ({
        contents: withoutSchemas(await readFile(path, 'utf8')),
      }));
      onLoad(
        { filter: /\/shared\/(?:db\/transport|access)\/sdk-[\w-]+\.ts$/ },
        async ({ path }) => {
          const bundled = apart.get(path) ?? bundleApart(path, settings);
          apart.set(path, bundled);
          return { contents: await bundled, loader: 'js', resolveDir: dirname(path) };
        },
      );
    },
  };
}

/**
 * Replaces the operations' schemas in commands by their names: our transport needs no schemas, and sdk-client.ts
 * restores them for the SDK.
 */
const withoutSchemas = (source: string) =>
  `export let ${Array.from(source.matchAll(/^export (?:const|var) ([\w$]+) =/gm), ([, name]) => name).join()};`;

/** Bundles a file and its part of the SDK into one module, which imports only the shared exceptions. */
async function bundleApart(
  entry: string,
  settings: BuildOptions & { plugins: Plugin[] },
): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: [entry],
    splitting: false,
    write: false,
    plugins: [...settings.plugins, sharedExceptions],
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  const hasTable = files.some((file) => file.includes('/client-dynamodb/'));
  if (hasTable && !files.some((file) => exceptionsFile.test(`/${file}`)))
    throw new Error('The SDK has its exceptions elsewhere.');
  return outputFiles[0]?.text ?? '';
}

const sharedExceptions: Plugin = {
  name: 'shared exceptions outside',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: exceptionsFile }, async ({ path }) => {
      const others = withoutUsedExceptions(await readFile(path, 'utf8'));
      return { contents: `${others}\nexport { ${usedExceptions.join()} } from 'outside:${path}';` };
    });
    onResolve({ filter: /^outside:/ }, ({ path }) => ({
      path: path.slice('outside:'.length),
      external: true,
    }));
  },
};
