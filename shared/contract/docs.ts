import * as z from 'zod';
import { group } from './route.ts';

/** The page of errors, to which every problem links, and the files of the documentation page. */
export const docsAssets = ['errors', 'swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const;

export const docs = group('docs', {
  home: {
    method: 'GET',
    path: '/',
    summary: 'Redirect to the documentation.',
    auth: [],
    response: z.string(),
    statuses: [302],
    errors: [],
    produces: 'text/plain',
    cache: 'public, max-age=300',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document.',
    auth: [],
    response: z.record(z.string(), z.unknown()),
    statuses: [200],
    errors: [],
    compressed: true,
    cache: 'public, max-age=300',
  },
  page: {
    method: 'GET',
    path: '/docs',
    summary: 'This API as an interactive page.',
    auth: [],
    response: z.string(),
    statuses: [200],
    errors: [],
    produces: 'text/html; charset=utf-8',
    compressed: true,
    cache: 'public, max-age=300',
  },
  asset: {
    method: 'GET',
    path: '/docs/{file}',
    summary:
      'Every error with its cause and remedy (`errors`), or a style sheet or script of the documentation page.',
    auth: [],
    params: z.strictObject({ file: z.enum(docsAssets) }),
    response: z.string(),
    statuses: [200],
    errors: [],
    produces: 'text/*', // Each file has a type of its own.
    compressed: true,
    cache: 'public, max-age=86400',
  },
});
