import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FunctionName } from '../shared/contract/functions.ts';
import { codings, compress } from '../shared/docs/compress.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const swagger = (file: string) => createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);

/** Files that a function reads unchanged from its own folder. */
export const copiedFiles: { [F in FunctionName]?: readonly string[] } = {
  'docs.asset': [
    swagger('swagger-ui.css'),
    swagger('swagger-ui-bundle.js'),
    join(root, 'functions/docs/start.js'),
  ],
};

/** Static responses of functions, by file name. */
const answers: { [F in FunctionName]?: Record<string, () => Promise<unknown>> } = {
  'docs.page': { 'page.html': async () => (await import('../shared/docs/page.ts')).page },
  'docs.openapi': {
    'openapi.json': async () => JSON.parse(await text(join(root, 'docs/reference/openapi.json'))),
  },
  'docs.asset': {
    errors: async () => (await import('../shared/docs/errors-page.ts')).errorsPage(),
    ...Object.fromEntries(
      (copiedFiles['docs.asset'] ?? []).map((file) => [basename(file), () => text(file)]),
    ),
  },
};

const text = (file: string) => readFile(file, 'utf8');

/**
 * Writes the compressed static responses of a function into its folder, in every coding, and returns the total bytes.
 */
export async function writeCompressed(name: FunctionName, folder: string): Promise<number> {
  let written = 0;
  for (const [file, load] of Object.entries(answers[name] ?? {})) {
    const value = await load();
    for (const coding of codings) {
      const bytes = await compress(value, coding, true);
      await writeFile(join(folder, `${file}.${coding}`), bytes);
      written += bytes.length;
    }
  }
  return written;
}
