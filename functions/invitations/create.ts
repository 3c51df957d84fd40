import type { KeyObject } from 'node:crypto';
import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { getRolesToGive, requireMayGiveEach } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { inviteMany } from '#shared/workspaces/invitations/bulk-invite.ts';
import { foreseeInvitations } from '#shared/workspaces/invitations/foresee-invitations.ts';
import { invitationToken } from '#shared/workspaces/invitations/invitation-token.ts';
import { type Invitee, readInviteeState } from '#shared/workspaces/invitations/invite.ts';
import type { RowResult } from '#shared/workspaces/invitations/invite-chunk.ts';
import { inviteOne } from '#shared/workspaces/invitations/invite-one.ts';
import type { InvitationItem } from '#shared/workspaces/items.ts';
import { invitationLink, toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(
  invitations.create,
  async ({ params, body, caller, now, requireAnswerRoom }) => {
    const { workspace_id } = params;
    const { project_id, project } = caller;
    const { expires_in = lifetimes.invitation, send_mail = true, dry_run = false } = body;
    /** May invite, with each of these roles. */
    const authorized = async (assignments: { role: string; pointer: string }[]) => {
      const [found, roles] = await Promise.all([
        authorize(caller, 'invitation:create', workspace_id),
        getRolesToGive(project_id, workspace_id, ...assignments.map(({ role }) => role)),
      ]);
      requireMayGiveEach(found.principal, assignments, roles);
      return found;
    };
    const view = (item: InvitationItem, key: KeyObject) => ({
      ...toInvitation(item, now),
      link: invitationLink(item, project, invitationToken(item, 'link', key)),
    });
    const answerOf = (rows: readonly RowResult[], key: KeyObject) => {
      const results = rows.map(({ email, role, outcome, invitation }) => ({
        ...{ email, role, outcome },
        ...(invitation && {
          invitation: outcome === 'invited' ? view(invitation, key) : viewStanding(invitation, now),
        }),
      }));
      const invited = rows.filter(({ outcome }) => outcome === 'invited').length;
      return reply({ dry_run, invited, results }, { status: 200 });
    };

    if (body.invitations) {
      const key = await getMailKey();
      const options = { project_id, expires_in, send_mail, key, now };
      const assignments = body.invitations.map(({ role }, i) => ({
        role,
        pointer: `/body/invitations/${i}/role`,
      }));
      const request = {
        ...options,
        authorize: () => authorized(assignments),
        answerOf: (results: readonly RowResult[]) => answerOf(results, key),
        requireAnswerRoom,
      };
      if (dry_run) return answerOf(await foreseeInvitations(body.invitations, request), key);
      const invite = await inviteMany(body.invitations, request);
      return invite.as((rows) => answerOf(rows, key));
    }

    const { email = '', role = 'member', message } = body;
    const invitee: Invitee = { email, role, message };
    const [{ workspace, inviter, principal }, state, key] = await Promise.all([
      authorized([{ role, pointer: '/body/role' }]),
      readInviteeState(project_id, workspace_id, email),
      getMailKey(),
    ]);
    const options = { workspace, inviter, expires_in, send_mail, key, now };
    const invite = await inviteOne(invitee, state, options, principal);
    return invite.as((invitation) => view(invitation, key));
  },
);

/**
 * An invitation that already exists, without its message, which the caller did not write; its link is available by a
 * resend. With 500 messages, the response would also be too large to record.
 */
function viewStanding(item: InvitationItem, now: Date) {
  const { message: _, ...standing } = toInvitation(item, now);
  return standing;
}
