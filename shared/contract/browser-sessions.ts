import * as z from 'zod';
import { projectId, timestamp, uid } from '../model/fields.ts';
import { session } from '../model/user-resources.ts';
import { group } from './route.ts';

const params = z.strictObject({ project_id: projectId });

/** The part of a session that a page's script gets. Only the cookie has the refresh token; no script can read it. */
const browserSession = z
  .object({
    access_token: session.shape.access_token,
    expires_in: z.int().meta({ description: 'Seconds for which the access token is valid.' }),
    uid,
    user: session.shape.user,
  })
  .meta({ id: 'BrowserSession' });

/** The session of a browser with the hosted pages of a project. Only the pages themselves call these routes. */
export const browserSessions = group('browserSessions', {
  keep: {
    method: 'POST',
    path: '/pages/{project_id}/session',
    summary:
      'Keep the session of the refresh token in the cookie of the browser, and end the previous session.',
    auth: ['refresh'],
    sameOrigin: true,
    params,
    response: z
      .object({
        expires_in: z.int().meta({ description: 'Seconds until the session ends at the latest.' }),
      })
      .meta({ id: 'KeptSession' }),
    // A stored answer would put back a token that has been used since.
    noIdempotencyKey: true,
    errors: ['not_found'],
    client: false,
  },
  refresh: {
    method: 'POST',
    path: '/pages/{project_id}/session/token',
    summary: 'Renew the session of the cookie.',
    auth: ['cookie'],
    params,
    response: browserSession,
    errors: ['not_found', 'token_expired', 'refresh_token_reused'],
    client: false,
  },
  end: {
    method: 'DELETE',
    path: '/pages/{project_id}/session',
    summary: 'Sign out: end the session of the cookie and remove the cookie.',
    auth: ['cookie'],
    params,
    response: z.object({ ended_at: timestamp }).meta({ id: 'EndedBrowserSession' }),
    errors: ['not_found'],
    client: false,
  },
});
