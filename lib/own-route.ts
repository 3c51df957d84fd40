import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A statement of a file as the formatter writes it: from a line that is not indented to the next such line. */
const statements = /^(?![\s})\]])/m;
const constant = /^((?:export )?const \w+) = (?!async\b|\(|function\b|['"`\d])([^]*);\s*$/;

/**
 * Lets esbuild leave out the constants that nobody uses: each is made by a function that is marked as pure, because of a
 * call esbuild cannot know that it changes nothing. Those of the contract and the model make schemas.
 */
export const withPureConstants = (source: string): string =>
  source
    .split(statements)
    .map((statement) =>
      statement.includes('(')
        ? statement.replace(constant, '$1 = /* @__PURE__ */ (() => ($2))();\n')
        : statement,
    )
    .join('');

/** The routes of a group as the formatter writes them. */
const groups = /^(export const \w+ = group\('(\w+)', \{\n)([^]*?)^(\}\);)/gm;
const route = /^ {2}(\w+): \{\n(?: {4,}.*\n|\n)*? {2}\},\n/gm;

/** Leaves one route in its group. Throws if it is not found, or if there is anything beside the routes. */
export function withRoute(source: string, name: string): string {
  const [ofGroup, verb] = name.split('.');
  return source.replaceAll(groups, (whole, open: string, group, routes: string, close: string) => {
    if (group !== ofGroup) return whole;
    const found = [...routes.matchAll(route)];
    const own = found.find(([, each]) => each === verb);
    if (!own || found.map(([text]) => text).join('') !== routes)
      throw new Error(`The routes of ${group} are not written as ${name} expects.`);
    return open + own[0] + close;
  });
}

/**
 * Leaves the schemas of other routes out of a function's bundle: zod takes two fifths of an import to make all those of a
 * group.
 *
 * @param current the function that is being bundled
 */
export const ownRoute = (current: () => string | undefined): Plugin => ({
  name: "the function's own route",
  setup({ onLoad }) {
    onLoad({ filter: /\/shared\/(?:contract|model)\/[\w-]+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = withPureConstants(withRoute(source, current() ?? ''));
      return { contents, loader: 'ts' };
    });
  },
});
