import { ConditionFailed, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import { getPassword, samePassword } from '../identity/passwords.ts';
import { userExists } from '../identity/users.ts';
import { requireProject } from './secrets.ts';

/**
 * The password hashes of users, by uid. Each user gets an event about it, in the write that must succeed before the
 * hash is returned. Users without a password, deleted ones and those of another project are left out.
 */
export async function exportPasswordHashes(
  project_id: string,
  uids: readonly string[],
): Promise<{ project_id: string; hashes: Record<string, string> }> {
  await requireProject(project_id);
  const found = await Promise.all(
    [...new Set(uids)].map(async (uid) => {
      const password = await getPassword(uid);
      if (!password) return [];
      const exported = withEvents({}, { type: 'user.password_exported' });
      const ours = and(userExists, where('#project_id = :project_id', { project_id }));
      try {
        await transact({
          user: update(keys.user(uid), exported, ours),
          password: samePassword(password),
        });
      } catch (error) {
        // Of another project, deleted or changed meanwhile: the next run has what is there then.
        if (error instanceof ConditionFailed) return [];
        throw error;
      }
      return [[uid, password.hash] as const];
    }),
  );
  return { project_id, hashes: Object.fromEntries(found.flat()) };
}
