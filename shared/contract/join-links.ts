import * as z from 'zod';
import { paged, role, timestamp, uid, uuid, workspaceId } from '../model/fields.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { group } from './route.ts';

const joinLinkId = z
  .string()
  .regex(new RegExp(`^lnk-${uuid.source.slice(1)}`), 'Must be lnk- and a UUID in lower case')
  .meta({
    description: 'Id of a join link.',
    maxLength: 40,
    example: 'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05',
  });
export const joinToken = z
  .string()
  .regex(/^jl_[\w-]{43}\.[\w-]{43}$/, 'Must be the token of a join link')
  .meta({
    maxLength: 90,
    example: `jl_${'A'.repeat(43)}.q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A`,
  });

/** A join link as shown to those who manage the workspace; it contains no credential. */
const joinLink = z
  .object({
    link_id: joinLinkId,
    workspace_id: workspaceId,
    role,
    restrict_to_allowed_domains: z.boolean(),
    use_count: z.int().meta({ description: 'Number of users who joined with it.' }),
    max_uses: z.int().optional(),
    created_by: uid.optional().meta({ description: 'Absent if the backend created it.' }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'JoinLink' });
export type JoinLink = z.output<typeof joinLink>;

const newJoinLink = joinLink
  .extend({
    token: z.string().meta({ description: 'For join_token of POST /workspaces/join.' }),
    url: z.string().meta({
      description: 'invitation_url, or the hosted page for it, with the token in its fragment.',
    }),
  })
  .meta({ id: 'NewJoinLink' });

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofLink = z.strictObject({ workspace_id: workspaceId, link_id: joinLinkId });

export const joinLinks = group('joinLinks', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/join_links',
    summary:
      'Create a join link: every user who has the link can join. Its token is shown only once.',
    auth: ['project', 'access'],
    params: inWorkspace,
    body: z.strictObject({
      role: role.optional().meta({
        description: 'Default member; admin: only the owner or the backend may set it.',
      }),
      expires_in: z
        .int()
        .min(lifetimes.shortestJoinLink)
        .max(lifetimes.longestJoinLink)
        .optional()
        .meta({
          description: `Seconds for which the link is valid; default ${lifetimes.joinLink}.`,
        }),
      max_uses: z.int().min(1).max(limits.joinLinkUses).optional().meta({
        description: 'Maximum number of users who may join with it. Default: unlimited.',
      }),
      restrict_to_allowed_domains: z.boolean().optional().meta({
        description:
          "Restricts the link to users with a verified e-mail in an allowed domain, whatever the domain's mode.",
      }),
    }),
    response: newJoinLink,
    statuses: [201],
    errors: ['not_found', 'forbidden', 'join_link_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/join_links',
    summary: 'The valid join links of a workspace, oldest first, each with its use count.',
    auth: ['project', 'access'],
    params: inWorkspace,
    response: paged(joinLink),
    errors: ['not_found', 'forbidden'],
  },
  revoke: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/join_links/{link_id}',
    summary: 'Revoke a join link; nobody can join with it any more.',
    auth: ['project', 'access'],
    params: ofLink,
    response: joinLink,
    errors: ['not_found', 'forbidden'],
  },
});
