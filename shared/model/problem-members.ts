import * as z from 'zod';
import { captchaProviders } from './captcha-providers.ts';
import type { ErrorCode } from './error-codes.ts';
import { memberId, uid, workspaceId } from './fields.ts';
import { limits } from './limits.ts';
import { permission } from './permission.ts';

/** The ids of the examples of the contract. */
const example = {
  member_id: 'mid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a03',
  user_id: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a04',
};
const user_id = uid
  .optional()
  .meta({ description: 'The user. May be absent if the request itself names the user.' });

/**
 * The members that the failures of a code add to the problem document (RFC 9457 section 3.2), each with the same schema
 * under every code. A failure may leave out those that are optional. Only types of it are in the bundles of functions.
 */
export const problemMembers = {
  already_member: { schema: z.object({ member_id: memberId, user_id }), example },
  invitation_exists: { schema: z.object({ member_id: memberId, user_id }), example },
  owns_workspaces: {
    schema: z.object({
      workspace_ids: z
        .array(workspaceId)
        .meta({ description: 'The workspaces that the user owns, at most 100 of them.' }),
    }),
    example: { workspace_ids: ['wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a02'] },
  },
  domain_not_proven: {
    schema: z.object({
      record_name: z.string().meta({ description: 'The name of the TXT record to publish.' }),
      record_value: z.string().meta({ description: 'The value of the TXT record.' }),
    }),
    example: {
      record_name: '_identity-workspace.example.com',
      record_value: 'identity-workspace=Zk3w1FqVd0t8kq0cB6o1n3zC2m5f7h9jLrTyUiOpAsD',
    },
  },
  captcha_required: {
    schema: z.object({
      provider: z
        .enum(captchaProviders)
        .meta({ description: 'The provider of the captcha to show.' }),
      site_key: z.string().meta({ description: "The project's public key at that provider." }),
    }),
    example: { provider: 'turnstile', site_key: '0x4AAAAAAAexample' },
  },
  role_in_use: {
    schema: z.object({
      member_count: z.int().min(0).max(limits.countedHolders).meta({
        description:
          'The number of members, open invitations and valid join links with the role, counted up to 1,000.',
      }),
      member_count_is_at_least: z
        .boolean()
        .optional()
        .meta({ description: 'True if there may be more.' }),
      inherited_by: z.array(z.string()).optional().meta({
        description: 'The roles that inherit from the role. If present, members were not counted.',
      }),
    }),
    example: { member_count: 3 },
  },
  permission_in_use: {
    schema: z.object({
      roles: z.array(z.string()).meta({ description: 'The roles that have the permission.' }),
    }),
    example: { roles: ['accountant'] },
  },
  forbidden: {
    schema: z.object({
      missing: z.array(permission).optional().meta({
        description: "The permissions that the caller's role lacks, if that is the reason.",
      }),
    }),
    example: { missing: ['invoice:pay'] },
  },
} satisfies Partial<Record<ErrorCode, { schema: z.ZodObject; example: object }>>;

/** The members by code. */
export type ProblemMembers = {
  [C in keyof typeof problemMembers]: z.output<(typeof problemMembers)[C]['schema']>;
};
