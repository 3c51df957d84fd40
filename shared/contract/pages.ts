import * as z from 'zod';
import { projectId } from '../model/fields.ts';
import { group } from './route.ts';

/** The pages that the service shows by itself. */
export const pageNames = [
  'sign-in',
  'sign-in-link',
  'sign-up',
  'forgotten-password',
  'new-password',
  'verify-email',
  'change-email',
  'invitation',
  'join',
  'ownership',
  'account',
  'workspaces',
  'members',
  'api-keys',
  'roles',
  'sign-out',
  'signed-out',
] as const;

export type PageName = (typeof pageNames)[number];

/** The document in which a page shows a captcha, at an address among theirs. */
export const captchaFrame = 'captcha';

export const pages = group('pages', {
  page: {
    method: 'GET',
    path: '/pages/{project_id}/{page}',
    summary: 'A hosted page, such as the one to sign in.',
    auth: [],
    client: false,
    params: z.strictObject({ project_id: projectId, page: z.enum([...pageNames, captchaFrame]) }),
    // The page's script reads the query.
    query: z.object({}),
    response: z.string(),
    // 302: the project has a domain of its own for its pages, and this is not it.
    statuses: [200, 302],
    errors: ['not_found'],
    problems: 'page',
    produces: 'text/html; charset=utf-8',
    compressed: true,
    // An outdated page would name scripts that no longer exist.
    cache: 'no-cache',
  },
  asset: {
    method: 'GET',
    path: '/pages/assets/{file}',
    summary: 'A script or style of the hosted pages.',
    auth: [],
    client: false,
    params: z.strictObject({
      file: z
        .string()
        .regex(
          /^[a-z][a-z-]{0,40}\.[A-Z0-9]{8}\.(?:js|css)$/,
          'Must be a name, a hash and an ending',
        )
        .meta({ maxLength: 54, example: 'main.A1B2C3D4.js' }),
    }),
    response: z.string(),
    errors: ['not_found'],
    produces: 'text/*', // Each file has a type of its own.
    compressed: true,
    // Each file has its hash in its name.
    cache: 'public, max-age=31536000, immutable',
  },
});
