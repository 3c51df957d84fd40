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
    text: 'An account that is not linked yet is linked to the user with its e-mail only if the provider is authoritative for that e-mail, and the service has verified it or only an invitation has created the user, whose e-mail this sign-in verifies; otherwise the response is `identity_link_required`. Fills in the profile fields that the user has not set.',
    events: [...ofSignIn],
    rates: ['failuresFromOne'],
  },
  'identities.link': {
    text: 'With an ID token, or with the code of a sign-in at the provider: a refusal does not use the code up. Fills in the profile fields that the user has not set. The user gets a mail about the new account.',
    events: ['user.identity_linked', 'user.updated'],
    rates: ['passwordFailures'],
  },
  'identities.unlink': {
    text: 'The last sign-in method of a user cannot be removed. The user gets a mail about it.',
    events: ['user.identity_unlinked'],
    rates: ['passwordFailures'],
  },
  'identities.getToken': {
    text: 'Where the project keeps the tokens of the provider (`keep_tokens`), of who has signed in or linked there since. One that ends within a minute is refreshed before; while another request does so, or the provider does not answer, it is what is left of it, as `expires_at` says. Not under impersonation, not with an API key, and not in a session that an OAuth client has started.',
    rates: ['providerTokenRefreshes'],
  },
  'identities.getTokenOfUser': {
    text: 'As `GET /users/me/identities/{provider}/token`, for the backend. No other scope includes its own, not even `*:read`.',
    rates: ['providerTokenRefreshes'],
  },
  'providers.start': {
    text: `A page sends the browser here with a digest, and keeps what it is the digest of. The sign-in can be finished in this browser alone, for ${providerLifetimes.signIn / 60} minutes. At any other host of the project than the service the browser is sent to the service first. Where the provider cannot be asked, the browser comes back with \`error=temporarily_unavailable\`, and where the project has no such provider, or not any more, with \`error=sign_in_method_disabled\`. To a return URL that is not registered it is never sent. Only a whole tab can start: what a page of another site loads into itself, such as a frame, is refused with \`forbidden\`.`,
    rates: ['providerStartsFromOne', 'projectDoor'],
  },
  'providers.callback': {
    text: `Register this address at the provider. The browser goes on to \`return_url\` with \`code\`, or with \`error\`: \`access_denied\`, \`provider_failed\`, \`temporarily_unavailable\` or \`sign_in_method_disabled\`; and with the \`state\` of the start. An answer that this browser has not begun is refused and leads nowhere. Of several the first is used. One that comes again, because our redirect was lost, leads to the same \`code\`; \`temporarily_unavailable\` if there is none yet, or none any more.`,
  },
  'providers.callbackByForm': {
    text: 'For providers that answer with a form, so that the name of the person is in no address.',
  },
  'providers.signIn': {
    text: `Uses the code up and signs in as \`POST /sessions/identity\` does; whose word on an e-mail counts goes by the provider. A refusal leaves the code good for what is left of its ${providerLifetimes.code / 60} minutes: after \`identity_link_required\` the user may sign in with another method, and link with it.`,
    events: [...ofSignIn],
    rates: ['failuresFromOne'],
  },
};
