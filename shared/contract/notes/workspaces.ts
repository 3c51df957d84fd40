import { lifetimes, limits } from '../../model/limits.ts';
import { invitation } from '../../model/workspace-resources.ts';
import { invitationLink, invitationRows, invited } from '../examples/data.ts';
import { invitationResults } from '../invitations.ts';
import { asBefore, credentialReset, days, type NotesOf } from './operation-note.ts';

const number = (value: number) => value.toLocaleString('en');
export const workspaceNotes: NotesOf<
  'workspaces' | 'domains' | 'members' | 'joinRequests' | 'joinLinks' | 'invitations' | 'ownership'
> = {
  'workspaces.create': {
    text: `The owner becomes the first admin of the workspace. Users can create their own workspaces if the project allows it (\`workspace_creation\`: \`verified\` requires a verified e-mail, \`anyone\` does not; the default \`backend\` allows only the backend). A user owns at most ${limits.ownedWorkspacesPerUser} workspaces and is a member of at most ${number(limits.workspacesPerUser)}.`,
    events: ['workspace.created', 'workspace.metadata_changed'],
    rates: ['workspacesByOne'],
  },
  'workspaces.list': {
    text: 'A user lists their own workspaces; the backend names the user in `user_id`. The list has only accepted memberships. A workspace in which the user is suspended is not listed, but may be counted and make its page shorter. Without `user_id` the backend lists all workspaces of the project: the newest first, or the oldest first with `order=asc`, created between `created_after` and `created_before`. With `external_id`, the list has only that workspace. With a text, it has the workspaces with a word in their name that starts with the text, sorted by that word; these pages may be short or empty before the last one. In the list of the project, a new workspace appears about a second after creation, `total` is a minimum of their number, and a page costs the same however many workspaces there are. Workspaces from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.',
  },
  'workspaces.get': {
    text: 'Returns 404 to users who are not members, as if the workspace did not exist.',
    permissions: ['workspace:read'],
  },
  'workspaces.update': {
    text: 'Changes only the fields in the body. You may send a whole workspace back as you read it. Only the backend can set, change or clear `external_id`; every member can read it.',
    permissions: ['workspace:update'],
    rates: ['secondFactorDemands'],
    events: ['workspace.updated'],
  },
  'workspaces.delete': {
    text: `Every member loses access at once. Another workspace can use its external id at once. After ${days(lifetimes.deletedWorkspace)} the workspace is deleted for good.`,
    permissions: ['workspace:delete'],
    events: ['workspace.deleted'],
  },
  'workspaces.restore': {
    text: 'The members have access again with their previous roles. The workspace gets its external id back, unless another workspace has that id now. A workspace that is not deleted is returned unchanged.',
    permissions: ['workspace:restore'],
    events: ['workspace.restored'],
  },
  'workspaces.getMetadata': {
    text: `An object that is not set is absent. The owner and admins read \`app_metadata\`; the backend also reads \`private_metadata\`. Each object is at most ${limits.metadata} bytes as JSON and ${limits.metadataDepth} levels deep.`,
    permissions: ['workspace:read-metadata'],
  },
  'workspaces.setMetadata': {
    text: 'Replaces each object that is in the body and keeps the other; `{}` clears an object.',
    events: ['workspace.metadata_changed'],
  },
  'workspaces.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two patches at the same time lose nothing.',
    events: ['workspace.metadata_changed'],
  },
  'workspaces.setAllowedDomains': {
    text: 'Replaces the whole list. Domains that stay in the list keep their mode. `PUT /workspaces/{workspace_id}/allowed_domains/{domain}` sets the mode of one.',
    permissions: ['workspace:set-domains'],
    events: ['workspace.domains_changed'],
  },
  'workspaces.listJoined': {
    text: 'The response is a plain array without a total. The Link header has the next page.',
  },
  'workspaces.listInvited': {
    text: 'Use it after sign-in to show a user which workspaces they can join. Invitations to an e-mail that the user no longer has are left out.',
  },
  'domains.list': {
    text: 'Each domain comes with the DNS record that verifies it.',
    permissions: ['domain:list'],
  },
  'domains.set': {
    text: `A user may allow only the domain of their own verified e-mail, and may set \`auto\` only for a verified domain. The backend may set any. A workspace has at most ${limits.allowedDomains} domains; one more is 400.`,
    permissions: ['workspace:set-domains'],
    events: ['workspace.domains_changed'],
  },
  'domains.prove': {
    text: 'If the record is not found, the error names the record that is expected. A verified domain stays verified.',
    permissions: ['domain:prove'],
    events: ['workspace.domain_proven'],
  },
  'members.join': {
    text: 'A user can join only as themselves: with an invitation, an allowed domain or a `join_token`. The backend can make any user join without one of these.',
    events: ['workspace.member.joined', 'workspace.member.added'],
  },
  'members.add': {
    text: `A user is added at once if they have asked to join, have a verified e-mail in a domain that the workspace has verified, or share another workspace with the caller while they have fewer than ${limits.workspacesUnasked}. The backend adds every user at once. \`suspended\` also requires the permission to suspend members, and returns 403 for a user who would be invited.`,
    permissions: ['member:add', 'member:suspend'],
    events: [
      'workspace.member.added',
      'workspace.member.suspended',
      'workspace.ownership_offer_ended',
      'workspace.invitation.created',
      'workspace.invitation.revoked',
      'workspace.invitation.expired',
    ],
    rates: ['additionsByOne', 'invitationsByOne', 'invitationsToOne'],
  },
  'members.list': {
    text: 'The required permission depends on `status`. Plain members see less of the sign-in data of others.',
    permissions: ['member:list-accepted', 'member:list-pending'],
  },
  'members.get': {
    text: 'Accepted members only; invitations have their own list.',
    permissions: ['member:read'],
  },
  'members.remove': {
    text: 'The owner cannot leave or be removed; transfer the ownership first. An ownership offer to the member ends.',
    permissions: ['member:remove', 'member:leave'],
    events: [
      'workspace.member.removed',
      'workspace.member.left',
      'workspace.ownership_offer_ended',
    ],
    answers: asBefore,
  },
  'members.suspend': {
    text: 'The owner cannot be suspended. A suspension ends an ownership offer to the member.',
    permissions: ['member:suspend'],
    events: [
      'workspace.member.suspended',
      'workspace.member.resumed',
      'workspace.ownership_offer_ended',
    ],
  },
  'members.setMetadata': {
    text: `The object \`app_metadata\` is at most ${limits.memberMetadata} bytes as JSON and ${limits.metadataDepth} levels deep; \`{}\` clears it. The member, the owner and admins read it with \`GET /workspaces/{workspace_id}/users/{user_id}\`; lists of members do not have it. It is deleted with the membership.`,
    events: ['workspace.member.metadata_changed'],
  },
  'members.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or the whole object; arrays are replaced. Two patches at the same time lose nothing.',
    events: ['workspace.member.metadata_changed'],
  },
  'members.changeRole': {
    text: "The owner's role cannot change. An ownership offer to an admin who becomes a member ends. `If-Match` takes the `ETag` of the member; the answer shows the user, and has none.",
    permissions: ['member:change-role'],
    events: ['workspace.member.role_changed', 'workspace.ownership_offer_ended'],
  },
  'invitations.create': {
    text: `With \`invitations\`, each row has its own result, and the request succeeds even if some rows do not. A row with an invalid e-mail or role rejects the whole request. A workspace has at most ${number(limits.invitationsPerWorkspace)} pending invitations; at that number, expired ones are removed to make room.`,
    permissions: ['invitation:create'],
    events: [
      'user.created',
      'workspace.invitation.created',
      'workspace.invitation.revoked',
      'workspace.invitation.expired',
    ],
    rates: ['invitationsByOne', 'invitationsToOne', 'unmailedInvitationsToOne'],
    answers: {
      201: {
        description: 'Created.',
        form: { schema: invitation, example: { ...invited, link: invitationLink } },
      },
      200: {
        description: 'The result of each row; nothing was created if it is a dry run.',
        form: {
          schema: invitationResults,
          example: invitationRows,
        },
      },
    },
  },
  'invitations.list': {
    text: `An expired invitation stays listed for ${days(lifetimes.expiredInvitation)} and can be sent again.`,
    permissions: ['invitation:list'],
  },
  'invitations.resend': {
    text: 'The tokens of earlier mails and links become invalid. The mail goes to the address that was invited. The role of the invitation is checked again: the response is 400 if the role no longer exists, and 403 with `missing` if the caller may not give it.',
    permissions: ['invitation:resend'],
    events: ['workspace.invitation.resent'],
    rates: ['invitationsByOne', 'invitationsToOne'],
  },
  'invitations.end': {
    text: "The token of the invitation becomes invalid at once. An invitee needs only the invitation, and no permission. The response is 403 with `missing` if the invited role may do more than the caller's.",
    permissions: ['invitation:revoke', 'invitation:decline'],
    events: ['workspace.invitation.revoked', 'workspace.invitation.declined'],
    answers: asBefore,
  },
  'invitations.endByEmail': {
    text: "Every invitation that was mailed there ends, and its token becomes invalid at once. The response is 403 with `missing` if an invited role may do more than the caller's.",
    permissions: ['invitation:revoke'],
    events: ['workspace.invitation.revoked'],
    answers: { 200: { description: 'One of those that ended, as it was before.' } },
  },
  'invitations.accept': {
    text: 'A user can accept only their own invitations; the backend accepts for the user in the token. A repeated request returns the membership with status 200.',
    events: [...credentialReset, 'workspace.member.joined'],
  },
  'joinRequests.create': {
    text: `The domain must have the mode \`suggest\` or \`auto\`. A request is open for ${days(lifetimes.joinRequest)}; a repeated one returns the open request with status 200.`,
    events: ['workspace.join_request.created'],
  },
  'joinRequests.list': {
    text: 'Each request comes with the public profile and the e-mail of its user.',
    permissions: ['join-request:list'],
  },
  'joinRequests.approve': {
    text: 'The join request ends, and the user has access from their next request on.',
    permissions: ['join-request:approve'],
    events: ['workspace.member.joined'],
  },
  'joinRequests.delete': {
    text: 'The user may ask again later. Users can withdraw their own requests without a permission; a limited API key of the user needs the permission.',
    permissions: ['join-request:refuse'],
    events: ['workspace.join_request.refused', 'workspace.join_request.withdrawn'],
    answers: asBefore,
  },
  'joinLinks.create': {
    text: `Only the owner or the backend may create a link with a role that manages the workspace, such as admin. A workspace has at most ${limits.joinLinksPerWorkspace} valid links.`,
    permissions: ['join-link:create'],
    events: ['workspace.join_link.created'],
  },
  'joinLinks.list': {
    text: 'The tokens are not listed: the service stores only their digests.',
    permissions: ['join-link:list'],
  },
  'joinLinks.revoke': {
    text: 'Members who joined with the link stay members.',
    permissions: ['join-link:revoke'],
    events: ['workspace.join_link.revoked'],
    answers: asBefore,
  },
  'ownership.offer': {
    text: 'An offer stays open until it is accepted, withdrawn or declined, until another offer or a transfer by the backend replaces it, or until the admin leaves, is suspended or is no longer an admin. The backend transfers the ownership without the consent of the admin.',
    permissions: ['ownership:offer'],
    events: ['workspace.ownership_offered', 'workspace.ownership_transferred'],
  },
  'ownership.accept': {
    text: 'Only the admin to whom the workspace is offered may accept. A repeated request returns the workspace.',
    permissions: ['ownership:accept'],
    events: ['workspace.ownership_transferred'],
  },
  'ownership.end': {
    text: 'The owner withdraws the offer; the admin who received it declines it. Without an offer, the workspace is returned unchanged.',
    permissions: ['ownership:end'],
    events: ['workspace.ownership_offer_ended'],
  },
};
