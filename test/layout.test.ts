import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functionNames, grants } from '../lib/functions.ts';
import type { Partition } from '../lib/grant.ts';
import { api, routes } from '../shared/contract/api.ts';
import { fallback } from '../shared/contract/fallback.ts';
import { jobNames, sourceOf } from '../shared/contract/functions.ts';
import { lanes } from './support/lanes.ts';

const root = new URL('..', import.meta.url);
/** The sources that the files of a folder are for: `members/add.test.ts` is for `functions/members/add.ts`. */
const sourcesIn = (folder: string, ending: string) =>
  globSync(`${folder}/*/*${ending}`, { cwd: root })
    .map((path) => `functions/${path.slice(folder.length + 1, -ending.length)}.ts`)
    .sort();
const names = [...routes.map(({ name }) => name), fallback.name, ...jobNames].sort();
const sources = names.map((name) => sourceOf(name)).sort();
const readSource = (name: string) => readFileSync(new URL(sourceOf(name), root), 'utf8');

describe('one name, one path: each function has', () => {
  test.each([
    ['a source', sourcesIn('functions', '.ts')],
    ['a test', sourcesIn('test/functions', '.test.ts')],
  ])('%s, and no others exist', (_, found) => {
    expect(found).toEqual(sources);
  });

  test.each([
    ['a bundle', [...functionNames].sort()],
    ['a grant', Object.keys(grants).sort()],
  ])('%s, and no others exist', (_, found) => {
    expect(found).toEqual(names);
  });

  test('a unique name', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(routes)('$name is the handler of its own route', ({ name }) => {
    expect(readSource(name)).toMatch(
      new RegExp(`export const handler = endpoint\\(\\s*${name.replace('.', '\\.')},`),
    );
  });

  test.each([fallback.name, ...jobNames])('%s has a handler', (name) => {
    expect(readSource(name)).toMatch(/^export (?:async function handler\(|const handler = )/m);
  });
});

describe('the routes', () => {
  test('have the names of their place in the contract', () => {
    const standing = Object.entries(api).flatMap(([group, verbs]) =>
      Object.keys(verbs).map((verb) => `${group}.${verb}`),
    );
    expect(routes.map(({ name }) => name)).toEqual(standing);
  });

  test('have different methods and paths, with any names of parameters', () => {
    const shapes = routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test.each(routes)('$name: its path has the parameters that it validates', ({ path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath).toEqual(Object.keys(params?.shape ?? {}));
  });

  test('with GET have no body, and change nothing', () => {
    const odd = routes.filter(({ method, body }) => method === 'GET' && body !== undefined);
    expect(odd).toEqual([]);
    // How often an API key was used is counted by whatever takes keys.
    const isOfClients = (partition: Partition) => partition !== 'apiKeyUses';
    const writing = routes.filter(
      ({ name, method }) =>
        method === 'GET' &&
        [...(grants[name].update ?? []), ...(grants[name].delete ?? [])].some(isOfClients),
    );
    // The interface describes users.get as get-or-create: it makes the user, or the wallet that a user lacks. A
    // sign-out at /logout is a navigation of the browser (OpenID Connect RP-Initiated Logout 1.0), and so are the way
    // to an identity provider, which is counted, and back, which uses up what was begun. A token there that has expired
    // is refreshed, as a cache would be filled.
    expect(writing.map(({ name }) => name)).toEqual([
      ...['identities.getToken', 'identities.getTokenOfUser'],
      ...['providers.start', 'providers.callback', 'users.get', 'oauth.logout'],
    ]);
  });
});

/** Use of the functions' DynamoDB client or changes of limits: bundles have their own copies. */
const reachesIn = /\{ dynamodb \} = await import|\b(?:limits|rates|lifetimes) as \{/;

test('a test that imports functions has the tag source, because functions may run from bundles', () => {
  const reaching = globSync('test/!(shared)/**/*.test.ts', { cwd: root })
    .concat(globSync('test/*.test.ts', { cwd: root }))
    .map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') }))
    .filter(({ text }) => text.includes('startWorld') && reachesIn.test(text));
  expect(reaching.length).toBeGreaterThan(5);
  expect(
    reaching.flatMap(({ file, text }) =>
      /@module-tag source|tags: 'source'/.test(text) ? [] : [file],
    ),
  ).toEqual([]);
});

/** The environment, modules, keys and the stream, and the programs and services that read or change them. */
const tracesInProcess = new RegExp(
  [
    String.raw`(?:delete |assign\()process\.env|process\.env\[[^\]]+\] (?:\?\?)?=|\.\.\.process\.env`,
    String.raw`\bvi\.(?:mock|reset)|secrets\.rotate|keys\.publicKey\('k'\)|fromSource\('keys`,
    String.raw`useStream|StreamEnabled|_local/mail|authorization-run|transport/place`,
    String.raw`support/server|local/(?:engine/engine|aws/permissions)|startProxy`,
  ].join('|'),
);
/** Applications on other origins, and secrets that the service keeps for minutes. */
const tracesInStage = /\[origin\]\)|setSecret|setCaptchaKeys/;

test.each([
  ['process', (lane: string) => !lane.startsWith('browser-'), tracesInProcess],
  ['stage', (lane: string) => lane.startsWith('browser-'), tracesInStage],
])(
  'a test that leaves a trace in its %s has the tag alone, because others share it',
  (_, isOf, traces) => {
    const leaving = lanes
      .filter(({ name, sharing }) => isOf(name) && sharing !== 'alone')
      .flatMap(({ include }) => include)
      .filter((file) => traces.test(readFileSync(new URL(file, root), 'utf8')));
    expect(leaving, 'their first line should be: /** @module-tag alone */').toEqual([]);
  },
);
