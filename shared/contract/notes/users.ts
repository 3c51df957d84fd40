import { lifetimes, limits } from '../../model/limits.ts';
import { rates } from '../../model/rates.ts';
import { credentialReset, days, type NotesOf } from './operation-note.ts';

export const userNotes: NotesOf<'users'> = {
  'users.getMe': { text: 'The user of the access token, as currently stored.' },
  'users.list': {
    text: 'Lists the newest users first, or the oldest first with `order=asc`, created between `created_after` and `created_before`. With `email` or `external_id`, the list has only that user. With a text, it has the users who match, sorted by the value that matches; these pages may be short or empty before the last one. The next page is in the `Link` header. `total` is a minimum of the number of users; `GET /stats` counts all. Deleted users are not listed, and a new user is listed about a second after creation. A page costs the same however many users there are. Users from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.',
  },
  'users.create': {
    text: 'Status 200 returns the existing user with the e-mail, unchanged except for a verification; status 201 returns the new user. A new user is rejected if another user has the `external_id`; for an existing user, `external_id` is ignored. The first verification removes every credential that was set up before, except the sessions of the backend.',
    events: ['user.created', 'user.metadata_changed', ...credentialReset],
  },
  'users.import': {
    text: 'Each user is created completely or not at all, independently of the others: an invalid user is reported and does not stop the rest. An existing user with the same `external_id` or e-mail is not changed, so you can send the request again. The service sends no mails. The first successful sign-in with an imported password hash replaces it by a hash of the service. `external_id` and e-mail must not belong to different users.',
    events: ['user.created', 'user.metadata_changed', 'user.identity_linked'],
  },
  'users.get': {
    text: 'An unknown uid creates a user without an e-mail, unless the project has turned that off: then the response is 404. The uid of a deleted user is never used again.',
    events: ['user.created'],
  },
  'users.search': {
    text: `Accepts at most ${limits.searchUids} uids and leaves out unknown ones. Changes nothing.`,
  },
  'users.update': {
    text: 'Changes only the fields in the body. A new e-mail takes effect at once when the backend sets it; a user changes it with `POST /users/me/email`. Only the backend can set, change or clear `external_id`; the user can read it.',
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
    text: 'Sessions and credentials end at once; memberships, invitations and join requests are removed soon after. If they are not within five minutes, another request of the backend starts that again. A user who owns a workspace with other members must transfer it first.',
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
    text: `An object that is not set is absent. Users read their own \`user_metadata\` and \`app_metadata\`; the backend also reads \`private_metadata\`. Each object is at most ${limits.metadata} bytes as JSON and ${limits.metadataDepth} levels deep.`,
  },
  'users.setMetadata': {
    text: 'Replaces each object that is in the body and keeps the others; `{}` clears an object. Users can change only their own `user_metadata`, and may send `app_metadata` back unchanged. The backend can change every object.',
    events: ['user.metadata_changed'],
  },
  'users.mergeMetadata': {
    text: 'A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two patches at the same time lose nothing. Users can change only their own `user_metadata`; the backend can change every object.',
    events: ['user.metadata_changed'],
  },
  'users.export': {
    text: `Follow the Link header until a page has none, and join the lists of the pages. The export includes the events of the last ${days(lifetimes.event)}. It does not include mails, which are kept for ${days(lifetimes.mail)} and can be found only by their own id. It also does not include the bounces and complaints of the e-mail address, which are events of the project. For the backend the first page says what keeps the user from signing in. \`locks\` has the password and the authenticator app: after ${rates.passwordFailures.max} wrong attempts until a quarter of an hour ends; after ${limits.wrongPasswordsInARow} in a row, without an end, until the user sets a new password by mail, or shows a recovery code. The limit of a network is not among them. \`mail_stopped\` ends when you vouch for the e-mail. Users do not see these two; leave them out of what you hand to one.`,
  },
};
