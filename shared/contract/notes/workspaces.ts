import { lifetimes, limits } from '../../model/limits.ts';
import type { NotesOf } from './operation-note.ts';

const number = (value: number) => value.toLocaleString('en');
const days = (seconds: number) => `${seconds / 86_400} days`;

export const workspaceNotes: NotesOf<
  'workspaces' | 'domains' | 'members' | 'joinRequests' | 'joinLinks' | 'invitations' | 'ownership'
> = {
  'workspaces.create': {
    text: `The owner becomes its first admin. A user creates one of their own where the project allows it (\`workspace_creation\`: \`verified\` requires a verified e-mail, \`anyone\` none; default \`backend\`). A user owns at most ${limits.ownedWorkspacesPerUser} workspaces and is a member of at most ${number(limits.workspacesPerUser)}.`,
    events: ['workspace.created', 'workspace.metadata_changed'],
    rates: ['workspacesByOne'],
  },
  'workspaces.list': {
    text: 'A user lists their own workspaces; the backend names the user. Only accepted memberships count; one that is suspended is not shown, but may be counted and leave its page shorter. Without `user_id` the backend lists all workspaces of the project: newest first, or the oldest with `order=asc`, between `created_after` and `created_before`; or the one with an `external_id`; or those of which a word of the name starts with a text, in the order of these words; their pages may be short or empty before the last. There a new workspace comes about a second later, `total` says how many there are at least, and a page costs the same however many there are; those from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.',
  },
  'workspaces.get': {
    text: 'Returns 404 to everybody who is not a member, as if the workspace did not exist.',
    permissions: ['workspace:read'],
  },
  'workspaces.update': {
    text: 'Changes only the fields in the body. A whole workspace may be sent back as it was read. Only the backend gives, changes and clears `external_id`; every member reads it.',
    permissions: ['workspace:update'],
    events: ['workspace.updated'],
  },
  'workspaces.delete': {
    text: `Every member loses access at once. Its external id is free at once. After ${days(lifetimes.deletedWorkspace)} the workspace is deleted for good.`,
    permissions: ['workspace:delete'],
    events: ['workspace.deleted'],
  },
  'workspaces.restore': {
    text: 'The members have access again with the roles that they had. The workspace has its external id again unless another one has that by now. A workspace that is not deleted is returned as it is.',
    permissions: ['workspace:restore'],
    events: ['workspace.restored'],
  },
  'workspaces.getMetadata': {
    text: `What is not set is absent. Owner and admins read \`app_metadata\`, the backend also \`private_metadata\`. Each is at most ${limits.metadata} bytes as JSON and ${limits.metadataDepth} levels deep.`,
    permissions: ['workspace:read-metadata'],
  },
  'workspaces.setMetadata': {
    text: 'Replaces each object in the body and leaves the other; `{}` clears one.',
    events: ['workspace.metadata_changed'],
  },
  'workspaces.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two at once lose nothing.',
    events: ['workspace.metadata_changed'],
  },
  'workspaces.setAllowedDomains': {
    text: 'Replaces the whole list; domains that stay keep their mode. `PUT /workspaces/{workspace_id}/allowed_domains/{domain}` sets the mode of one.',
    permissions: ['workspace:set-domains'],
    events: ['workspace.domains_changed'],
  },
  'workspaces.listJoined': {
    text: 'A plain array without a total; the Link header leads to the next page.',
  },
  'workspaces.listInvited': {
    text: 'Use it to show a user where they can go after signing in. Invitations to a mailbox that the user no longer has are left out.',
  },
  'domains.list': {
    text: 'Each domain comes with the DNS record that verifies it.',
    permissions: ['domain:list'],
  },
  'domains.set': {
    text: 'A user may allow only the domain of their own verified e-mail, and may set `auto` only for a verified domain. The backend may set any.',
    permissions: ['workspace:set-domains'],
    events: ['workspace.domains_changed'],
  },
  'domains.prove': {
    text: 'If the record is not found, the error names the record that is expected. A verified domain stays verified.',
    permissions: ['domain:prove'],
    events: ['workspace.domain_proven'],
  },
  'members.join': {
    text: 'A user joins by an invitation, by an allowed domain or with `join_token`, and only as themselves. The backend lets any user join without either.',
    events: ['workspace.member.joined', 'workspace.member.added'],
  },
  'members.add': {
    text: 'A user who has asked to join, or has a verified e-mail in a domain that the workspace has verified, or shares another workspace with the caller is added at once. The backend adds every user at once. `suspended` also takes the right to suspend members, and is refused (403) for a user who would be invited.',
    permissions: ['member:add', 'member:suspend'],
    events: [
      'workspace.member.added',
      'workspace.member.suspended',
      'workspace.ownership_offer_ended',
      'workspace.invitation.created',
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
    text: `The object \`app_metadata\` has at most ${limits.memberMetadata} bytes as JSON and ${limits.metadataDepth} levels deep; \`{}\` clears it. It is in no list of members, and goes with the membership. The member, owner and admins read it with the member.`,
    events: ['workspace.member.metadata_changed'],
  },
  'members.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or the whole object; arrays are replaced. Two at once lose nothing.',
    events: ['workspace.member.metadata_changed'],
  },
  'members.changeRole': {
    text: "The owner's role cannot change. An ownership offer to an admin who becomes a member ends.",
    permissions: ['member:change-role'],
    events: ['workspace.member.role_changed', 'workspace.ownership_offer_ended'],
  },
  'invitations.create': {
    text: `With \`invitations\`, each row has a result of its own and the request succeeds even if some rows do not; a row with an invalid e-mail or role refuses the whole request. A workspace has at most ${number(limits.invitationsPerWorkspace)} pending invitations; if that is reached, expired ones are removed to make room.`,
    permissions: ['invitation:create'],
    events: ['user.created', 'workspace.invitation.created', 'workspace.invitation.expired'],
    rates: ['invitationsByOne', 'invitationsToOne', 'unmailedInvitationsToOne'],
  },
  'invitations.list': {
    text: `An expired invitation stays listed for ${days(lifetimes.expiredInvitation)} and can be sent again.`,
    permissions: ['invitation:list'],
  },
  'invitations.resend': {
    text: 'The tokens of earlier mails and links become invalid. The mail goes to the address that was invited. It gives the role anew: 400 if there is no such role any more, 403 with `missing` if the caller may not give it.',
    permissions: ['invitation:resend'],
    events: ['workspace.invitation.resent'],
    rates: ['invitationsByOne', 'invitationsToOne'],
  },
  'invitations.end': {
    text: 'The token of the invitation becomes invalid at once. An invitee needs no permission but the invitation.',
    permissions: ['invitation:revoke', 'invitation:decline'],
    events: ['workspace.invitation.revoked', 'workspace.invitation.declined'],
  },
  'invitations.endByEmail': {
    text: 'The token of the invitation becomes invalid at once.',
    permissions: ['invitation:revoke'],
    events: ['workspace.invitation.revoked'],
  },
  'invitations.accept': {
    text: 'A user accepts only an invitation of their own; the backend accepts for the user whom the token names. A repeated request returns the membership with status 200.',
    events: [
      'user.email_verified',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
      'workspace.member.joined',
    ],
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
    text: 'The request ends with the approval, and the user has access from the next request on.',
    permissions: ['join-request:approve'],
    events: ['workspace.member.joined'],
  },
  'joinRequests.delete': {
    text: 'The user may ask again later. The requesting user needs no permission; a limited API key of theirs needs it to withdraw the request.',
    permissions: ['join-request:refuse'],
    events: ['workspace.join_request.refused', 'workspace.join_request.withdrawn'],
  },
  'joinLinks.create': {
    text: `Only the owner or the backend may create a link that makes admins. A workspace has at most ${limits.joinLinksPerWorkspace} live links.`,
    permissions: ['join-link:create'],
    events: ['workspace.join_link.created'],
  },
  'joinLinks.list': {
    text: 'The tokens are not listed: the service stores only their digests.',
    permissions: ['join-link:list'],
  },
  'joinLinks.revoke': {
    text: 'Members who joined with the link stay.',
    permissions: ['join-link:revoke'],
    events: ['workspace.join_link.revoked'],
  },
  'ownership.offer': {
    text: 'An offer stands until it is accepted, withdrawn or declined, until another offer or a transfer by the backend takes its place, or until the admin leaves, is suspended or is no longer an admin. The backend needs no consent of the admin.',
    permissions: ['ownership:offer'],
    events: ['workspace.ownership_offered', 'workspace.ownership_transferred'],
  },
  'ownership.accept': {
    text: 'Only the admin to whom the workspace is offered may accept. A repeated request returns the workspace.',
    permissions: ['ownership:accept'],
    events: ['workspace.ownership_transferred'],
  },
  'ownership.end': {
    text: 'The owner withdraws the offer; the admin to whom it was made declines it. Without an offer, the workspace is returned as it is.',
    permissions: ['ownership:end'],
    events: ['workspace.ownership_offer_ended'],
  },
};
