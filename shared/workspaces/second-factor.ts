import type { VerifiedCaller } from '../access/caller.ts';
import type { SessionItem } from '../access/live-session.ts';
import { getItem } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { isSingleFactor } from '../identity/sessions/authentication.ts';
import { ApiError } from '../model/errors.ts';
import type { WorkspaceItem } from './items.ts';

/**
 * Whether the caller is somebody who has shown one factor alone: in their session, or in that in which they made their
 * API key. Costs no read beside the request's own of the session.
 */
export async function isCallerSingleFactor(caller: VerifiedCaller): Promise<boolean> {
  if (caller.kind !== 'person') return false;
  return caller.key ? caller.key.second_factor !== true : isSessionSingleFactor(caller);
}

/** Whether the person of a session has shown one factor alone. The session is read in the batch of the turn. */
export async function isSessionSingleFactor(of: {
  uid: string;
  session_id: string;
}): Promise<boolean> {
  const session = await getItem<SessionItem>(keys.session(of.uid, of.session_id));
  return session !== undefined && isSingleFactor(session);
}

/** Whether a workspace asks its members for a second factor by now. */
export const asksForSecondFactor = ({
  mfa_required_at,
}: Pick<WorkspaceItem, 'mfa_required_at'>): boolean =>
  mfa_required_at !== undefined && mfa_required_at <= currentRequest().now.toISOString();

/** Throws `mfa_required` to a member who has shown one factor alone, if the workspace asks for a second one. */
export function requireSecondFactor(
  workspace: Pick<WorkspaceItem, 'mfa_required_at'>,
  singleFactor: boolean,
): void {
  if (singleFactor && asksForSecondFactor(workspace)) throw new ApiError('mfa_required');
}
