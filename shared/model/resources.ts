import * as z from 'zod';
import { atMost, isWellFormed, plain, plainLines } from './code-points.ts';
import { limits } from './limits.ts';

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A UUID is the same in any case (RFC 9562 section 4); it is compared and kept in lower case. */
export const uid = z
  .string()
  .regex(new RegExp(uuid.source.replaceAll('a-f', 'a-fA-F')), 'Must be a UUID')
  .toLowerCase()
  .meta({
    description: 'Id of a user: a UUID, which is answered in lower case.',
    example: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01',
  });
export const workspaceId = z
  .string()
  .regex(new RegExp(`^wid-${uuid.source.slice(1)}`), 'Must be wid- and a UUID in lower case')
  .meta({ description: 'Id of a workspace.', example: 'wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a02' });
const memberId = z.string().meta({
  description: 'Id of a membership.',
  example: 'mid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a03',
});
export const projectId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Must be 1 to 63 lower-case letters, digits and hyphens')
  .meta({ description: 'Id of a project.', example: 'demo' });
export const role = z
  .enum(['member', 'admin'])
  .meta({ description: 'Role of a member.', example: 'member' });
export const status = z
  .enum(['accepted', 'pending'])
  .meta({ description: 'Status of a membership.', example: 'accepted' });
export type Role = z.output<typeof role>;
export type Status = z.output<typeof status>;

export const sessionId = z
  .string()
  .regex(uuid, 'Must be a UUID in lower case')
  .meta({ description: 'Id of a session.', example: '7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11' });
/** What a person agrees to right now; the service notes when. */
export const agreement = z
  .strictObject({ tos: z.literal(true).optional(), sign_up: z.literal(true).optional() })
  .refine((terms) => Object.keys(terms).length > 0, 'Must name what is agreed to')
  .meta({
    description: 'What the person agrees to; the time of the request is kept.',
    minProperties: 1,
  });

export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, milliseconds.', example: '2026-11-21T08:00:00.000Z' });

const unprintable = 'Must not contain control characters';
/** One line of text: no control characters, no bidirectional overrides. */
export const line = (max: number) =>
  z.string().check(atMost(max)).regex(plain, unprintable).refine(isWellFormed, unprintable);
/** Text that may have line breaks. */
export const text = (max: number) =>
  z.string().check(atMost(max)).regex(plainLines, unprintable).refine(isWellFormed, unprintable);
const httpsPattern = String.raw`^https://[\w.~:/?#\[\]@!$&'()*+,;=%-]+$`;
const https = new RegExp(httpsPattern);
/** An absolute https URL. */
export const httpsUrl = z
  .string()
  .max(limits.url)
  .refine(isHttpsUrl, 'Must be an https URL')
  .meta({ format: 'uri', pattern: httpsPattern, example: 'https://example.com/logo.png' });
/** An https URL, or the empty string for none. */
export const httpsUrlOrEmpty = z
  .string()
  .max(limits.url)
  .refine((value) => value === '' || isHttpsUrl(value), 'Must be an https URL or empty')
  .meta({ pattern: `^$|${httpsPattern}`, example: 'https://example.com/me' });

/** A multi-valued attribute in the manner of RFC 7643 section 2.4. */
export const link = z.strictObject({
  value: httpsUrl,
  type: line(limits.name).optional(),
  primary: z.boolean().optional(),
  display: line(100).optional(),
});
export type Link = z.output<typeof link>;

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

/** As `users/search` shows a user: the display name is named `displayed_name`. */
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
      description: 'The admin whom the owner offers the workspace to; absent while there is none.',
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
      description: 'auto: POST /workspaces/join lets the caller in. suggest: they may ask.',
    }),
    proven: z.boolean().optional().meta({
      description:
        'Present, and true, where the workspace has proven by DNS that the domain is its own.',
    }),
  })
  .meta({ id: 'SameDomainWorkspace' });
export type SameDomainWorkspace = z.output<typeof sameDomainWorkspace>;

/** A workspace that the caller has asked to join. */
export const requestedWorkspace = sameDomainWorkspace
  .omit({ domain: true, mode: true, proven: true })
  .extend({ requested_at: timestamp })
  .meta({ id: 'RequestedWorkspace' });
export type RequestedWorkspace = z.output<typeof requestedWorkspace>;

export const domainMode = z.enum(['suggest', 'auto', 'off']).meta({
  description:
    'auto: whose verified e-mail is in the domain may join at once. suggest: they may ask. off: neither.',
  example: 'suggest',
});

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

/** A live session as its user sees it; nothing of it is a credential. */
export const sessionInfo = z
  .object({
    session_id: sessionId,
    method: z.string().meta({
      description: 'How it was started: idpw, email_code, an identity provider, or project.',
    }),
    created_at: timestamp,
    last_refreshed_at: timestamp,
    user_agent: z.string().meta({ description: 'Empty where the back end started it.' }),
    address: z
      .string()
      .meta({ description: 'The network it came from: an IPv4 /24, an IPv6 /48.' }),
    current: z.boolean().meta({ description: 'Whether it is the session of this very request.' }),
  })
  .meta({ id: 'SessionInfo' });
export type SessionInfo = z.output<typeof sessionInfo>;

/** The answer to what goes on by mail; the same whether or not there is such an account. */
export const mailed = z
  .object({
    expires_in: z.int().meta({ description: 'Seconds for which the mailed link or code is good.' }),
  })
  .meta({ id: 'Mailed' });

/** A pending membership as those who manage it see it. */
export const invitation = member
  .extend({
    state: z.enum(['pending', 'expired']),
    expires_at: timestamp,
    message: z.string().optional(),
    link: z.string().optional().meta({
      description:
        'For whoever invites, to hand on by another way than mail. Only the invitee can use it, signed in.',
    }),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof invitation>;

/** The paged list envelope. */
export const paged = <T extends z.ZodType>(element: T) =>
  z.object({
    total: z.int().meta({ description: 'How many there are in all.' }),
    count: z.int().meta({ description: 'How many are in this page.' }),
    result: z.array(element),
  });

function isHttpsUrl(value: string): boolean {
  // RFC 3986 characters only: what needs escaping somewhere is escaped already, and no page of a list outgrows Lambda's
  // 6 MB. No user info: it makes one address look like another.
  if (!https.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}
