import * as z from 'zod';
import { type Route } from './route.ts';

/** The `$default` route of API Gateway: every request that matches no route of the contract. */
export const fallback = {
  name: 'fallback.notFound',
  method: 'GET',
  path: '/$default',
  summary:
    'Answer unknown paths and methods with a problem document, like every other error; a browser gets a page.',
  auth: [],
  query: z.looseObject({}),
  response: z.never(),
  statuses: [200],
  errors: ['not_found', 'method_not_allowed'],
  problems: 'page',
} as const satisfies Route;
