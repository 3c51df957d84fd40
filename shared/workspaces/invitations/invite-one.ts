import { type Change, noChange } from '../../db/change.ts';
import { getMailKey } from '../../mail/mail-secret.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes } from '../../model/limits.ts';
import type { Principal } from '../../roles/principal.ts';
import { type InvitationItem } from '../items.ts';
import type { NewMembership } from '../members/add-member.ts';
import { isOpenFor } from './invitations.ts';
import {
  countInvitation,
  type Invitee,
  type InviteeState,
  type InviteOptions,
  inviteConflict,
  makeInvitation,
  uncountInvitation,
} from './invite.ts';
import { addEvictingExpired } from './invite-chunk.ts';

/**
 * Invites one address and returns the invitation. Throws `already_member`, `invitation_exists`, or the errors of
 * `countInvitation`. Refused like `addInvitations`.
 *
 * @param principal the person who invites; undefined for a backend
 */
export async function inviteOne(
  invitee: Invitee,
  state: InviteeState,
  options: InviteOptions,
  principal: Principal | undefined,
): Promise<Change<InvitationItem>> {
  const { workspace, send_mail: mailed, now } = options;
  const sent = { project_id: workspace.project_id, email: invitee.email, mailed, now };
  const conflict = inviteConflict(state, principal, now);
  if (conflict) {
    // Another request invited them after this one consumed the rate limit: refund it.
    uncountInvitation(sent);
    throw conflict;
  }
  await countInvitation(sent, principal);
  const made = makeInvitation(invitee, state, options);
  return addEvictingExpired(workspace, [made], principal, now)
    .as(() => made.invitation)
    .ifRefused((failure) => {
      uncountInvitation(sent);
      return failure;
    });
}

/**
 * Invites a user whom the person may not add directly, or returns their open invitation if it has the same role. Throws
 * `invitation_exists` if it has another role, `email_missing`, or the errors of `inviteOne`.
 */
export async function inviteInstead(
  { workspace, user, invitation, role, inviter }: NewMembership,
  principal: Principal,
  now: Date,
): Promise<Change<{ invitation: InvitationItem; isNew: boolean }>> {
  const { project_id, email } = user;
  const isInvited = invitation && isOpenFor(invitation, user, now);
  if (isInvited && invitation.role === role) {
    // It may have been created after this request consumed the rate limit: refund it.
    uncountInvitation({ project_id, email, mailed: true, now });
    return noChange({ invitation, isNew: false });
  }
  if (email === '') throw new ApiError('email_missing');
  const options = {
    workspace,
    inviter,
    now,
    key: await getMailKey(),
    expires_in: lifetimes.invitation,
    send_mail: true,
  };
  const invite = await inviteOne({ email, role }, { user, invitation }, options, principal);
  return invite.as((made) => ({ invitation: made, isNew: true }));
}
