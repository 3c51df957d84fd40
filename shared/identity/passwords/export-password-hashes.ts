import { ConditionFailed, update } from '../../db/change.ts';
import { existsInProject } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { transact } from '../../db/transaction.ts';
import { assertPasswordUnchanged, getPassword } from './passwords.ts';

/** How often the password of a user may change meanwhile: nobody's does so again and again. */
const attempts = 5;

/**
 * The password hashes of users, by uid. Each user gets an event about it, in the write that must succeed before the
 * hash is returned. Users without a password, deleted ones and those of another project are left out.
 */
export async function exportPasswordHashes(
  project_id: string,
  uids: readonly string[],
): Promise<{ project_id: string; hashes: Record<string, string> }> {
  const found = await Promise.all(
    [...new Set(uids)].map(async (uid) => [uid, await exportHash(project_id, uid)] as const),
  );
  const hashes = Object.fromEntries(found.filter(([, hash]) => hash !== undefined));
  return { project_id, hashes: hashes as Record<string, string> };
}

async function exportHash(project_id: string, uid: string): Promise<string | undefined> {
  const exported = withEvents({}, { type: 'user.password_exported' });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const password = await getPassword(uid);
    if (!password) return undefined;
    const user = update(keys.user(uid), exported, existsInProject(project_id));
    try {
      await transact({ user, password: assertPasswordUnchanged(password) });
      return password.hash;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Of another project, or deleted.
      if ('user' in error.failed) return undefined;
      // Else it changed since it was read, as by a first sign-in.
    }
  }
  throw new Error(`The password of ${uid} keeps changing. Try again.`);
}
