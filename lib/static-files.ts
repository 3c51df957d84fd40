import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsScripts } from '../shared/contract/docs.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { codings, compress } from '../shared/docs/compress.ts';
import { captchaFile, hostedPages, shellFile } from './hosted-pages.ts';

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

/** The static responses of a function, whose files are built at bundling. */
export type MadeFiles = {
  /** Their total bytes. */
  bytes: number;
  /** The sources of these files, in addition to the function's imports. */
  inputs: readonly string[];
};

/** Writes the static responses of a function into its folder, compressed in every coding. */
export async function writeMadeFiles(name: FunctionName, folder: string): Promise<MadeFiles> {
  const pages = name.startsWith('pages.') ? await hostedPages() : undefined;
  const own = [...(pages?.files ?? [])].filter(
    ([file]) => [shellFile, captchaFile].includes(file) === (name === 'pages.page'),
  );
  let bytes = 0;
  const write = async (file: string, content: string | Buffer) => {
    await writeFile(join(folder, file), content);
    bytes += Buffer.byteLength(content);
  };
  // For clients that accept no coding.
  for (const [file, content] of own) await write(file, content);
  const values = Object.entries(answers[name] ?? {}).map(
    async ([file, load]): Promise<[string, unknown]> => [file, await load()],
  );
  for (const [file, value] of [...own, ...(await Promise.all(values))])
    for (const coding of codings)
      await write(`${file}.${coding}`, await compress(value, coding, true));
  return { bytes, inputs: pages?.inputs ?? [] };
}
