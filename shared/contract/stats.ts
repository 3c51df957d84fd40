import * as z from 'zod';
import { timestamp } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { group } from './route.ts';

const count = z.int().min(0);

const day = z
  .object({
    date: z.iso.date().meta({ description: 'The day (UTC).' }),
    new_users: count.meta({ description: 'Users created.' }),
    active_users: count.meta({
      description: 'Users with a session that was started or renewed, each user counted once.',
    }),
    sign_ins: z.record(z.string(), count).meta({
      description:
        'Sessions started, by method as `sessions.list` names it: `idpw`, `email_code`, `email_link`, `passkey`, an identity provider, or `project` for those that the backend started. Methods without sign-ins are absent.',
    }),
    sign_in_failures: z.record(z.string(), count).meta({
      description:
        'Sign-ins rejected for a wrong password, code or identity token, by method, whether or not the account exists. Sign-ins rejected by a rate limit are not counted. A failure is missing if its function crashed or the table rejected the count.',
    }),
    lockouts: count.meta({
      description:
        'Passwords locked after 100 failures in a row until the user sets a new one by mail, whether or not the account exists. A lock is missing if its function crashed or the table rejected the count.',
    }),
    invitations_created: count.meta({
      description: 'Users invited; invitations sent again are not counted.',
    }),
    invitations_accepted: count.meta({ description: 'Invitations accepted by the invitee.' }),
  })
  .meta({ id: 'DayStatistics' });

const month = z
  .object({
    month: z.string().meta({ description: 'The month (UTC).', example: '2026-11' }),
    active_users: count.meta({
      description: 'Users with a session that was started or renewed, each user counted once.',
    }),
  })
  .meta({ id: 'MonthStatistics' });

export const stats = group('stats', {
  get: {
    method: 'GET',
    path: '/stats',
    summary:
      'Statistics of the project: its current numbers, and the numbers of each of the last days.',
    auth: ['project'],
    query: z.strictObject({
      days: z
        .int()
        .min(1)
        .max(limits.statsDays.max)
        .optional()
        .meta({
          description: `Number of days, today included; default ${limits.statsDays.default}.`,
          default: limits.statsDays.default,
        }),
    }),
    response: z
      .object({
        counted_since: timestamp.optional().meta({
          description:
            'The time since which everything is counted: the creation of the project, or the first event after the upgrade to 0.10.0. Earlier days are left out. Absent before that event.',
        }),
        totals: z
          .object({
            users: count,
            workspaces: count,
            members: count.meta({
              description: 'Accepted memberships of all workspaces, owners included.',
            }),
          })
          .optional()
          .meta({
            description:
              'The current numbers of the project, without deleted data. Absent until the data from before the upgrade to 0.10.0 has been counted.',
          }),
        days: z.array(day).meta({ description: 'Oldest first; the last one is today.' }),
        months: z.array(month).meta({
          description: 'The months of these days, oldest first, each from its first day on.',
        }),
      })
      .meta({ id: 'Statistics' }),
  },
});
