import { readdir, readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { sourceOf } from '../shared/contract/functions.ts';
import { routePaths } from '../shared/contract/route-paths.ts';

/** A statement of a file as the formatter writes it: from a line that is not indented to the next such line. */
const statements = /^(?![\s})\]])/m;
const constant = /^((?:export )?const \w+) = (?!async\b|\(|function\b|['"`\d])([^]*);\s*$/;

/**
 * Lets esbuild leave out the constants that nobody uses: each is made by a function that is marked as pure, because of
 * a call, or of the tag of a template, esbuild cannot know that it changes nothing. Those of the contract and the model
 * make schemas.
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

/** The routes of a group as the formatter writes them. */
const groups = /^(export const \w+ = group\('(\w+)', \{\n)([^]*?)^(\}\);)/gm;
const route = /^ {2}(\w+): \{\n(?: {4,}.*\n|\n)*? {2}\},\n/gm;

/**
 * Leaves one route in its group, and those that other sources name, as the metadata of the OpenID provider does. Throws
 * if it is not found, or if there is anything beside the routes.
 *
 * @param others what may name them
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

/** The sources that may name routes by themselves: the contract, and the function. Domains know its types alone. */
async function namingOf(name: string): Promise<string> {
  const files = (await readdir(contract)).filter((file) => file.endsWith('.ts'));
  const own = new URL(`../${sourceOf(name)}`, import.meta.url);
  const paths = [...files.map((file) => new URL(file, contract)), own];
  return (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
}

/**
 * Leaves the schemas of other routes out of a function's bundle: zod takes two fifths of an import to make all those of
 * a group.
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
