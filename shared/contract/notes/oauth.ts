import { lifetimes } from '../../model/limits.ts';
import { rates } from '../../model/rates.ts';
import type { NotesOf } from './operation-note.ts';

export const oauthNotes: NotesOf<'oauth'> = {
  'oauth.authorize': {
    text: `For browsers. The response is always a redirect, unless the client or its \`redirect_uri\` is unknown. If the browser has a session, it is redirected to \`redirect_uri\` with \`code\`, \`state\` and \`iss\`; otherwise to the page on which the user signs in. If \`redirect_uri\` is not https, any program on the user’s machine may listen there, so a session is accepted only for ${lifetimes.signInForProgram} seconds after its sign-in. Every client must use PKCE with S256. The code is valid once and for ${lifetimes.authorizationCode} seconds. Errors are also sent to \`redirect_uri\`, with \`error\` and \`error_description\`.`,
  },
  'oauth.authorizeByForm': {
    text: 'Redirects to `GET /authorize` with the same parameters.',
  },
  'oauth.token': {
    text: `A client with secrets authenticates with Basic or with \`client_secret\`; a client without secrets sends \`client_id\`. A code starts a new session, which the user sees in their list of sessions; a second use of the code ends that session. A refresh token is renewed as with \`POST /sessions/token/refresh\`, which rejects the sessions of clients with secrets. Errors have the members of RFC 6749. Each network may send ${rates.networkDoor.max} requests without a valid secret or refresh token to a project in ${rates.networkDoor.seconds} seconds.`,
    events: ['session.started', 'session.ended', 'session.reuse_detected'],
    rates: ['signInsOfOne'],
  },
  'oauth.userinfo': {
    text: 'Send the access token of the session, not the ID token. For a session that no client started, the response has every claim.',
  },
  'oauth.userinfoByPost': { text: 'The service does not read the body.' },
  'oauth.logout': {
    text: 'For browsers. With `id_token_hint`, the session in the token ends, and so does the session of the browser if the same user has it; then the browser is redirected to `post_logout_redirect_uri`, or to a page. Without `id_token_hint`, the browser is redirected to a page that asks the user first.',
    events: ['session.ended'],
  },
  'oauth.logoutByForm': { text: 'Redirects to `GET /logout` with the same parameters.' },
};
