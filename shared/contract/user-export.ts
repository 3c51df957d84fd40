import * as z from 'zod';
import { projectId, timestamp, uid, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { userMetadata } from '../model/metadata.ts';
import { sessionInfo, user } from '../model/user-resources.ts';
import { invitation, member, workspace } from '../model/workspace-resources.ts';
import { apiKey } from './api-keys.ts';
import { event } from './events.ts';
import { factor } from './factors.ts';
import { passkey } from './passkeys.ts';

/** The receipt of a deleted user. */
export const userDeletion = z
  .object({
    uid,
    project_id: projectId,
    deleted_at: timestamp,
    completed_at: timestamp.optional().meta({
      description:
        'When the last membership was removed; absent while memberships are being removed.',
    }),
  })
  .meta({ id: 'UserDeletion' });
export type UserDeletion = z.output<typeof userDeletion>;

const whereHeld = {
  workspace_name: z.string(),
  workspace_deleted: z
    .boolean()
    .optional()
    .meta({ description: 'Present, and true, if it was deleted and can be restored.' }),
};

/** What keeps a user from signing in and the user does not show: for the backend, in the first page. */
const obstacles = {
  locks: z
    .array(
      z.object({
        credential: z.enum(['password', 'totp']),
        wrong_attempts: z.int(),
        until: timestamp.optional().meta({
          description: 'Absent if waiting does not help.',
        }),
      }),
    )
    .optional()
    .meta({
      description: 'What accepts no attempt now. Only for the backend; absent without any.',
    }),
  mail_stopped: z
    .object({ at: timestamp, because: z.enum(['bounced', 'complained']) })
    .optional()
    .meta({
      description: 'Since when the user gets no mail. Only for the backend.',
    }),
};
export type SignInObstacles = z.output<z.ZodObject<typeof obstacles>>;

/** A page of all data stored about a user. */
export const userExport = z
  .object({
    exported_at: timestamp,
    user,
    metadata: userMetadata.optional(),
    password: z.object({ changed_at: timestamp }).optional(),
    identities: z.array(
      z.object({
        provider: z.string(),
        issuer: z.string(),
        subject: z.string(),
        tokens_kept: z.literal(true).optional().meta({
          description:
            'Present if the service keeps tokens of the provider. The tokens are credentials and are not exported.',
        }),
      }),
    ),
    passkeys: z.array(passkey).optional().meta({ description: 'Absent without any.' }),
    factors: z.array(factor).optional().meta({ description: 'Absent without any.' }),
    ...obstacles,
    sessions: z.array(sessionInfo),
    ended_sessions: z
      .array(sessionInfo)
      .optional()
      .meta({
        description: `The newest ${limits.exportedOfEach} sessions that ended because their refresh token was used twice or they were not refreshed in time. They are stored until they would have expired. Only in the first page; absent if there are none.`,
      }),
    api_keys: z.array(apiKey).optional().meta({
      description:
        'The list includes keys that ended when the user set a password by mail, as long as they are stored. Only in the first page; absent if there are none.',
    }),
    memberships: z.array(member.extend(whereHeld)),
    invitations: z.array(invitation.omit({ link: true }).extend(whereHeld)),
    join_requests: z.array(
      z.object({
        workspace_id: workspaceId,
        created_at: timestamp,
        message: z.string().optional(),
        ...whereHeld,
      }),
    ),
    owned_workspaces: z.array(workspace),
    events: z.array(event).meta({ description: 'The events of the last 90 days, oldest first.' }),
    events_truncated: z
      .literal(true)
      .optional()
      .meta({
        description: `There are older events, beyond ${limits.exportedEvents} or some megabytes: the next page has them.`,
      }),
  })
  .meta({ id: 'UserExport' });
export type UserExport = z.output<typeof userExport>;
