import * as z from 'zod';
import { email } from '../model/email.ts';
import { paged, role, text, uid, workspaceId } from '../model/fields.ts';
import { lifetimes, limits, times } from '../model/limits.ts';
import { invitation, member } from '../model/workspace-resources.ts';
import { alone, group, pageQuery } from './route.ts';

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofUser = z.strictObject({ workspace_id: workspaceId, user_id: uid });
const words = text(limits.invitationMessage)
  .min(1)
  .meta({ description: 'Shown in the mail as a quote from the inviter.' });

const row = z.strictObject({ email, role, message: words.optional() });

/** The outcome of a row; nothing was written unless it is `invited`. */
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
      'duplicate: an earlier row names the same e-mail. too_many_requests: the e-mail was invited too many times today. ' +
      'unprocessed: time ran out; send the rows again with another Idempotency-Key: rows already done return invitation_exists.',
  });

const result = z.object({
  email: z.string(),
  role,
  outcome,
  invitation: invitation.optional().meta({
    description:
      'The new or existing invitation; only a new one has its link and its message. Absent if the existing one went to an address that the user had before.',
  }),
});
export type Outcome = z.output<typeof outcome>;

/** The answer to several rows. */
export const invitationResults = z
  .object({
    dry_run: z.boolean(),
    invited: z.int().meta({ description: 'Number of rows that were, or would be, invited.' }),
    results: z.array(result).meta({ description: 'One for each row, in the same order.' }),
  })
  .meta({ id: 'InvitationResults' });

const one = { email: 'grace@example.com', role: 'member' } as const;

export const invitations = group('invitations', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'Invite one e-mail, or up to 500, to a workspace; creates missing users.',
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
            description: 'Instead of email and role: several invitations, with a result for each.',
            'x-instead-of': ['email', 'role'],
          }),
        expires_in: z
          .int()
          .min(60)
          .max(lifetimes.longestInvitation)
          .optional()
          .meta({
            description: `Seconds for which the invitation is valid; default ${lifetimes.invitation}.`,
          }),
        send_mail: z.boolean().optional().meta({
          description: 'False: no mail is sent; you deliver the link. Default true.',
        }),
        dry_run: z.boolean().optional().meta({
          description:
            'With invitations: only reports the result that each row would have; nothing is counted. The daily limits that reject a whole request (mails of the workspace, invitations by the caller) are not checked.',
        }),
      })
      .superRefine((body, context) => {
        const many = body.invitations !== undefined;
        const wrong = (name: string, message: string) =>
          context.addIssue({ code: 'custom', path: [name], message });
        for (const name of ['email', 'role'] as const) {
          if (!many && body[name] === undefined) wrong(name, 'Is required');
          if (many && body[name] !== undefined)
            wrong(name, 'Not allowed together with invitations');
        }
        if (many && body.message !== undefined) wrong('message', 'Only allowed inside a row');
        if (!many && body.dry_run !== undefined)
          wrong('dry_run', 'Only allowed together with invitations');
      })
      .meta({ example: one }),
    response: z.union([invitation, invitationResults]),
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
    summary: 'The pending or expired invitations of a workspace.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z
      .strictObject({
        state: z.enum(['pending', 'expired']).optional().meta({ description: 'Default pending.' }),
        ...pageQuery,
      })
      .check(alone('offset', 'cursor')),
    response: paged(invitation),
    errors: ['not_found', 'forbidden'],
  },
  resend: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/invitations/{user_id}/resend',
    summary:
      'Send an invitation again, even an expired one, with a new token and the same lifetime.',
    auth: ['project', 'access'],
    params: ofUser,
    response: invitation,
    errors: ['not_found', 'forbidden'],
  },
  end: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/invitations/{user_id}',
    summary: 'Revoke an invitation. Called by the invitee: decline it.',
    auth: ['project', 'access'],
    params: ofUser,
    response: invitation,
    errors: ['not_found', 'forbidden'],
  },
  endByEmail: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'Revoke every invitation to an e-mail.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z.strictObject({ email }),
    response: invitation,
    errors: ['not_found', 'forbidden'],
  },
  accept: {
    method: 'POST',
    path: '/invitations/accept',
    summary:
      'Accept an invitation with the token of its link; the token from the mail also verifies the e-mail.',
    auth: ['project', 'access'],
    body: z.strictObject({
      token: z
        .string()
        .regex(/^[\w-]{43}\.[\w-]{43}$/, 'Must be the token of an invitation link')
        .meta({
          maxLength: 87,
          example: `${'A'.repeat(43)}.q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A`,
        }),
    }),
    response: member,
    statuses: [201, 200],
    created: '/workspaces/{workspace_id}/users/{user_id}',
    errors: [
      'mail_token_invalid',
      'membership_suspended',
      'mfa_required',
      'member_limit_reached',
      'workspace_limit_reached',
    ],
  },
});
