import * as z from 'zod';
import {
  externalId,
  memberId,
  projectId,
  role,
  status,
  timestamp,
  uid,
  workspaceId,
} from './fields.ts';
import { metadata } from './metadata.ts';
import { user } from './user-resources.ts';

/** A user as others see them: the external id is only for the backend and the user. */
const otherUser = user.omit({ external_id: true });
export const userWithRole = otherUser.extend({ role }).meta({ id: 'UserWithRole' });
export const listedMember = otherUser
  .extend({ role, member_id: memberId, suspended: z.boolean().optional() })
  .meta({ id: 'ListedMember' });
export type ListedMember = z.output<typeof listedMember>;

export const workspace = z
  .object({
    workspace_id: workspaceId,
    project_id: projectId,
    name: z.string(),
    invitation_url: z.string(),
    logo_url: z.string().optional(),
    owner_id: uid,
    owner_email: z.string(),
    created_at: timestamp,
    modified_at: timestamp,
    allowed_domains: z.array(z.string()),
    description: z.string().optional(),
    total_member_count: z.int(),
    ownership_offered_to: uid.optional().meta({
      description:
        'The admin to whom the owner has offered the workspace; absent if there is no offer.',
    }),
    external_id: externalId.optional(),
    require_mfa: z.boolean().optional().meta({
      description: 'Whether members need a second factor or a passkey; absent if they do not.',
    }),
    mfa_required_at: timestamp.optional().meta({ description: 'From when on they need it.' }),
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.output<typeof workspace>;

const invitedWorkspace = workspace
  .omit({ ownership_offered_to: true, external_id: true })
  .extend({ inviter_email: z.string() })
  .meta({ id: 'InvitedWorkspace' });

export const sameDomainWorkspace = workspace
  .pick({
    workspace_id: true,
    project_id: true,
    name: true,
    logo_url: true,
    description: true,
    total_member_count: true,
  })
  .extend({
    domain: z.string(),
    mode: z.enum(['suggest', 'auto']).optional().meta({
      description:
        'auto: POST /workspaces/join makes the caller a member. suggest: the caller may request to join.',
    }),
    proven: z.boolean().optional().meta({
      description:
        'Present, and true, if the workspace has verified by DNS that it owns the domain.',
    }),
  })
  .meta({ id: 'SameDomainWorkspace' });
export type SameDomainWorkspace = z.output<typeof sameDomainWorkspace>;

/** A workspace that the caller has requested to join. */
export const requestedWorkspace = sameDomainWorkspace
  .omit({ domain: true, mode: true, proven: true })
  .extend({ requested_at: timestamp })
  .meta({ id: 'RequestedWorkspace' });
export type RequestedWorkspace = z.output<typeof requestedWorkspace>;

/** What a user can join. */
export const joinableWorkspaces = z.object({
  invited_workspaces: z.array(invitedWorkspace).meta({
    description: 'One page; it may be short or empty even if a Link header leads to the next page.',
  }),
  same_domain_workspaces: z.array(sameDomainWorkspace).meta({
    description: 'Only in the first page, like the join requests.',
  }),
  more_same_domain_workspaces: z.boolean().optional().meta({
    description:
      'Present, and true, if more workspaces may allow the domain: the list is made of the first 100, without those that the user has joined or is invited to.',
  }),
  requested_workspaces: z.array(requestedWorkspace),
});

export const deletedWorkspace = workspace
  .omit({
    allowed_domains: true,
    owner_email: true,
    logo_url: true,
    ownership_offered_to: true,
    external_id: true,
  })
  .extend({ allowed_domain: z.array(z.string()), deleted_at: timestamp })
  .meta({ id: 'DeletedWorkspace' });
export type DeletedWorkspace = z.output<typeof deletedWorkspace>;

export const member = z
  .object({
    member_id: memberId,
    workspace_id: workspaceId,
    email: z.string(),
    inviter_id: uid,
    inviter_email: z.string(),
    status,
    role,
    created_at: timestamp,
    modified_at: timestamp,
    user_id: uid,
    suspended: z
      .boolean()
      .optional()
      .meta({ description: 'Present, and true, while the membership is suspended.' }),
    app_metadata: metadata.optional().meta({
      description: 'Written by the backend; shown to it, to admins and to the member.',
    }),
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof member>;

/** A pending membership as shown to those who manage the workspace. */
export const invitation = member
  .extend({
    state: z.enum(['pending', 'expired']),
    expires_at: timestamp,
    message: z.string().optional(),
    link: z.string().optional().meta({
      description:
        'For the inviter, to deliver by other means than mail. Only the invitee can use it, signed in.',
    }),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof invitation>;
