import type { Outcome } from '../../contract/invitations.ts';
import type { WorkspaceItem } from '../items.ts';
import { invitationLimit } from '../members/membership-transaction.ts';
import { listInvitations } from './invitations.ts';
import { duplicatesOf, type Invitee, inviteConflict, mayCountInvitation } from './invite.ts';
import { noRoom, type Request, type RowResult, readRows, refused } from './invite-chunk.ts';

const tooMany: Outcome = 'too_many_requests';

/**
 * The outcome that each row of `inviteMany` would have now. Writes and counts nothing. It goes from row to row, as
 * `inviteMany` does where not all rows have room.
 *
 * Not foreseen is what refuses or ends the request as a whole: the mails of the workspace today, the invitations of the
 * person, and the time.
 */
export async function foreseeInvitations(
  rows: readonly Invitee[],
  { project_id, authorize, send_mail: mailed, now }: Request,
): Promise<RowResult[]> {
  const { workspace, principal } = await authorize();
  const duplicates = duplicatesOf(rows);
  const once = rows.filter((row) => !duplicates.has(row));
  // Asked for in one turn, so that both are read together.
  const [found, counted] = await Promise.all([
    readRows(once, workspace),
    Promise.all(
      once.map(({ email }) => mayCountInvitation({ project_id, email, mailed, now }, principal)),
    ),
  ]);
  const more = found.filter(({ state }) => !state.member && !state.invitation).length;
  let room = await roomFor(more, workspace, now);
  let full = false;
  const results = new Map<Invitee, RowResult>();
  for (const [i, { row, state }] of found.entries()) {
    const conflict = inviteConflict(state, principal, now);
    if (conflict) results.set(row, refused(row, conflict.code as Outcome, state));
    else if (full) results.set(row, { ...row, outcome: noRoom });
    else if (!counted[i]) results.set(row, refused(row, tooMany, state));
    else {
      full = room === 0;
      results.set(row, { ...row, outcome: full ? noRoom : 'invited' });
      room -= 1;
    }
  }
  return rows.map((row) => results.get(row) ?? { ...row, outcome: 'duplicate' });
}

/**
 * How many rows can be invited, of which `more` have no invitation yet; Infinity if all can. Expired invitations have
 * room while there is enough for all; then they make room, and a row that replaces one takes it as any other does.
 */
async function roomFor(
  more: number,
  { workspace_id, pending_member_count: pending }: WorkspaceItem,
  now: Date,
): Promise<number> {
  const left = invitationLimit.max - pending;
  if (more <= left) return Infinity;
  const expired = await listInvitations(workspace_id, 'expired', now);
  return Math.max(0, left + expired.length);
}
