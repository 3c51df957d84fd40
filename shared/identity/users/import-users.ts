import type { Project } from '../../access/projects.ts';
import type { ImportedUser, RowResult } from '../../contract/user-import.ts';
import { inChunks } from '../../db/batch-write.ts';
import { hasTime } from '../../db/client.ts';
import { commit } from '../../db/commit.ts';
import { retryWhileStale } from '../../db/retry-stale.ts';
import { normalizeEmail } from '../../model/email.ts';
import { ApiError, type FieldError } from '../../model/errors.ts';
import { admitKinds } from '../passwords/imported-kinds.ts';
import { importUser } from './import-user.ts';

/** Rows that are written at the same time, each in a transaction of its own. */
const width = 10;
/** Milliseconds that so many rows may take. None starts with less time left. */
const chunkTime = 700;

/** A row of the request: valid, or with what is wrong with it. */
export type Row = { user: ImportedUser } | { errors: FieldError[] };

/**
 * Imports users one by one and returns a result for each, in order. Rows that the time was not enough for are
 * `unprocessed`. When the request is sent again, the users of finished rows exist, so none is created twice.
 */
export async function importUsers(
  project: Project,
  rows: readonly Row[],
  { dry_run, now }: { dry_run: boolean; now: Date },
): Promise<RowResult[]> {
  const results: RowResult[] = rows.map((row) =>
    'errors' in row ? { outcome: 'failed', errors: row.errors } : { outcome: 'unprocessed' },
  );
  const earlier: Earlier = { byEmail: new Map(), byId: new Map() };
  const valid: { user: ImportedUser; i: number }[] = [];
  for (const [i, row] of rows.entries()) {
    if (!('user' in row)) continue;
    const errors = repeated(row.user, earlier);
    if (errors.length > 0) results[i] = { outcome: 'failed', errors };
    else valid.push({ user: row.user, i });
  }
  const admitKind = admitKinds(project.project_id, { dry_run });
  for (const [n, chunk] of inChunks(valid, width).entries()) {
    if (n > 0 && !hasTime(chunkTime)) break;
    const settled = await Promise.allSettled(
      chunk.map(async ({ user, i }) => {
        results[i] = await settle(user, { project, admitKind, dry_run, now });
      }),
    );
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed === undefined) continue;
    // Users created before are reported even if the table fails now.
    if (n === 0 || !(failed.reason instanceof ApiError)) throw failed.reason as Error;
    break;
  }
  return results;
}

type Names = { email: string | undefined; external_id: string | undefined };
type Earlier = { byEmail: Map<string, Names>; byId: Map<string, Names> };

/** Two rows of one request must not name the same user: which of them were the right one? */
function repeated(row: ImportedUser, { byEmail, byId }: Earlier): FieldError[] {
  const email = row.email === undefined ? undefined : normalizeEmail(row.email);
  const { external_id } = row;
  const errors: FieldError[] = [];
  const note = (name: string | undefined, by: Map<string, Names>) => {
    const first = name === undefined ? undefined : by.get(name);
    if (name !== undefined && !first) by.set(name, { email, external_id });
    return first;
  };
  const [sameEmail, sameId] = [note(email, byEmail), note(external_id, byId)];
  if (sameEmail) {
    const detail = thatOf('external id', sameEmail.external_id, external_id);
    errors.push({ pointer: '/email', detail });
  }
  if (sameId) {
    const detail = thatOf('e-mail', sameId.email, email);
    errors.push({ pointer: '/external_id', detail });
  }
  return errors;
}

/** Names the earlier user by their other name, unless the row has the same. */
const thatOf = (what: string, theirs: string | undefined, own: string | undefined): string =>
  `Is that of an earlier user${theirs === undefined || theirs === own ? '' : `, with the ${what} ${theirs}`}`;

const settle = (
  user: ImportedUser,
  context: Parameters<typeof importUser>[1],
): Promise<RowResult> => retryWhileStale(async () => commit(await importUser(user, context)));
