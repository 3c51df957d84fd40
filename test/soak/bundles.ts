import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { settings } from '../../lib/bundle.ts';
import { functionNames } from '../../lib/functions.ts';
import { sourceOf } from '../../shared/contract/functions.ts';
import { type Planted, plant } from './plant.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles every function with the settings of the deployed bundles into `<folder>/<name>/index.mjs`. One build with
 * shared chunks takes a second instead of a minute. The working tree is not changed.
 */
export async function bundleTogether(
  folder: string,
  planted: readonly Planted[] = [],
): Promise<void> {
  const entries = functionNames
    .filter((name) => !/^(?:docs|pages)\./.test(name))
    .map((name) => [`${name}/index`, sourceOf(name)]);
  await build({
    ...settings,
    entryPoints: Object.fromEntries(entries),
    outdir: folder,
    // Readable stack traces in the log of a failure.
    minify: false,
    plugins: [...settings.plugins, planting(planted)],
  });
}

function planting(planted: readonly Planted[]): Plugin {
  const byPath = Map.groupBy(planted, ({ file }) => join(root, file));
  return {
    name: 'planted',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const here = byPath.get(path);
        if (!here) return undefined;
        return { contents: here.reduce(plant, await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
}
