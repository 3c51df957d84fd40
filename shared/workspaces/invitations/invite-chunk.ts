import type { Outcome } from '../../contract/invitations.ts';
import { type Change, noChange } from '../../db/change.ts';
import { commit } from '../../db/commit.ts';
import { StaleReadError } from '../../db/request-context.ts';
import { retryWhileStale } from '../../db/retry-stale.ts';
import { ApiError } from '../../model/errors.ts';
import type { Principal } from '../../roles/principal.ts';
import type { Authorized } from '../authorize.ts';
import type { InvitationItem, WorkspaceItem } from '../items.ts';
import { addInvitations } from './change-invitations.ts';
import { evictExpired } from './end-invitations.ts';
import { isFor, listInvitations } from './invitations.ts';
import {
  countInvitation,
  type Invitee,
  type InviteeState,
  type InviteOptions,
  inviteConflict,
  makeInvitation,
  readInviteeState,
  uncountInvitation,
} from './invite.ts';

/** The result of one row of the request. */
export type RowResult = Invitee & { outcome: Outcome; invitation?: InvitationItem | undefined };

/** One bulk invitation and its options. */
export type Request = Omit<InviteOptions, 'workspace' | 'inviter'> & {
  project_id: string;
  /** Builds the response from the results. */
  answerOf: (results: readonly RowResult[]) => unknown;
  /**
   * Throws `content_too_large` if the record of the response has no room for the largest possible one. Absent if no
   * response is recorded.
   */
  requireAnswerRoom?: ((answer: unknown) => Promise<void>) | undefined;
  /** Authorizes again before each chunk, because the right may end between two chunks. */
  authorize: () => Promise<Pick<Authorized, 'workspace' | 'inviter' | 'principal'>>;
};

/** A request as its chunks see it. */
export type Batch = Request & {
  /** An earlier row reached the invitation limit, so the others are not tried. */
  full?: boolean;
};

export type Settled = { row: Invitee; result: RowResult }[];

export const noRoom: Outcome = 'invitation_limit_reached';
export const foundNoRoom = ({ result }: Settled[number]): boolean => result.outcome === noRoom;

export const readRows = (rows: readonly Invitee[], { project_id, workspace_id }: WorkspaceItem) =>
  Promise.all(
    rows.map(async (row) => ({
      row,
      state: await readInviteeState(project_id, workspace_id, row.email),
    })),
  );

/** A row that is not invited. An invitation to an address that the user had before is not shown: it tells that one. */
export const refused = (
  row: Invitee,
  outcome: Outcome,
  { user, invitation }: InviteeState,
): RowResult => ({
  ...row,
  outcome,
  ...(user && invitation && isFor(invitation, user) && { invitation }),
});

export async function settleChunk(rows: readonly Invitee[], batch: Batch): Promise<Settled> {
  try {
    return await retryWhileStale(async () => commit(await inviteChunk(rows, batch)));
  } catch (error) {
    if (error instanceof ApiError && error.code === noRoom) return inviteOneByOne(rows, batch);
    throw error;
  }
}

/** If not all rows fit, invites them one by one, so that the first ones do. */
export async function inviteOneByOne(rows: readonly Invitee[], batch: Batch): Promise<Settled> {
  const [row, ...others] = rows;
  if (row && others.length === 0) return [{ row, result: { ...row, outcome: noRoom } }];
  const settled: Settled = [];
  for (const each of rows) {
    const full = settled.some(foundNoRoom);
    try {
      settled.push(...(await settleChunk([each], { ...batch, full })));
    } catch (error) {
      // They were counted together, and are not tried any more.
      for (const left of rows.slice(settled.length + 1)) uncountInvitation(sentOf(left, batch));
      // Rows that were invited before are reported, as chunks are.
      if (settled.length === 0 || !(error instanceof ApiError)) throw error;
      break;
    }
  }
  return settled;
}

export async function inviteChunk(
  rows: readonly Invitee[],
  batch: Batch,
): Promise<Change<Settled>> {
  const { now } = batch;
  const { workspace, inviter, principal } = await batch.authorize();
  const options = { ...batch, workspace, inviter };
  const states = await readRows(rows, workspace);
  const settled = await Promise.all(
    states.map(async (each) => {
      const { row } = each;
      const conflict = inviteConflict(each.state, principal, now);
      // An invitation that replaces an expired one needs no room.
      if (batch.full && !conflict && !each.state.invitation)
        return { row, result: { ...row, outcome: noRoom } };
      const failure = conflict ?? (await rateLimitError(row, batch, principal));
      if (failure) return { row, result: refused(row, failure.code as Outcome, each.state) };
      const made = makeInvitation(row, each.state, options);
      const { invitation } = made;
      return { row, made, result: { ...row, outcome: 'invited' as const, invitation } };
    }),
  );
  const made = settled.flatMap((each) => ('made' in each && each.made ? [each.made] : []));
  const results = settled.map(({ row, result }) => ({ row, result }));
  const uncount = (some: readonly Settled[number][]) => {
    for (const { row } of some) uncountInvitation(sentOf(row, batch));
  };
  // An earlier run may have counted them. Only with the commit: in a further run they may be invited after all, and
  // nothing is counted twice in a request.
  const uncountOthers = async () => uncount(settled.filter((each) => !('made' in each)));
  if (made.length === 0) return noChange(results).afterwards(uncountOthers);
  return addEvictingExpired(workspace, made, principal, now)
    .as(() => results)
    .afterwards(uncountOthers)
    .ifRefused((failure) => {
      // Of several rows without room, some may still be invited one by one.
      if (failure.code !== noRoom || rows.length === 1) uncount(settled);
      return failure;
    });
}

/**
 * Adds invitations. If the limit is reached, deletes expired invitations to make room. Throws `StaleReadError` if the
 * member who acts is among those invited.
 */
export function addEvictingExpired(
  workspace: WorkspaceItem,
  made: Parameters<typeof addInvitations>[1],
  principal: Principal | undefined,
  now: Date,
): Change<void> {
  // They are no member by now. A transaction that has their membership twice would be invalid.
  if (made.some(({ user }) => user.uid === principal?.uid)) throw new StaleReadError();
  return addInvitations(workspace, made, principal, now).ifRefused(async (failure) => {
    const full = failure.code === noRoom;
    const { workspace_id } = workspace;
    const expired = full ? await listInvitations(workspace_id, 'expired', now) : [];
    if (expired.length > 0) {
      await commit(evictExpired(workspace_id, expired));
      return undefined;
    }
    return failure;
  });
}

const sentOf = ({ email }: Invitee, { project_id, send_mail: mailed, now }: Batch) => ({
  project_id,
  email,
  mailed,
  now,
});

/** The error if an address was invited too often. */
async function rateLimitError(
  row: Invitee,
  batch: Batch,
  principal: Principal | undefined,
): Promise<ApiError | undefined> {
  try {
    await countInvitation(sentOf(row, batch), principal);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too_many_requests') return error;
    throw error;
  }
}
