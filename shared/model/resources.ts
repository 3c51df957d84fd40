import * as z from 'zod';
import {
  memberId,
  projectId,
  role,
  sessionId,
  status,
  timestamp,
  uid,
  workspaceId,
} from './fields.ts';

const name = z.object({
  given_name: z.string(),
  family_name: z.string(),
  formatted: z.string(),
});

const linkOut = z.object({
  value: z.string(),
  type: z.string().optional(),
  primary: z.boolean().optional(),
  display: z.string().optional(),
});

const wallet = z.object({
  address: z.string().meta({ description: 'EVM address, EIP-55; empty: no wallet yet.' }),
  type: z.string(),
});

export const user = z
  .object({
    uid,
    project_id: projectId,
    email: z.string(),
    profile_url: z.string(),
    preferred_username: z.string(),
    thumbnail_url: z.string(),
    name,
    display_name: z.string(),
    about_me: z.string(),
    current_location: z.string(),
    social: z.string().optional(),
    sign_in_methods: z.record(z.string(), z.object({ enabled: z.boolean() })).optional(),
    verified: z.object({ email: z.boolean(), sms: z.boolean().optional() }),
    address: z.string(),
    wallet,
    created_at: timestamp,
    modified_at: timestamp,
    photos: z.array(linkOut),
    urls: z.array(linkOut),
    last_sign_in_at: timestamp.optional(),
    agreed_terms: z.object({ tos: timestamp.optional(), sign_up: timestamp.optional() }).optional(),
    disabled: z.boolean().optional().meta({ description: 'Present, and true, while disabled.' }),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof user>;

/** A user as returned by `users/search`: `display_name` is named `displayed_name`. */
export const foundUser = user
  .omit({ display_name: true })
  .extend({ displayed_name: z.string() })
  .meta({ id: 'FoundUser' });
export type FoundUser = z.output<typeof foundUser>;

export const userWithRole = user.extend({ role }).meta({ id: 'UserWithRole' });
export const listedMember = user
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
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.output<typeof workspace>;

export const invitedWorkspace = workspace
  .omit({ ownership_offered_to: true })
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

export const deletedWorkspace = workspace
  .omit({
    allowed_domains: true,
    owner_email: true,
    logo_url: true,
    ownership_offered_to: true,
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
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof member>;

export const session = z
  .object({
    access_token: z.string(),
    refresh_token: z.string(),
    uid,
    user,
    user_created: z.boolean(),
  })
  .meta({ id: 'Session' });

/** A live session as shown to its user; it contains no credential. */
export const sessionInfo = z
  .object({
    session_id: sessionId,
    method: z.string().meta({
      description:
        'How the session was started: idpw, email_code, an identity provider, or project.',
    }),
    created_at: timestamp,
    last_refreshed_at: timestamp,
    user_agent: z.string().meta({ description: 'Empty if the backend started the session.' }),
    address: z
      .string()
      .meta({ description: 'The network it was started from: an IPv4 /24 or an IPv6 /48.' }),
    client_id: z.string().optional().meta({
      description: 'The OAuth client that started it; absent for a session of the user alone.',
    }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
  })
  .meta({ id: 'SessionInfo' });
export type SessionInfo = z.output<typeof sessionInfo>;

/** The response to a request that sends a mail; the same whether or not the account exists. */
export const mailed = z
  .object({
    expires_in: z
      .int()
      .meta({ description: 'Seconds for which the mailed link or code is valid.' }),
  })
  .meta({ id: 'Mailed' });

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
