import type { KeyObject } from 'node:crypto';
import type { Project } from '../../access/projects.ts';
import type { MailItem } from '../../mail/mails.ts';
import type { MailContent } from '../../mail/templates.ts';
import { isOpen } from '../items.ts';
import { invitationLink } from '../views.ts';
import { getWorkspace } from '../workspaces.ts';
import { invitationToken } from './invitation-token.ts';
import { getInvitation, lifetimeOf } from './invitations.ts';

/** What the mail of an invitation says, if the invitation is still the version that was mailed. */
export async function readInvitationLetter(
  { project_id, workspace_id = '', user_id = '', invited_at }: MailItem,
  now: Date,
): Promise<((project: Project, product: string, key: KeyObject) => MailContent) | undefined> {
  const [workspace, invitation] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getInvitation(workspace_id, user_id),
  ]);
  if (!workspace || !invitation || !isOpen(invitation, now)) return undefined;
  if (invitation.modified_at !== invited_at) return undefined;
  return (project, product, key) => ({
    template: 'workspace_invitation',
    product,
    workspace: workspace.name,
    inviter: invitation.inviter_email,
    message: invitation.message,
    link: invitationLink(invitation, project, invitationToken(invitation, 'mail', key)),
    minutes: Math.ceil(lifetimeOf(invitation) / 60),
  });
}
