import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FunctionName, sourceOf } from '../shared/contract/functions.ts';
import type { Handler, Loader } from './aws/lambda.ts';

const root = resolve(import.meta.dirname, '..');

/** Loads a function from its source. */
export const fromSource: Loader = (name) => load(join(root, sourceOf(name)));

/** Loads a function from the bundle that would be deployed. */
export function fromBundles(folder: string): Loader {
  return (name) => load(resolve(root, folder, name, 'index.mjs'));
}

/**
 * Bundles a function on first use into its own subfolder, by default of `dist/`, and loads it from there: bundling all
 * functions at once takes half a minute. Processes may share the folder, but not a function.
 */
export async function bundling(folder = join(root, 'dist')): Promise<Loader> {
  const { bundleFunction } = await import('../lib/bundle.ts');
  const loadBundle = fromBundles(folder);
  const bundled = new Map<FunctionName, Promise<unknown>>();
  const bundle = async (name: FunctionName) => {
    await rm(join(folder, name), { recursive: true, force: true });
    await bundleFunction(name, join(folder, name));
  };
  return async (name) => {
    const made = bundled.get(name) ?? bundle(name);
    bundled.set(name, made);
    await made;
    return loadBundle(name);
  };
}

async function load(file: string): Promise<Handler> {
  const module = (await import(pathToFileURL(file).href)) as { handler?: unknown };
  if (typeof module.handler !== 'function') throw new Error(`${file} exports no handler.`);
  return module.handler as Handler;
}
