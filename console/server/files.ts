import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Answer } from './answer.ts';

/** The page of the console: the same HTML for every address, and its script and style. It holds nothing secret. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/**
 * Nothing from elsewhere: a picture that a user names would tell its owner when an operator looks. Mantine sets sizes
 * and colours by inline styles.
 */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Builds the page, in a second or two, and resolves with what answers for its files. */
export async function buildPage(): Promise<(path: string) => Answer | undefined> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    // JSX is compiled as console/tsconfig.json says.
    entryPoints: { main: 'console/main.tsx', style: 'console/style.css' },
    entryNames: '[name].[hash]',
    bundle: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    outdir: 'dist',
    write: false,
  });
  const files = new Map(
    outputFiles.map(({ path, contents }) => [
      path.slice(path.lastIndexOf('/') + 1),
      Buffer.from(contents),
    ]),
  );
  const nameEndingIn = (end: string) => [...files.keys()].find((name) => name.endsWith(end)) ?? '';
  const shell = shellOf(nameEndingIn('.js'), nameEndingIn('.css'));
  return (path) => {
    const [, file] = /^\/assets\/([\w.]+)$/.exec(path) ?? [];
    if (file === undefined) {
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      return /^\/(?!api\/|assets\/)[\w./~-]*$/.test(path)
        ? { status: 200, headers, body: shell }
        : undefined;
    }
    const body = files.get(file);
    const type = file.endsWith('.css') ? types.css : types.js;
    return body && { status: 200, headers: { 'content-type': type }, body };
  };
}

const shellOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${script}"></script>
</head>
<body><noscript><main><p>The console needs JavaScript.</p></main></noscript><div id="root"></div></body>
</html>
`;
