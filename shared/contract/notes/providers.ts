import { providerLifetimes } from '../../model/provider-limits.ts';
import type { NotesOf } from './operation-note.ts';

/** Events of a sign-in with an account, whatever proves the account. */
const ofSignIn = [
  'user.created',
  'user.email_verified',
  'user.updated',
  'user.identity_linked',
  'session.started',
  'session.ended',
] as const;

/** Notes of the operations about accounts at identity providers. */
export const providerNotes: NotesOf<'identities' | 'providers'> = {
  'identities.signIn': {
    text: 'An account that is not linked yet is linked to the user who has its e-mail, under two conditions: the provider is authoritative for the e-mail; and the service has verified the e-mail, or the user was created only by an invitation, and then this sign-in verifies the e-mail. Otherwise the response is `identity_link_required`. The sign-in also fills in the profile fields that the user has not set.',
    events: [...ofSignIn],
    rates: ['failuresFromOne', 'signInsOfOne'],
  },
  'identities.link': {
    text: 'Send an ID token, or the code of a sign-in at the provider. If the request is rejected, the code stays valid. Linking also fills in the profile fields that the user has not set. The user gets a mail about the new account.',
    events: ['user.identity_linked', 'user.updated'],
    rates: ['passwordFailures'],
  },
  'identities.unlink': {
    text: 'The last sign-in method of a user cannot be removed. The user gets a mail about the removal.',
    events: ['user.identity_unlinked'],
    rates: ['passwordFailures'],
  },
  'identities.getToken': {
    text: 'The project must keep the tokens of the provider (`keep_tokens`), and the user must have signed in with the provider or linked it since. A token that expires within a minute is refreshed first. While another request refreshes it, or if the provider does not respond, the response has the old token while it is still valid; see `expires_at`. Rejected under impersonation, with an API key, and in a session that an OAuth client started.',
    rates: ['providerTokenRefreshes'],
  },
  'identities.getTokenOfUser': {
    text: 'Works like `GET /users/me/identities/{provider}/token`, for the backend. A project secret needs the scope of this operation itself: no other scope includes it, not even `*:read`.',
    rates: ['providerTokenRefreshes'],
  },
  'providers.start': {
    text: `A page creates a verifier, keeps it, and sends the browser here with its digest. The sign-in can be finished only in this browser, within ${providerLifetimes.signIn / 60} minutes. If the browser starts at another host of the project, it is redirected to the host of the service first. If the provider cannot be reached, the browser comes back with \`error=temporarily_unavailable\`; if the project does not have the provider, or no longer has it, with \`error=sign_in_method_disabled\`. The browser is never sent to a return URL that is not registered. The request must be a navigation of a whole tab: a request that a page of another site embeds, such as in a frame, is rejected with \`forbidden\`.`,
    rates: ['providerStartsFromOne', 'networkDoor', 'projectDoor'],
  },
  'providers.callback': {
    text: `Register this address at the provider. The browser is redirected to \`return_url\` with the \`state\` of the start, and with either \`code\` or \`error\`: \`access_denied\`, \`provider_failed\`, \`temporarily_unavailable\` or \`sign_in_method_disabled\`. If this browser did not start the sign-in, the answer is rejected without a redirect. Only the first answer to a sign-in is used. If the browser sends that answer again because it lost the redirect, it gets the same \`code\`; or \`temporarily_unavailable\` if the code does not exist yet or is no longer valid.`,
  },
  'providers.callbackByForm': {
    text: 'For providers that answer with a form, so that the name of the user does not appear in a URL.',
  },
  'providers.signIn': {
    text: `Signs in as \`POST /sessions/identity\` does, with the same rules for e-mails; the provider decides whether an e-mail is trusted. A successful sign-in makes the code invalid. If the request is rejected, the code stays valid for the rest of its ${providerLifetimes.code / 60} minutes: after \`identity_link_required\` the user can sign in with another method, and link the account with the code.`,
    events: [...ofSignIn],
    rates: ['failuresFromOne', 'signInsOfOne'],
  },
};
