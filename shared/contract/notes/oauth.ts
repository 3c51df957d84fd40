import { lifetimes } from '../../model/limits.ts';
import { rates } from '../../model/rates.ts';
import type { NotesOf } from './operation-note.ts';

export const oauthNotes: NotesOf<'oauth'> = {
  'oauth.authorize': {
    text: `For browsers: the response is always a redirect, except where the client or its \`redirect_uri\` is not known. With a session in the browser it leads to \`redirect_uri\` with \`code\`, \`state\` and \`iss\`; otherwise to the page on which the user signs in. To a \`redirect_uri\` that is not https, where any program of the user’s machine may listen, a session is enough for ${lifetimes.signInForProgram} seconds after its sign-in. Every client uses PKCE with S256. The code is valid once and for ${lifetimes.authorizationCode} seconds. Errors lead to \`redirect_uri\` too, with \`error\` and \`error_description\`.`,
  },
  'oauth.authorizeByForm': {
    text: 'Leads to `GET /authorize` with the same parameters.',
  },
  'oauth.token': {
    text: `A client with secrets authenticates with Basic or with \`client_secret\`; one without names itself by \`client_id\`. A code starts a session of its own, which the user sees in their list; using it twice ends that session. A refresh token is renewed as by \`POST /sessions/token/refresh\`, where the sessions of clients with secrets are refused. Errors have the members of RFC 6749. Requests without a valid secret or refresh token are limited by network: ${rates.projectDoor.max.toLocaleString('en')} in ${rates.projectDoor.seconds} seconds to a project.`,
    events: ['session.started', 'session.ended', 'session.reuse_detected'],
  },
  'oauth.userinfo': {
    text: 'A session that no client started has every claim. The access token is that of the session, not the ID token.',
  },
  'oauth.userinfoByPost': { text: 'The body is not read.' },
  'oauth.logout': {
    text: 'For browsers. With `id_token_hint` it ends the session that the token names, and the one of the browser if it is the same user’s; then it leads to `post_logout_redirect_uri`, or to a page. Without, it leads to a page that asks the user first.',
    events: ['session.ended'],
  },
  'oauth.logoutByForm': { text: 'Leads to `GET /logout` with the same parameters.' },
};
