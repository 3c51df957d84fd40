import type { Outcome } from '../../contract/invitations.ts';
import { inChunks } from '../../db/batch-write.ts';
import { type Change, noChange } from '../../db/change.ts';
import { hasTime } from '../../db/client.ts';
import { ApiError } from '../../model/errors.ts';
import { invitationsAtOnce } from './change-invitations.ts';
import { duplicatesOf, type Invitee, inviteConflict, makeInvitation } from './invite.ts';
import {
  type Batch,
  foundNoRoom,
  inviteChunk,
  inviteOneByOne,
  noRoom,
  type Request,
  type RowResult,
  readRows,
  refused,
  type Settled,
  settleChunk,
} from './invite-chunk.ts';

/** Milliseconds that a chunk of rows may take at most. No chunk starts with less time left. */
const chunkTime = 700;

/**
 * Invites many addresses in chunks, each all or nothing. Rows for which the time or the caller's right ran out are
 * reported as `unprocessed`. When the request is sent again, finished rows return `invitation_exists`, so none is lost
 * and none is mailed twice. Rows that fit into one chunk are one Change; several chunks are committed one by one.
 */
export async function inviteMany(
  rows: readonly Invitee[],
  request: Request,
): Promise<Change<RowResult[]>> {
  const duplicates = duplicatesOf(rows);
  const results = new Map<Invitee, RowResult>();
  const note = (settled: Settled): void => {
    for (const { row, result } of settled) results.set(row, result);
  };
  const all = () =>
    rows.map(
      (row): RowResult =>
        results.get(row) ?? { ...row, outcome: duplicates.has(row) ? 'duplicate' : 'unprocessed' },
    );
  const once = rows.filter((row) => !duplicates.has(row));
  if (once.length > invitationsAtOnce) note(await rejectConflicts(once, request));
  const remaining = once.filter((row) => !results.has(row));
  const requireAnswerRoom = async () => request.requireAnswerRoom?.(await maxAnswer(rows, request));
  const settledOf = (settled: Settled) => {
    note(settled);
    return all();
  };
  if (remaining.length <= invitationsAtOnce) {
    const invite = await inviteChunk(remaining, request);
    return invite
      .ifRefused(async (failure) => {
        if (failure.code !== noRoom) return failure;
        await requireAnswerRoom();
        return noChange(await inviteOneByOne(remaining, request));
      })
      .as(settledOf);
  }
  await requireAnswerRoom();
  let full = false;
  for (const [i, chunk] of inChunks(remaining, invitationsAtOnce).entries()) {
    if (i > 0 && !hasTime(chunkTime)) break;
    try {
      const settled = await settleChunk(chunk, { ...request, full });
      note(settled);
      full ||= settled.some(foundNoRoom);
    } catch (error) {
      // Chunks committed before are reported even if a later one fails.
      if (i === 0 || !(error instanceof ApiError)) throw error;
      break;
    }
  }
  return noChange(all());
}

/** The response if every row is invited: the largest possible one, because no other outcome shows more of a row. */
async function maxAnswer(rows: readonly Invitee[], request: Request): Promise<unknown> {
  const { workspace, inviter } = await request.authorize();
  const results = rows.map((row) => {
    const { invitation } = makeInvitation(row, {}, { ...request, workspace, inviter });
    return { ...row, outcome: 'invited' as const, invitation };
  });
  return request.answerOf(results);
}

/**
 * Reads all rows at once: when the request is sent again because the time ran out, finished rows must take no time from
 * the others.
 */
async function rejectConflicts(rows: readonly Invitee[], batch: Batch): Promise<Settled> {
  const { workspace, principal } = await batch.authorize();
  const read = await readRows(rows, workspace);
  return read.flatMap(({ row, state }) => {
    const failure = inviteConflict(state, principal, batch.now);
    return failure ? [{ row, result: refused(row, failure.code as Outcome, state) }] : [];
  });
}
