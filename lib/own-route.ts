import { readdir, readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { sourceOf } from '../shared/contract/functions.ts';
import { routePaths } from '../shared/contract/route-paths.ts';

/** A statement in the formatter's layout: from an unindented line to the next one. */
const statements = /^(?![\s})\]])/m;
const constant = /^((?:export )?const \w+) = (?!async\b|\(|function\b|['"`\d])([^]*);\s*$/;

/**
 * Lets esbuild remove unused constants: wraps each in a function marked as pure, because esbuild cannot know that a
 * call or a template tag has no side effects. In the contract and the model, such constants create schemas.
 */
export const withPureConstants = (source: string): string =>
  source
    .split(statements)
    .map((statement) =>
      /\(|String\.raw/.test(statement)
        ? statement.replace(constant, '$1 = /* @__PURE__ */ (() => ($2))();\n')
        : statement,
    )
    .join('');

/** The routes of a group in the formatter's layout. */
const groups = /^(export const \w+ = group\('(\w+)', \{\n)([^]*?)^(\}\);)/gm;
const route = /^ {2}(\w+): \{\n(?: {4,}.*\n|\n)*? {2}\},\n/gm;

/**
 * Keeps one route of its group, and those that other sources name, as the metadata of the OpenID provider does. Throws
 * if the route is missing, or if the group contains anything but routes.
 *
 * @param others sources that may name other routes
 */
export function withRoute(source: string, name: string, others = ''): string {
  const [ofGroup, verb] = name.split('.');
  return source.replaceAll(groups, (whole, open: string, group, routes: string, close: string) => {
    if (group !== ofGroup) return whole;
    const found = [...routes.matchAll(route)];
    const own = found.find(([, each]) => each === verb);
    if (!own || found.map(([text]) => text).join('') !== routes)
      throw new Error(`The routes of ${group} are not written as ${name} expects.`);
    const named = new Set(
      [...others.matchAll(new RegExp(`\\b${group}\\.(\\w+)\\.`, 'g'))].map(([, each]) => each),
    );
    const left = found.filter((each) => each === own || named.has(each[1]));
    return open + left.map(([text]) => text).join('') + close;
  });
}

const contract = new URL('../shared/contract/', import.meta.url);

/** The sources that may name routes: the contract, and the function. Domains only use the contract's types. */
async function namingOf(name: string): Promise<string> {
  const files = (await readdir(contract)).filter((file) => file.endsWith('.ts'));
  const own = new URL(`../${sourceOf(name)}`, import.meta.url);
  const paths = [...files.map((file) => new URL(file, contract)), own];
  return (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
}

/**
 * Removes the schemas of other routes from a function's bundle: creating all schemas of a group takes zod two fifths of
 * an import.
 *
 * @param current the function that is being bundled
 */
export const ownRoute = (current: () => string | undefined): Plugin => ({
  name: "the function's own route",
  setup({ onLoad, onStart }) {
    let all: Promise<string> | undefined;
    onStart(() => {
      all = undefined;
    });
    onLoad({ filter: /\/shared\/contract\/route-paths\.ts$/ }, () => ({
      contents: `export const routePaths = ${JSON.stringify(routePaths)};`,
    }));
    onLoad({ filter: /\/shared\/(?:contract|model)\/[\w-]+\.ts$/ }, async ({ path }) => {
      const name = current() ?? '';
      const [source, others] = await Promise.all([
        readFile(path, 'utf8'),
        (all ??= namingOf(name)),
      ]);
      const contents = withPureConstants(withRoute(source, name, others));
      return { contents, loader: 'ts' };
    });
  },
});
