import { lifetimes, limits } from '../../model/limits.ts';
import { refreshes } from '../../model/rates.ts';
import { asBefore, credentialReset, type NotesOf } from './operation-note.ts';

const mailed = ['mailsToOne', 'mailsToOneDaily', 'mailsFromOne', 'mailsFromSite'] as const;
const minutes = (seconds: number) => `${seconds / 60} minutes`;

export const accountNotes: NotesOf<
  'sessions' | 'passwords' | 'codes' | 'links' | 'passkeys' | 'factors' | 'emails'
> = {
  'sessions.create': {
    text: `The backend vouches for the user; the service checks only that the user exists and is not disabled. A user has at most ${limits.sessionsPerUser} sessions. A further session ends the oldest impersonated session; if there is none, the oldest session that an OAuth client started; otherwise the oldest session. With \`actor\`, another person, such as your support, acts as the user, if the project allows it. The access token of such a session is valid for ${lifetimes.actingSession / 60} minutes, names both people (\`act\`, RFC 8693) and cannot be renewed. It cannot change passwords, the e-mail, identities, ownership or other sessions, and cannot delete the user. Every event names both people. The user sees the session, can end it, and gets a mail if the project has turned that on. The session ends when the project no longer allows impersonation.`,
    events: ['session.started', 'session.ended'],
  },
  'sessions.refresh': {
    text: `Returns a new access token and a new refresh token. The previous refresh token returns the same new tokens for ${lifetimes.refreshGrace} seconds, so that a client can retry after a lost response. An older refresh token revokes the session. A session can be renewed ${refreshes.burst} times at once, and once in ${refreshes.seconds} seconds on average. Sessions of a deleted OAuth client are rejected.`,
    events: ['session.reuse_detected'],
  },
  'sessions.list': {
    text: 'A user lists their own sessions, and the response marks the current one. The backend names the user in `user_id`.',
  },
  'sessions.end': {
    text: 'A user can end their own sessions, such as the session of a lost device. The backend can end a session of any user.',
    events: ['session.ended'],
  },
  'sessions.endAll': {
    text: 'Returns the number of sessions that ended. The tokens of these sessions are rejected from the next request on.',
    events: ['user.sessions_ended'],
  },
  'sessions.signOut': {
    text: 'Both tokens of the session are rejected from the next request on. Other sessions of the user stay valid.',
    events: ['session.ended'],
  },
  'sessions.selectWorkspace': {
    permissions: ['workspace:read'],
    text: 'The new access token, and every later access token of this session, has the workspace in `workspace_id` and the role of the user there in `workspace_role`. New tokens have no workspace once the user has left it, was removed or suspended, once the workspace was deleted, or while it requires a second factor that the session does not have. The service itself rejects such a user at once, whatever the token says. The new token expires at the same time as the token of the request. The refresh token stays valid.',
  },
  'sessions.reauthenticate': {
    text: `The user proves who they are. Send exactly one of: the password, a code of the authenticator app, a recovery code, or a passkey (the answer to \`POST /sessions/passkey/options\`). The project must have enabled it as a sign-in method. A user who has none of these signs in again instead. A user whose sign-ins require their second factor must send a code, a recovery code or a passkey; the password returns 400. The time of this request becomes the sign-in time of the session, and the \`auth_time\` of every later token. The first second factor is added to \`amr\` and \`acr\`; nothing is removed from them. The refresh token stays valid. Routes with \`reauthentication_required\` accept the session for the next ${minutes(lifetimes.recentSignIn)}.`,
    events: [
      'session.reauthenticated',
      'user.recovery_code_used',
      'user.passkey_counter_decreased',
    ],
    rates: ['passwordFailures', 'factorFailures', 'failuresFromOne'],
  },
  'sessions.introspect': {
    text: 'For backends that must know at this moment whether a session has ended; other backends verify the token with the public keys. `workspace_role` is the current role of the user in the workspace, which may differ from the role in the token. Claims that the project adds to its tokens (`token_claims`) are returned as they are in the token. Changes nothing.',
  },
  'passwords.signUp': {
    text: 'The response is the same whether or not a user has the e-mail, so it reveals no account. The user is created when the token sets the password.',
    rates: mailed,
  },
  'passwords.signIn': {
    text: `An unknown e-mail and a wrong password get the same response. After ${limits.wrongPasswordsInARow} wrong passwords in a row, the password is locked until the user sets a new one by e-mail.`,
    events: ['session.started', 'session.ended'],
    rates: ['passwordFailures', 'failuresFromOne', 'signInsOfOne'],
  },
  'passwords.forgot': {
    text: 'The response is the same whether or not a user has the e-mail, so it reveals no account. The current password stays valid until the user sets a new one with the token.',
    rates: mailed,
  },
  'passwords.set': {
    text: 'Every other session and every API key of the user ends. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
    events: [
      'user.created',
      'user.email_verified',
      'user.password_changed',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
      'session.started',
    ],
  },
  'passwords.change': {
    text: 'The session of the request stays valid. The user gets a mail about the change.',
    events: ['user.password_changed', 'user.sessions_ended'],
    rates: ['passwordFailures'],
  },
  'codes.start': {
    text: `The code is valid for ${minutes(lifetimes.signInCode)} and ${limits.codeTries} attempts. The response is the same whether or not a user has the e-mail, so it reveals no account.`,
    rates: mailed,
  },
  'codes.verify': {
    text: 'The sign-in also verifies the e-mail. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
    events: ['user.created', ...credentialReset, 'session.started', 'session.ended'],
    rates: ['failuresFromOne'],
  },
  'links.start': {
    text: `The link is valid once, for ${minutes(lifetimes.signInLink)} and ${limits.codeTries} attempts, and only with the \`verifier\` whose digest is the \`challenge\`. A person who opens, forwards or steals the link without the verifier cannot sign in. The link opens the page of the project, with \`token\` and \`link_id\` in the fragment. The response is the same whether or not a user has the e-mail, so it reveals no account.`,
    rates: mailed,
  },
  'links.showCode': {
    text: 'For the page of the link, when it is opened in a browser that does not have the verifier. The code is valid once, only with the verifier, and as long as the link. No code is accepted before this request. Send the request only when the user clicks. Ask the user to type the code in the browser that requested the link, and to give it to nobody.',
    rates: ['failuresFromOne'],
  },
  'links.signIn': {
    text: 'Send the verifier, and either the token of the link or its code. A wrong verifier, token or code counts as an attempt, but the link stays valid. The sign-in also verifies the e-mail. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
    events: ['user.created', ...credentialReset, 'session.started', 'session.ended'],
    rates: ['failuresFromOne'],
  },
  'passkeys.startRegistration': {
    text: `Pass \`publicKey\` to \`PublicKeyCredential.parseCreationOptionsFromJSON\`, and the result to \`navigator.credentials.create\`. The challenge is valid once, for ${minutes(lifetimes.passkeyChallenge)}, in the session of the request. A user has at most ${limits.passkeysPerUser} passkeys. A user without a password, or whose sign-ins require a second factor, must have signed in within the last ${minutes(lifetimes.recentSignIn)}, because a passkey counts as two factors.`,
    rates: ['passwordFailures'],
  },
  'passkeys.register': {
    text: 'Send the credential that the browser created from the options. The passkey belongs to the domain of the project (`rp_id`), and must verify the user by a PIN or biometrics. The user gets a mail about it.',
    events: ['user.passkey_added'],
  },
  'passkeys.list': { text: 'The response has no keys, so nobody can sign in with it.' },
  'passkeys.rename': { text: 'Only the user sees the name.' },
  'passkeys.delete': {
    text: 'The last sign-in method of a user cannot be removed. The user gets a mail about the removal. Call `PublicKeyCredential.signalUnknownCredential` afterwards, so that the browser no longer offers the passkey.',
    events: ['user.passkey_removed'],
    rates: ['passwordFailures'],
    answers: asBefore,
  },
  'passkeys.startSignIn': {
    text: `The user does not enter an e-mail: the options name no credential, and the device offers the passkeys that it has. Pass \`publicKey\` to \`PublicKeyCredential.parseRequestOptionsFromJSON\`, and the result to \`navigator.credentials.get\`. Add \`mediation: "conditional"\` to offer the passkeys in the autofill of a field. The challenge is valid once, for ${minutes(lifetimes.passkeyChallenge)}.`,
  },
  'passkeys.signIn': {
    text: 'An unknown passkey, a wrong signature and a challenge that was used or has expired get the same response. If the counter of the passkey decreased, the sign-in still succeeds; an event records it, and the user sees it in the list of passkeys.',
    events: ['user.passkey_counter_decreased', 'session.started', 'session.ended'],
    rates: ['failuresFromOne', 'signInsOfOne'],
  },
  'factors.startTotp': {
    text: `Show \`uri\` as a QR code; a user who cannot scan it types \`secret\`. The app becomes a factor once the user confirms it, in the same session and within ${minutes(lifetimes.factorEnrolment)}. A new start replaces an unconfirmed app. A user without a password must have signed in within the last ${minutes(lifetimes.recentSignIn)}.`,
    rates: ['passwordFailures'],
  },
  'factors.confirmTotp': {
    text: 'From then on every sign-in of the user requires the factor, except with a passkey, which counts as two factors. Show the recovery codes to the user: no other response has them. The user gets a mail about the new factor.',
    events: ['user.factor_added'],
    rates: ['factorFailures'],
  },
  'factors.list': { text: 'Shows how many recovery codes are left, but not the codes.' },
  'factors.deleteTotp': {
    text: 'Send a code of the app, or a recovery code; a session alone is not enough. Rejected if the project requires a second factor. The user gets a mail about the removal.',
    events: ['user.recovery_code_used', 'user.factor_removed'],
    rates: ['factorFailures'],
    answers: asBefore,
  },
  'factors.renewRecoveryCodes': {
    text: 'Send a code of the app, or one of the recovery codes. The previous recovery codes become invalid. The user gets a mail about the new codes.',
    events: ['user.recovery_code_used', 'user.recovery_codes_renewed'],
    rates: ['factorFailures'],
  },
  'factors.signIn': {
    text: `Send the \`mfa_token\` of a response with \`mfa_required\`, and either a code or a recovery code. After a wrong code the token stays valid. The sign-in ends if the e-mail, a password, the profile or the factor of the user changes, or if all sessions of the user are ended. After ${limits.wrongFactorCodesInARow} wrong codes in a row, only a recovery code is accepted. The user gets a mail when a recovery code was used, at most one mail a day about too many wrong codes, and one mail about the lock after the hundredth wrong code.`,
    events: ['user.recovery_code_used', 'session.started', 'session.ended'],
    rates: ['factorFailures', 'failuresFromOne'],
  },
  'factors.startEnrolment': {
    text: 'For a response with `methods: ["enrol"]`: the project requires a second factor, and the user has not set one up. No password is needed, because the user has just completed the first factor. The user must confirm the app while the `mfa_token` is valid. A further call replaces the app.',
  },
  'factors.confirmEnrolment': {
    text: 'Returns what `POST /sessions/mfa` returns, and the recovery codes: show them to the user, because no other response has them. The `mfa_token` becomes invalid; after a wrong code it stays valid. The response is 404 if this sign-in has not started to add an app, or if another one has replaced that app. The user gets a mail about the new factor.',
    events: ['user.factor_added', 'session.started', 'session.ended'],
    rates: ['factorFailures', 'failuresFromOne'],
  },
  'factors.reset': {
    text: 'For users who have lost both their phone and their recovery codes. Verify the identity of the person who asks. The user gets a mail about the removal.',
    events: ['user.factor_removed'],
    answers: asBefore,
  },
  'emails.verify': {
    text: 'The client sends the token to `POST /users/me/email/confirmation`. The token is valid for one day.',
    rates: mailed,
  },
  'emails.change': {
    text: 'The e-mail of the user stays the same until the token is sent to `POST /users/me/email/confirmation`. The response is the same whether or not another user has the e-mail.',
    rates: ['emailChangesByOne', ...mailed, 'passwordFailures'],
  },
  'emails.confirm': {
    text: 'Accepts the token of the mail that verifies an e-mail or of the mail that changes it, only from the user who requested the mail. The first verification removes every credential that was set up before, except the method of the session.',
    events: ['user.email_changed', ...credentialReset],
  },
};
