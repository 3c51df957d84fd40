import type { Changes } from '../../db/change.ts';
import { type Condition, exists, where } from '../../db/condition.ts';
import { limits } from '../../model/limits.ts';
import type { WorkspaceItem } from '../items.ts';

/** How a transaction counts the mails that a workspace sends on one day (UTC). */
export type MailQuota = { changes: Changes; condition: Condition; day: string; count: number };

/** Counts mails to non-members on the workspace that sends them, so that no workspace can be used to send spam. */
export function mailQuota(workspace: WorkspaceItem, count: number, now: Date): MailQuota {
  const today = now.toISOString().slice(0, 10);
  // An instance whose clock is ahead may have started the next day already.
  const begun = workspace.mail_day !== undefined && workspace.mail_day >= today;
  const day = begun ? String(workspace.mail_day) : today;
  const max = { most_mailed: limits.invitationMailsPerDay - count };
  if (count === 0) return { changes: {}, condition: exists, day, count };
  return begun
    ? {
        changes: { add: { mailed_count: count } },
        condition: where('#mail_day = :day AND #mailed_count <= :most_mailed', { day, ...max }),
        day,
        count,
      }
    : {
        changes: { set: { mail_day: day, mailed_count: count } },
        condition: where('attribute_not_exists(#mail_day) OR #mail_day < :day', { day }),
        day,
        count,
      };
}

/** Whether the workspace has no room for these mails on their day. */
export const quotaExceeded = (
  { mail_day, mailed_count = 0 }: WorkspaceItem,
  { day, count }: MailQuota,
): boolean => mail_day === day && mailed_count + count > limits.invitationMailsPerDay;
