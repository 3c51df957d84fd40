import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { languages } from '../shared/model/languages.ts';
import { trimPico } from './trim-css.ts';

/** The built hosted pages: every file by name, and the sources of the build. */
export type HostedPages = { files: ReadonlyMap<string, string>; inputs: readonly string[] };

/** The HTML pages. Their names have no hash, because they are served at the pages' addresses. */
export const shellFile = 'page.html';
export const captchaFile = 'captcha.html';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages' own styles. */
const ownStyles = (): string =>
  globSync('pages/**/*.css', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

/**
 * Writes the import of a catalogue, whose path ends with the name of a language, as one import for each language.
 * esbuild finds these files too, but each page gets 0.4 KB more by that.
 */
const eachLanguage: Plugin = {
  name: 'each-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pages[\\/].*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /import\(`(.+)\$\{name\}(.+)`(.+?)\)/g,
        (_, start: string, end: string, options: string) => {
          const imports = languages.map(
            (each) => `${each}: () => import('${start}${each}${end}'${options})`,
          );
          return `({ ${imports.join(', ')} })[name]()`;
        },
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

let built: Promise<HostedPages> | undefined;

/** Builds the hosted pages, once per process. The same sources give the same names and bytes. */
export const hostedPages = (): Promise<HostedPages> => (built ??= buildPages());

async function buildPages(): Promise<HostedPages> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    // JSX is compiled as pages/tsconfig.json says.
    entryPoints: {
      main: 'pages/main.tsx',
      'captcha-frame': 'pages/captcha-frame.ts',
      style: 'pages/style.css',
    },
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    bundle: true,
    // Each page and each language is a separate file.
    splitting: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    minify: true,
    charset: 'utf8',
    plugins: [trimPico(ownStyles()), eachLanguage],
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    outdir: 'dist',
    write: false,
  });
  const files = new Map(
    outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/') + 1), text]),
  );
  const named = (start: string) => [...files.keys()].find((name) => name.startsWith(start)) ?? '';
  const shell = shellOf({ script: named('main.'), style: named('style.') });
  return {
    files: new Map([
      ...files,
      [shellFile, shell],
      [captchaFile, captchaOf(named('captcha-frame.'))],
    ]),
    inputs: [
      ...Object.keys(metafile.inputs),
      ...['hosted-pages', 'trim-css'].map((file) => `lib/${file}.ts`),
      'pages/tsconfig.json',
    ],
  };
}

/** A document with its own title. */
const documentOf = (head: string, body = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>…</title>
${head}
</head>
<body>${body}</body>
</html>
`;

const scriptOf = (script: string): string =>
  `<script type="module" src="../assets/${script}"></script>`;

/** The HTML of every page of every project; the script reads page and project from the address. */
const shellOf = ({ script, style }: { script: string; style: string }): string =>
  documentOf(
    `<link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/${style}">
${scriptOf(script)}`,
    '<noscript><main><p>This page needs JavaScript.</p></main></noscript>',
  );

/** The HTML of the document in which a page shows a captcha. */
const captchaOf = (script: string): string =>
  documentOf(`<style>body{margin:0}</style>\n${scriptOf(script)}`);
