import { dirname } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Imports of the SDK that only its own transport needs, and what stands in for them beside ours. */
const replaced = [
  {
    importer: /\/lib-dynamodb\/dist-es\/DynamoDBDocumentClient\.js$/,
    path: '@aws-sdk/client-dynamodb',
    // For a client of another version, whose middlewares have other names.
    contents: `export class DynamoDBClient {
      constructor() { throw new Error('Bundles have no second DynamoDBClient.'); }
    }`,
  },
  {
    importer: /\/lib-dynamodb\/dist-es\/baseCommand\/\w+\.js$/,
    path: '@aws-sdk/core/client',
    // For the user agent, which is not sent.
    contents: 'export const setFeature = () => {};',
  },
  {
    importer: /\/client-dynamodb\/dist-es\/commandBuilder\.js$/,
    path: '@smithy/core/endpoints',
    // Every command would find out where the table is. Our transport knows, and the SDK's client does it once.
    contents: 'export const getEndpointPlugin = () => ({ applyToStack() {} });',
  },
  {
    importer: /\/smithy-client\/command\.js$/,
    path: '@smithy/core/schema',
    // Looks through the schema of each command for a stream of events. No operation that we call has one.
    contents: `export const NormalizedSchema = {
      of: () => ({ getEventStreamMember() {} }),
    };`,
  },
  {
    importer: /\/smithy-client\/command\.js$/,
    path: './schemaLogFilter',
    // For the SDK's logger, which is not used. It would show nothing.
    contents: "export const schemaLogFilter = () => '***SensitiveInformation***';",
  },
];

/** Shared by both copies of the SDK, so that an exception is the same class whichever of them throws it. */
const shared = /\/client-dynamodb\/dist-es\/(?:models|schemas)\//;

/**
 * Leaves what our transport replaces out of a cold start: two thirds of the SDK. The SDK's own transport, which is
 * loaded when it is needed, gets a copy of the SDK of its own. With one copy its needs would decide what every cold start
 * reads, because esbuild divides no index of modules between two files.
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

/** Bundles a file and its part of the SDK into one module, which imports only the shared files. */
async function bundleApart(
  entry: string,
  settings: BuildOptions & { plugins: Plugin[] },
): Promise<string> {
  const { outputFiles } = await build({
    ...settings,
    entryPoints: [entry],
    splitting: false,
    write: false,
    plugins: [...settings.plugins, sharedOutside],
  });
  return outputFiles[0]?.text ?? '';
}

const sharedOutside: Plugin = {
  name: 'shared files outside',
  setup({ onResolve, onLoad, resolve }) {
    // All imports of these files are relative, from files beside them.
    onResolve({ filter: /^\..*\/(?:models|schemas)\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === sharedOutside) return undefined;
      const found = await resolve(path, { ...from, pluginData: sharedOutside });
      if (!shared.test(found.path)) return found;
      // The index exports all that they have, of which the transport imports nothing.
      if (from.importer.endsWith('/index.js')) return { path, namespace: 'empty' };
      return { path: found.path, external: true };
    });
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
  },
};
