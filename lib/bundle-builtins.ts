import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Reads Node's own modules in bundles by `process.getBuiltinModule`, and of them only the exports that are used. An
 * `import` reads every export, and for `node:http` that loads a WebSocket client: 20 ms of a cold start. The lines are
 * repeated for each importer: shared lines would become separate chunks, each of which takes half a millisecond to
 * load.
 */
export const builtins: Plugin = {
  name: 'builtins by getBuiltinModule',
  setup({ initialOptions: { absWorkingDir = '' }, onResolve, onLoad }) {
    const fileOf = (importer: string) => relative(absWorkingDir, importer);
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path)) return undefined;
      if (kind === 'require-call') return { path, namespace: 'builtin-required' };
      return kind === 'import-statement'
        ? { path, namespace: 'builtin', suffix: `?${fileOf(importer)}`, sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ contents: exportsOf(path) }));
    onLoad({ filter: /./, namespace: 'builtin-required' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/**
 * Properties of `process` that depend on how it was started, such as by a parent. The bytes of a bundle must not depend
 * on them.
 */
const ofThisStart = /^(?:_\w+|channel|connected|disconnect|emit|mainModule|send)$/;

/** An ES module with the exports of a builtin, each of which esbuild can leave out. */
function exportsOf(path: string): string {
  const isProcess = /^(?:node:)?process$/.test(path);
  const names = Object.keys(process.getBuiltinModule(path) ?? {})
    .filter((name) => name !== 'default' && !(isProcess && ofThisStart.test(name)))
    .toSorted();
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule('${path}');`,
    'const read = (name) => builtin[name];',
    'export default builtin;',
    ...names.map(
      (name, i) => `const $${i} = /* @__PURE__ */ read('${name}'); export { $${i} as ${name} };`,
    ),
  ].join('\n');
}
