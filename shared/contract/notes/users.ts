import { lifetimes, limits } from '../../model/limits.ts';
import type { NotesOf } from './operation-note.ts';

const days = (seconds: number) => `${seconds / 86_400} days`;

export const userNotes: NotesOf<'users'> = {
  'users.getMe': { text: 'The user of the access token, as the service has it now.' },
  'users.list': {
    text: 'Newest first, or the oldest with `order=asc`, between `created_after` and `created_before`; or the one with an `email` or `external_id`; or those that a text finds, in the order of what it finds them by; their pages may be short or empty before the last. The next page is in the `Link` header. `total` says how many there are at least; `GET /stats` counts all. Deleted users are in no list, new ones about a second later. A page costs the same however many users there are. Users from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.',
  },
  'users.create': {
    text: 'Status 200 returns the user who has the e-mail, unchanged except for a verification; 201 returns the new one. For a new user, an `external_id` that another user has is refused; where the e-mail has a user, it is not read. The first verification removes every credential that was set up before, except the sessions of the backend.',
    events: [
      'user.created',
      'user.metadata_changed',
      'user.email_verified',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
    ],
  },
  'users.import': {
    text: 'Each user is created by itself, all or nothing, or reported: a wrong one stops no other. A user who exists, by `external_id` or e-mail, is not changed, so a request may be sent again. Nobody gets a mail. Sign-in accepts an imported password hash until the first success, which replaces it by one of ours. `external_id` and e-mail must not belong to different users.',
    events: ['user.created', 'user.metadata_changed', 'user.identity_linked'],
  },
  'users.get': {
    text: 'An unknown uid creates a user without an e-mail if the project has turned that on; otherwise the response is 404. The uid of a deleted user is never used again.',
    events: ['user.created'],
  },
  'users.search': {
    text: `Takes at most ${limits.searchUids} uids and leaves out those that are unknown. Changes nothing.`,
  },
  'users.update': {
    text: 'Changes only the fields in the body. A new e-mail takes effect at once when the backend sets it; a user changes it with `POST /users/me/email`. Only the backend gives, changes and clears `external_id`; the user reads it.',
    events: [
      'user.updated',
      'user.email_changed',
      'user.email_verified',
      'user.disabled',
      'user.enabled',
      'user.sessions_ended',
    ],
  },
  'users.delete': {
    text: 'Sessions and credentials end at once; memberships, invitations and join requests are removed soon after. A user who owns a workspace with other members must transfer it first.',
    events: [
      'user.deleted',
      'workspace.deleted',
      'workspace.member.removed',
      'workspace.invitation.revoked',
      'workspace.join_request.withdrawn',
      'workspace.ownership_offer_ended',
    ],
    rates: ['passwordFailures'],
  },
  'users.getDeletion': {
    text: 'The receipt has `completed_at` once every membership has been removed.',
  },
  'users.getMetadata': {
    text: `What is not set is absent. The user reads \`user_metadata\` and \`app_metadata\` of their own, the backend also \`private_metadata\`. Each is at most ${limits.metadata} bytes as JSON and ${limits.metadataDepth} levels deep.`,
  },
  'users.setMetadata': {
    text: 'Replaces each object in the body and leaves the others; `{}` clears one. A user changes `user_metadata` of their own; `app_metadata` may be sent back unchanged. The backend changes all.',
    events: ['user.metadata_changed'],
  },
  'users.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two at once lose nothing. A user changes `user_metadata` of their own, the backend all.',
    events: ['user.metadata_changed'],
  },
  'users.export': {
    text: `Follow the Link header until there is none, and join the lists of the pages. Includes the events of the last ${days(lifetimes.event)}. Not in it are mails, which are kept for ${days(lifetimes.mail)} and found by their own id alone, and what is known of the e-mail address itself: its bounces and complaints, which are events of the project, and whether mail to it has stopped.`,
  },
};
