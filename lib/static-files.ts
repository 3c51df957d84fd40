import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsScripts } from '../shared/contract/docs.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { codings, compress } from '../shared/docs/compress.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// The package exports its style sheet, but not the browser build beside it.
const scalar = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference/style.css'));

/** Files that a function reads unchanged from its own folder, by their name there. */
export const copiedFiles: { [F in FunctionName]?: Record<string, string> } = {
  'docs.asset': {
    [docsScripts.scalar]: join(scalar, 'browser/standalone.js'),
    [docsScripts.start]: join(root, 'functions/docs/start.js'),
  },
};

/** Static responses of functions, by file name. */
const answers: { [F in FunctionName]?: Record<string, () => Promise<unknown>> } = {
  'docs.page': {
    'page.html': async () => (await import('../shared/docs/page.ts')).page(docsScripts),
  },
  'docs.openapi': {
    'openapi.json': async () => JSON.parse(await text(join(root, 'docs/reference/openapi.json'))),
  },
  'docs.asset': {
    errors: async () => (await import('../shared/docs/errors-page.ts')).errorsPage(),
    ...Object.fromEntries(
      Object.entries(copiedFiles['docs.asset'] ?? {}).map(([name, file]) => [
        name,
        () => text(file),
      ]),
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
