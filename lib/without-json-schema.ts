import type { Plugin } from 'esbuild';

const contents = `
  const none = () => { throw new Error('Bundles have no JSON Schema.'); };
  exports.createToJSONSchemaMethod = exports.createStandardJSONSchemaMethod = () => none;
`;

/**
 * Leaves zod's JSON Schema out of bundles: 17 KB that every cold start would read, and that only bin/openapi.ts and tests
 * use. zod's methods still exist, and throw.
 */
export const withoutJsonSchema: Plugin = {
  name: 'zod without JSON Schema',
  setup({ onLoad }) {
    const filter = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
    onLoad({ filter }, () => ({ contents, loader: 'js' }));
  },
};
