import * as z from 'zod';
import { line, projectId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { redirectUri } from './urls.ts';

/** The requests about the clients of a project: the applications that sign users in by its hosted pages. */

const ofClient = {
  project_id: projectId,
  /** The second part of the client_id, `<project_id>.<client>`. */
  client: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,31}$/,
      'Must be 1 to 32 lower-case letters, digits and hyphens: the client_id without the project',
    ),
};
const name = line(limits.name).min(1);
const redirectUris = z.array(redirectUri).max(limits.redirectUrisPerClient);

export const clientRequests = [
  z.strictObject({
    action: z.literal('create-client'),
    ...ofClient,
    client_name: name,
    redirect_uris: redirectUris.min(1),
    post_logout_redirect_uris: redirectUris.exactOptional(),
    confidential: z.boolean().exactOptional(),
  }),
  z.strictObject({
    action: z.literal('update-client'),
    ...ofClient,
    // A list replaces the previous one.
    client_name: name.exactOptional(),
    redirect_uris: redirectUris.min(1).exactOptional(),
    post_logout_redirect_uris: redirectUris.exactOptional(),
  }),
  z.strictObject({ action: z.literal('delete-client'), ...ofClient }),
  z.strictObject({ action: z.literal('create-client-secret'), ...ofClient }),
  z.strictObject({
    action: z.literal('revoke-client-secret'),
    ...ofClient,
    secret_id: z.string().regex(/^[0-9a-f]{8}$/, 'Must be 8 hexadecimal digits, as shown by list'),
  }),
] as const;
