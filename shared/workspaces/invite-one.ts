import { type Change, unchanged } from '../db/change.ts';
import { getMailKey } from '../mail/mail-secret.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import { addEvictingExpired } from './bulk-invite.ts';
import {
  countInvitation,
  type Invitee,
  type InviteOptions,
  inviteConflict,
  makeInvitation,
  type readInviteeState,
  uncountInvitation,
} from './invite.ts';
import { type InvitationItem, isOpen } from './items.ts';
import type { NewMembership } from './members.ts';

/**
 * Invites one e-mail, and results in the invitation. Throws `already_member`, `invitation_exists`, or what
 * `countInvitation` throws; refused as `addInvitations`.
 * @param manager the person who invites; undefined for a project's back end
 */
export async function inviteOne(
  invitee: Invitee,
  known: Awaited<ReturnType<typeof readInviteeState>>,
  terms: InviteOptions,
  manager: string | undefined,
): Promise<Change<InvitationItem>> {
  const { workspace, send_mail: mailed, now } = terms;
  const sent = { project_id: workspace.project_id, email: invitee.email, mailed, now };
  const hindered = inviteConflict(known, now);
  if (hindered) {
    // Somebody else has invited them since this request counted.
    uncountInvitation(sent);
    throw hindered;
  }
  await countInvitation(sent, manager);
  const made = makeInvitation(invitee, known, terms);
  return addEvictingExpired(workspace, [made], manager, now).as(() => made.invitation);
}

/**
 * Invites a user whom a person may not add, or results in the open invitation that they have with the same role. Throws
 * `invitation_exists` for one with another role, `email_missing`, or as `inviteOne`.
 */
export async function inviteInstead(
  { workspace, user, invitation, role, inviter }: NewMembership,
  manager: string,
  now: Date,
): Promise<Change<{ invitation: InvitationItem; isNew: boolean }>> {
  const { project_id, email } = user;
  if (invitation && isOpen(invitation, now) && invitation.role === role) {
    // It may have been made since this request counted.
    uncountInvitation({ project_id, email, mailed: true, now });
    return unchanged({ invitation, isNew: false });
  }
  if (email === '') throw new ApiError('email_missing');
  const terms = {
    ...{ workspace, inviter, now, key: await getMailKey() },
    ...{ expires_in: lifetimes.invitation, send_mail: true },
  };
  const invite = await inviteOne({ email, role }, { user, invitation }, terms, manager);
  return invite.as((made) => ({ invitation: made, isNew: true }));
}
