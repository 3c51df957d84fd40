import * as z from 'zod';
import { group, type RouteSpec } from './route.ts';

/**
 * The scripts of the documentation page. Each name contains the first 16 digits of the SHA-256 of the content, so
 * caches may keep a script forever; a test compares them.
 */
export const docsScripts = {
  scalar: 'scalar.bf091006bdc3af60.js',
  start: 'start.4d0061b5a65daf67.js',
} as const;

/** The scripts of the documentation page, and the page of errors, to which every problem links. */
export const docsAssets = [docsScripts.start, docsScripts.scalar, 'errors'] as const;

/** People open it: links from elsewhere may have parameters of their own. */
const opened = { query: z.object({}), problems: 'page' } as const satisfies Partial<RouteSpec>;

export const docs = group('docs', {
  home: {
    method: 'GET',
    path: '/',
    summary: 'Redirect to the documentation.',
    auth: [],
    ...opened,
    response: z.string(),
    statuses: [302],
    produces: 'text/plain',
    cache: 'public, max-age=300',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document.',
    auth: [],
    response: z.record(z.string(), z.unknown()),
    compressed: true,
    cache: 'public, max-age=300',
  },
  page: {
    method: 'GET',
    path: '/docs',
    summary: 'This API as an interactive page.',
    auth: [],
    ...opened,
    response: z.string(),
    produces: 'text/html; charset=utf-8',
    compressed: true,
    // An outdated page would name scripts that no longer exist.
    cache: 'no-cache',
  },
  asset: {
    method: 'GET',
    path: '/docs/{file}',
    summary:
      'Every error with its cause and remedy (`errors`), or a script of the documentation page.',
    auth: [],
    ...opened,
    params: z.strictObject({ file: z.enum(docsAssets) }),
    response: z.string(),
    produces: 'text/*', // Each file has a type of its own.
    compressed: true,
    // A script has its hash in its name; `errors` keeps its name.
    cache: ['public, max-age=31536000, immutable', 'public, max-age=86400'],
  },
});
