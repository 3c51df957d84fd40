import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const contents = `
  const none = () => { throw new Error('Bundles have no JSON Schema.'); };
  exports.createToJSONSchemaMethod = exports.createStandardJSONSchemaMethod = () => none;
`;

/** The body of zod's method `meta` with an argument: it copies the schema and registers the copy with a description. */
const described =
  /const cl = this\.clone\(\);\s+core\.globalRegistry\.add\(cl, args\[0\]\);\s+return cl;/;

/**
 * Removes zod's JSON Schema support from bundles. Every cold start would read its 17 KB, and create a third of all
 * schemas twice for their descriptions. Only bin/openapi.ts and tests use either. zod's methods for JSON Schema still
 * exist, and throw.
 */
export const withoutJsonSchema: Plugin = {
  name: 'zod without JSON Schema',
  setup({ onLoad }) {
    const filter = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
    onLoad({ filter }, () => ({ contents, loader: 'js' }));
    onLoad({ filter: /\/zod\/v4\/classic\/schemas\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!described.test(source)) throw new Error(`${path} has another method meta.`);
      return { contents: source.replace(described, 'return this;'), loader: 'js' };
    });
  },
};
