import * as z from 'zod';
import { email } from '../model/email.ts';
import { paged, role, text, uid, workspaceId } from '../model/fields.ts';
import { lifetimes, limits, times } from '../model/limits.ts';
import { invitation, member } from '../model/resources.ts';
import { group, oneStart, pageQuery } from './route.ts';

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofUser = z.strictObject({ workspace_id: workspaceId, user_id: uid });
const words = text(limits.invitationMessage)
  .min(1)
  .meta({ description: 'Shown in the mail, as the words of the inviter.' });

const row = z.strictObject({ email, role, message: words.optional() });

/** What became of a row; nothing was written for those that are not `invited`. */
const outcome = z
  .enum([
    'invited',
    'invitation_exists',
    'already_member',
    'duplicate',
    'invitation_limit_reached',
    'too_many_requests',
    'unprocessed',
  ])
  .meta({
    description:
      'duplicate: an earlier row names the same e-mail. too_many_requests: the e-mail was invited too often today. ' +
      'unprocessed: time ran out; send the rows again, with another Idempotency-Key, and what is done answers invitation_exists.',
  });

const result = z.object({
  email: z.string(),
  role,
  outcome,
  invitation: invitation.optional().meta({
    description:
      'The invitation that was made, or that there was; only one that was made has its link and its message.',
  }),
});
export type Outcome = z.output<typeof outcome>;

const bulk = z
  .object({
    dry_run: z.boolean(),
    invited: z.int().meta({ description: 'How many rows were, or would be, invited.' }),
    results: z.array(result).meta({ description: 'One for each row, in their order.' }),
  })
  .meta({ id: 'InvitationResults' });

const one = { email: 'grace@example.com', role: 'member' } as const;

export const invitations = group('invitations', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'Invite an e-mail to a workspace, or up to 500, creating users where there are none.',
    auth: ['project', 'access'],
    params: inWorkspace,
    body: z
      .strictObject({
        email: email.optional(),
        role: role.optional(),
        message: words.optional(),
        invitations: z
          .array(row)
          .min(1)
          .max(limits.invitationsPerRequest)
          .optional()
          .meta({
            description: 'Instead of email and role: many at once, with a result for each.',
            'x-instead-of': ['email', 'role'],
          }),
        expires_in: z
          .int()
          .min(60)
          .max(lifetimes.longestInvitation)
          .optional()
          .meta({
            description: `Seconds for which the invitation is good; default ${lifetimes.invitation}.`,
          }),
        send_mail: z.boolean().optional().meta({
          description: 'False: no mail is sent, the link is handed on by you. Default true.',
        }),
        dry_run: z.boolean().optional().meta({
          description: 'With invitations: only tells what would become of each row.',
        }),
      })
      .superRefine((body, context) => {
        const many = body.invitations !== undefined;
        const wrong = (name: string, message: string) =>
          context.addIssue({ code: 'custom', path: [name], message });
        for (const name of ['email', 'role'] as const) {
          if (!many && body[name] === undefined) wrong(name, 'Is required');
          if (many && body[name] !== undefined) wrong(name, 'Must not come with invitations');
        }
        if (many && body.message !== undefined) wrong('message', 'Must come with a row');
        if (!many && body.dry_run !== undefined) wrong('dry_run', 'Must come with invitations');
      })
      .meta({ example: one }),
    response: z.union([invitation, bulk]),
    statuses: [201, 200],
    errors: [
      'not_found',
      'forbidden',
      'already_member',
      'invitation_exists',
      'invitation_limit_reached',
    ],
    bodyLimit: limits.bulkInvitationBody,
    time: times.bulkInvitation,
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'The invitations to a workspace that are pending, or that have expired.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z
      .strictObject({
        state: z.enum(['pending', 'expired']).optional().meta({ description: 'Default pending.' }),
        ...pageQuery,
      })
      .refine(oneStart, { path: ['cursor'], error: 'Must not come together with offset' }),
    response: paged(invitation),
    statuses: [200],
    errors: ['not_found', 'forbidden'],
  },
  resend: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/invitations/{user_id}/resend',
    summary:
      'Send an invitation again, also an expired one: with another token, as long as before.',
    auth: ['project', 'access'],
    params: ofUser,
    response: invitation,
    statuses: [200],
    errors: ['not_found', 'forbidden'],
  },
  end: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/invitations/{user_id}',
    summary: 'Revoke an invitation; by the invitee: decline it.',
    auth: ['project', 'access'],
    params: ofUser,
    response: invitation,
    statuses: [200],
    errors: ['not_found', 'forbidden'],
  },
  endByEmail: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'Revoke the invitation of an e-mail.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z.strictObject({ email }),
    response: invitation,
    statuses: [200],
    errors: ['not_found', 'forbidden'],
  },
  accept: {
    method: 'POST',
    path: '/invitations/accept',
    summary:
      'Accept an invitation by the token of its link; the mailed one also proves the e-mail.',
    auth: ['project', 'access'],
    body: z.strictObject({
      token: z
        .string()
        .regex(/^[\w-]{43}\.[\w-]{43}$/, 'Must be the token of a link')
        .meta({ example: `${'A'.repeat(43)}.q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A` }),
    }),
    response: member,
    statuses: [201, 200],
    errors: [
      'mail_token_invalid',
      'membership_suspended',
      'member_limit_reached',
      'workspace_limit_reached',
    ],
  },
});
