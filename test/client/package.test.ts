/** @module-tag proof */
import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = process.cwd();
/** The path of a package's program, to run it without npm. */
const bin = (name: string) => join(root, 'node_modules/.bin', name);
let folder = '';
/** The package as it is built. */
let built = '';
let tarball = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  built = join(folder, 'built');
  await run(process.execPath, ['bin/client-package.ts', built]);
  const packed = ['pack', built, '--pack-destination', folder, '--json'];
  const [{ filename }] = JSON.parse((await run('npm', packed)).stdout) as [{ filename: string }];
  tarball = join(folder, filename);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', tarball], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package can be imported and required, with types for both', async () => {
  const linted = await run(bin('publint'), ['--strict', tarball]);
  expect(linted.stdout).toContain('All good!');
  const typed = await run(bin('attw'), [tarball]);
  expect(typed.stdout).toContain('No problems found');
});

test('the README has a row for every entry', async () => {
  const { exports } = JSON.parse(await readFile(join(built, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const readme = await readFile(join(built, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(?:identity-workspace-client|…)(\S*?)`/g)].map(([, path]) => `.${path}`),
  );
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
  expect(named.toSorted()).toEqual(entries.toSorted());
});

test.each([
  ['import', "import { ApiError, createClient } from 'identity-workspace-client';"],
  ['require', "const { ApiError, createClient } = require('identity-workspace-client');"],
])('works by %s', async (way, line) => {
  const file = join(folder, way === 'import' ? 'use.mjs' : 'use.cjs');
  await writeFile(
    file,
    `${line}
const fetch = async () => Response.json({ code: 'not_found', request_id: 'r' }, { status: 404 });
createClient('http://localhost', { fetch }).users.getMe().catch((error) => {
  console.log(error instanceof ApiError, error.code);
});`,
  );
  expect((await run(process.execPath, [file])).stdout).toBe('true not_found\n');
});

test('a strict TypeScript application compiles, and a wrong field is an error', async () => {
  const code = (
    field: string,
  ) => `import { createAuth, createClient } from 'identity-workspace-client';
import { createCookieAuth } from 'identity-workspace-client/cookie-session';
import { createLinks } from 'identity-workspace-client/links';
import { useAuth } from 'identity-workspace-client/react';
import { createBackend } from 'identity-workspace-client/server';
const { body } = await createClient('http://localhost').users.create({ ${field}: 'ada@example.com' });
export const uid: string = body.uid;
// Declarations are emitted of all of these, as in a workspace of several packages.
const service = { url: 'http://localhost', projectId: 'demo' };
export const auth = createAuth(service);
export const cookieAuth = createCookieAuth();
export const links = createLinks({ ...service, auth: cookieAuth });
export const { onChange, signIn, extend } = auth;
export const useOwnAuth = () => useAuth();
export const useSignIn = () => useAuth().signIn;
export const answer = async (request: Request) => {
  const { claims, status, headers } = await createBackend(service).authenticateRequest(request);
  return claims ? Response.json(claims.sub) : new Response(null, { status, headers });
};`;
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  const reactTypes = 'node_modules/@types/react';
  await symlink(join(root, reactTypes), join(folder, reactTypes));
  const compile = async (text: string) => {
    await writeFile(join(folder, 'app.mts'), text);
    const options = ['--strict', '--exactOptionalPropertyTypes', '--declaration', '--noEmit'];
    const target = ['--module', 'nodenext', '--target', 'es2022'];
    return run(bin('tsc'), [...options, ...target, 'app.mts'], { cwd: folder });
  };
  await compile(code('email'));
  // The types that a declaration names are found by the one entry that an application imports.
  await compile(`import { createCookieAuth } from 'identity-workspace-client/cookie-session';
const auth = createCookieAuth();
export const { onChange, signIn, signUp, api, extend, getAccessToken } = auth;
export const { getMe } = api.users;`);
  await compile(`import { createBackend } from 'identity-workspace-client/server';
const { api } = createBackend({ url: 'http://localhost', projectId: 'demo' });
export const { list } = api.users;`);
  await compile(`import { useAuth, useMembers } from 'identity-workspace-client/react';
export const useMe = () => useAuth().api.users.getMe;
export const useTeam = () => useMembers('wid');`);
  // Bun's `fetch` has more than a function of one's own.
  await compile(`import { createClient } from 'identity-workspace-client';
declare global { namespace fetch { function preconnect(url: string): void } }
export const client = createClient('http://localhost', { fetch: (...call) => fetch(...call) });`);
  await expect(compile(code('e_mail'))).rejects.toMatchObject({
    stdout: expect.stringContaining('e_mail'),
  });
});

/**
 * The size limit of each entry point in KB, minified and compressed. It is that of the part that a page uses, as a
 * bundler drops the rest: `createClient`, which also has the calls of a backend, and languages other than English.
 */
const maxKilobytes = {
  index: 6,
  captcha: 2.1,
  'cookie-session': 5.3,
  cookies: 8.6,
  factors: 0.5,
  links: 2.8,
  passkeys: 2,
  permissions: 1,
  providers: 3.4,
  react: 11.3,
  redirect: 4.5,
  server: 7.6,
  testing: 8,
};
/** Texts and words of the captcha by their names, which only pages in this language use. */
const isOfLanguage = (name: string) => /^(?:french|german|spanish)/.test(name);

async function usedOf(entry: string): Promise<string> {
  if (entry === 'index') return 'createAuth, pages';
  const { metafile } = await build({
    entryPoints: [join(built, `esm/${entry}.js`)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    external: ['react', 'node:*'],
  });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  return names.filter((name) => !isOfLanguage(name)).join(', ');
}

/** The size of names of an entry point in KB, minified and compressed: what loads with them, and what on demand. */
async function weigh(entry: string, names: string) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${names} } from './${entry}.js';`,
      resolveDir: join(built, 'esm'),
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: 'out',
    format: 'esm',
    platform: 'browser',
    external: ['react', 'node:*'],
    target: 'es2022',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(root, path), text]));
  /** @param kinds of imports that are followed */
  const reached = (...kinds: string[]) => {
    const found = new Set(['out/stdin.js']);
    for (const path of found)
      for (const { kind, path: next } of metafile.outputs[path]?.imports ?? [])
        if (kinds.includes(kind) && texts.has(next)) found.add(next);
    return found;
  };
  const textOf = (paths: Iterable<string>) =>
    [...paths].map((path) => texts.get(path) ?? '').join('');
  const size = (text: string) => gzipSync(text).length / 1_000;
  const loaded = reached('import-statement');
  const all = reached('import-statement', 'dynamic-import');
  const later = textOf([...all].filter((path) => !loaded.has(path)));
  return { first: size(textOf(loaded)), later: size(later), text: textOf(all) };
}

test.each(Object.entries(maxKilobytes))('%s is within its size limit', async (entry, kilobytes) => {
  const { first, later } = await weigh(entry, await usedOf(entry));
  expect(first, 'see "If the client grows" in docs/guide/contributing.md').toBeLessThan(kilobytes);
  // Passkeys, mailed links, providers, sessions, the profile and the second factor; and QR codes.
  if (entry === 'react') expect(later).toBeLessThan(18.7);
  else expect(later).toBeLessThan(0.1);
});

test.each([
  ['english', 'Sign in', 'Authenticator app'],
  ['french', 'Se connecter', 'Codes de secours'],
  ['german', 'Anmelden', 'Authenticator-App'],
  ['spanish', 'Continuar', 'Llaves de acceso'],
])('the texts in %s load no other language, in 5.4 KB', async (name, ...words) => {
  const { first, later, text } = await weigh('react', name);
  expect(first + later).toBeLessThan(5.4);
  for (const word of words) expect(text).toContain(word);
  const others = ['Sign in', 'Se connecter', 'Anmelden', 'Continuar'].filter(
    (each) => each !== words[0],
  );
  for (const other of others) expect(text).not.toContain(`"${other}"`);
});

test('the types need no TypeScript 5.7, which made typed arrays generic', async () => {
  for await (const file of glob('*/**/*.d.ts', { cwd: built }))
    expect(await readFile(join(built, file), 'utf8'), file).not.toMatch(/\bUint8Array</);
});

test('only ./testing uses Node APIs', async () => {
  const { stdout } = await run('tar', ['tzf', tarball]);
  const names = stdout.trim().split('\n');
  expect(names).toContain('package/README.md');
  const code = names.filter((each) => each.endsWith('.js'));
  const anywhere = code.filter((each) => !each.endsWith('/testing.js'));
  expect(code.length - anywhere.length).toBe(2);
  for (const name of anywhere) {
    const text = await readFile(name.replace('package', built), 'utf8');
    expect(text, name).not.toMatch(/['"]node:|\bBuffer\b|\bprocess\./);
  }
});
