/** @module-tag proof */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, printed, scriptOf, separator } from '../support/code-blocks.ts';
import { newFolder } from '../support/folder.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
/** The page that gives the project a domain is last, because it would redirect the others there. */
const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: root }).toSorted()].toSorted(
  (a, b) =>
    Number(textOf(a).includes('--pages-domain')) - Number(textOf(b).includes('--pages-domain')),
);
const read = (page: string) => blocksOf(textOf(page));
/** Inside the project, so that the blocks find its packages. */
const folderOf = (page: string) => join(root, '.docs/pages', page.replaceAll(/\W/g, '-'));
const readers = [...pages, 'client/README.md'];
const data = newFolder();
/** A reader's tests are in a separate repository with a checkout of the service, as in the guide's CI. */
const env = { ...process.env, LOG_LEVEL: 'silent', DYNAMODB_ENGINE: '', IDENTITY_SERVICE: root };
/** The PATH of a reader's shell, without the packages' programs that npm and Vitest prepend. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** A reader starts one service for all pages; each page names the projects and e-mails that it uses. */
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  server = await serve();
  for (const page of pages) {
    rmSync(folderOf(page), { recursive: true, force: true });
    mkdirSync(folderOf(page), { recursive: true });
    for (const [file, text] of scriptOf(read(page)).files)
      writeFileSync(join(folderOf(page), file), atTheService(text, page));
  }
});
afterAll(() => server.stop());

test.each(pages)('the code of %s runs as printed', async (page) => {
  const { script, expected, runs } = scriptOf(read(page));
  const running = run('bash', ['-c', atTheService(script, page)], {
    cwd: folderOf(page),
    env: { ...env, PATH },
  });
  const { stdout } = await running.catch(({ code, stdout: said, stderr }) => {
    // The error's message is the whole script, not its output.
    throw new Error(`exit code ${code}:\n${said}\n${stderr}`);
  });
  const outputs = stdout.split(`${separator}\n`);
  expect(outputs).toHaveLength(runs + 1);
  for (const [index, text] of expected) expect(outputs[index]?.trim()).toMatch(printed(text));
});

test('the TypeScript of all pages has no type error', async () => {
  const files = pages.flatMap((page) =>
    [...scriptOf(read(page)).files.keys()]
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folderOf(page), file)),
  );
  const options = {
    extends: '../../tsconfig.json',
    compilerOptions: { lib: ['es2024', 'dom'], noUnusedLocals: false },
    include: files,
  };
  writeFileSync(join(root, '.docs/pages/tsconfig.json'), JSON.stringify(options));
  const { stdout } = await run('node_modules/.bin/tsc', ['-p', '.docs/pages'], { cwd: root }).catch(
    (error: { stdout: string }) => error,
  );
  expect(files.length).toBeGreaterThan(0);
  expect(stdout).toBe('');
});

test.each(readers)('every address of the service in %s exists', async (page) => {
  const prose = textOf(page).replaceAll(/^ *```[^]*?^ *```$/gm, '');
  const paths = [...prose.matchAll(/http:\/\/localhost:3000(\/[\w./-]*\w)?/g)].map(
    ([, path = '/']) => path,
  );
  const answers = await Promise.all(
    // `/callback` is a path of the reader's own application.
    paths
      .filter((path) => path !== '/callback')
      // A page may redirect to the domain of a project, whose name does not resolve here.
      .map((path) => fetch(server.url + path, { redirect: 'manual' })),
  );
  expect(answers.filter(({ status }) => status >= 400).map(({ url }) => url)).toEqual([]);
});

/**
 * Pages show the address of `npm start` and use its data. The client and the reader's file are in the folder of the
 * reader's code, while npm runs a command in the folder of the package. Expo's packages run on a phone alone.
 */
function atTheService(text: string, page: string): string {
  return text
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll("'./client/", "'../../../client/")
    .replaceAll(/'(expo-[\w-]+)'/g, "'../../../test/support/phone/$1.ts'")
    .replaceAll('--local', `--local --data ${data}`)
    .replaceAll('--logo ', `--logo ${folderOf(page)}/`);
}

/** Starts the service like `npm start`, on a free port. */
async function serve() {
  const args = ['local/serve.ts', '--json', '--port', '0', '--data', data];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
