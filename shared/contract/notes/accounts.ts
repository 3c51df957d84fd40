import { lifetimes, limits } from '../../model/limits.ts';
import { refreshes } from '../../model/rates.ts';
import type { NotesOf } from './operation-note.ts';

const mailed = ['mailsToOne', 'mailsToOneDaily', 'mailsFromOne'] as const;
const minutes = (seconds: number) => `${seconds / 60} minutes`;

export const accountNotes: NotesOf<
  'sessions' | 'passwords' | 'codes' | 'links' | 'passkeys' | 'factors' | 'emails'
> = {
  'sessions.create': {
    text: `The backend vouches for the user; the service checks only that the user exists and is not disabled. A user has at most ${limits.sessionsPerUser} sessions: a further one ends the oldest in which somebody else acts as the user, or else the oldest that an OAuth client has started, or else the oldest. With \`actor\`, where the project allows it, somebody such as your support acts as the user: the access token lives for ${lifetimes.actingSession / 60} minutes, names both (\`act\`, RFC 8693) and is not renewed; passwords, e-mail, identities, ownership, other sessions and deletion are refused to it; every event names both; the user sees and may end the session, and gets a mail if the project wants it. It ends with the setting.`,
    events: ['session.started', 'session.ended'],
  },
  'sessions.refresh': {
    text: `Returns a new access token and a new refresh token. The previous refresh token returns the same new tokens for ${lifetimes.refreshGrace} seconds, so that a lost response can be retried; an older one revokes the session. A session can be renewed ${refreshes.burst} times at once, and once in ${refreshes.seconds} seconds on average. The sessions of a deleted OAuth client are refused.`,
    events: ['session.reuse_detected'],
  },
  'sessions.list': {
    text: 'A user sees their own sessions and which of them is the current one; the backend names the user.',
  },
  'sessions.end': {
    text: 'A user ends a session of their own, such as that of a lost device; the backend ends one of any user.',
    events: ['session.ended'],
  },
  'sessions.endAll': {
    text: 'Returns the number of sessions that ended. The tokens of these sessions are rejected from the next request on.',
    events: ['user.sessions_ended'],
  },
  'sessions.signOut': {
    text: 'Both tokens of the session are rejected from the next request on. Other sessions of the user stay.',
    events: ['session.ended'],
  },
  'sessions.selectWorkspace': {
    permissions: ['workspace:read'],
    text: 'The access token, and those of every refresh of this session, name the workspace in `workspace_id` and what the user is there in `workspace_role`. A token issued after the user has left, was removed or suspended, or the workspace was deleted or requires a second factor that the session has not shown, names none; the service itself refuses such a user at once, whatever the token says. The new token expires when the one of the request does, and the refresh token stays valid.',
  },
  'sessions.reauthenticate': {
    text: `By exactly one of: the password, a code of the authenticator app, a recovery code, or a passkey (the answer to \`POST /sessions/passkey/options\`), each where the project lets people sign in with it. Who has none of them signs in anew. Who is asked for a second factor, and has one, gives a code, a recovery code or a passkey: 400 for the password. The session then counts as signed in now, here and in the \`auth_time\` of every further token; the first second factor that is shown is added to \`amr\` and \`acr\`, and nothing is taken away. The refresh token stays valid. Routes with \`reauthentication_required\` ask for it once more than ${minutes(lifetimes.recentSignIn)} after that.`,
    events: [
      'session.reauthenticated',
      'user.recovery_code_used',
      'user.passkey_counter_decreased',
    ],
    rates: ['passwordFailures', 'factorFailures', 'failuresFromOne'],
  },
  'sessions.introspect': {
    text: 'A workspace is named with the role that the user has there now, not with that of the token; claims that the project puts into its tokens (`token_claims`) are as the token has them. For backends that must know at this moment whether a session has ended; others verify the token with the public keys. Changes nothing.',
  },
  'passwords.signUp': {
    text: 'The response is the same whether or not the e-mail has a user, so it reveals no account. The user is created when the token sets the password.',
    rates: mailed,
  },
  'passwords.signIn': {
    text: `An unknown e-mail and a wrong password get the same response. After ${limits.wrongPasswordsInARow} wrong passwords in a row, the password is locked until a new one is set by e-mail.`,
    events: ['session.started', 'session.ended'],
    rates: ['passwordFailures', 'failuresFromOne'],
  },
  'passwords.forgot': {
    text: 'The response is the same whether or not the e-mail has a user, so it reveals no account. The current password stays valid until the token sets another one.',
    rates: mailed,
  },
  'passwords.set': {
    text: 'Every other session of the user ends. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
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
    text: 'The session of the request stays. The user gets a mail about the change.',
    events: ['user.password_changed', 'user.sessions_ended'],
    rates: ['passwordFailures'],
  },
  'codes.start': {
    text: `The code is valid for ${minutes(lifetimes.signInCode)} and ${limits.codeTries} attempts. The response is the same whether or not the e-mail has a user, so it reveals no account.`,
    rates: mailed,
  },
  'codes.verify': {
    text: 'The code also verifies the e-mail. If it was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
    events: [
      'user.created',
      'user.email_verified',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
      'session.started',
      'session.ended',
    ],
    rates: ['failuresFromOne'],
  },
  'links.start': {
    text: `The link is valid once, for ${minutes(lifetimes.signInLink)} and ${limits.codeTries} attempts, and only with the \`verifier\` whose digest is the \`challenge\`: someone who opens, forwards or steals it without the verifier cannot sign in. It leads to the page of the project, with \`token\` and \`link_id\` in the fragment. The response is the same whether or not the e-mail has a user, so it reveals no account.`,
    rates: mailed,
  },
  'links.showCode': {
    text: 'For the page of the link in a browser that has no verifier of it. The code is valid with the verifier alone, once and as long as the link, and no code is right before it was shown. Ask for it at a click, and say that it must be typed in the browser that asked for the link and told to nobody.',
    rates: ['failuresFromOne'],
  },
  'links.signIn': {
    text: 'Takes the verifier, and either the token of the link or its code. A wrong one of them does not use the link up, but counts as an attempt. The link also verifies the e-mail. If it was not verified before, every credential that was set up before is removed, because somebody else may have set it up.',
    events: [
      'user.created',
      'user.email_verified',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
      'session.started',
      'session.ended',
    ],
    rates: ['failuresFromOne'],
  },
  'passkeys.startRegistration': {
    text: `Hand \`publicKey\` to \`PublicKeyCredential.parseCreationOptionsFromJSON\`, and that to \`navigator.credentials.create\`. Its challenge is valid once, for ${minutes(lifetimes.passkeyChallenge)}, in the session of the request. A user has at most ${limits.passkeysPerUser} passkeys. One without a password, or who is asked for a second factor, must have signed in within the last ${minutes(lifetimes.recentSignIn)}, because a passkey is two factors.`,
    rates: ['passwordFailures'],
  },
  'passkeys.register': {
    text: 'Takes what the browser made of the options. The passkey belongs to the domain of the project (`rp_id`), and verifies its user by a PIN or biometrics. The user gets a mail about it.',
    events: ['user.passkey_added'],
  },
  'passkeys.list': { text: 'Names no key: what is shown here signs nobody in.' },
  'passkeys.rename': { text: 'The name is for the user alone.' },
  'passkeys.delete': {
    text: 'The last sign-in method of a user cannot be removed. The user gets a mail about it. Tell the browser with `PublicKeyCredential.signalUnknownCredential`, so that it no longer offers the passkey.',
    events: ['user.passkey_removed'],
    rates: ['passwordFailures'],
  },
  'passkeys.startSignIn': {
    text: `Nobody has to enter an e-mail: the options name no credential, and the device offers those it has. Hand \`publicKey\` to \`PublicKeyCredential.parseRequestOptionsFromJSON\`, and that to \`navigator.credentials.get\`, with \`mediation: "conditional"\` to offer them in the autofill of a field. The challenge is valid once, for ${minutes(lifetimes.passkeyChallenge)}.`,
  },
  'passkeys.signIn': {
    text: 'An unknown passkey, a wrong signature and a challenge that was used or has expired get the same response. A counter that goes back is told by an event and shown to the user; the sign-in is not refused.',
    events: ['user.passkey_counter_decreased', 'session.started', 'session.ended'],
    rates: ['failuresFromOne'],
  },
  'factors.startTotp': {
    text: `Show \`uri\` as a QR code; a user who cannot scan it types \`secret\`. It is no factor until it is confirmed in the same session within ${minutes(lifetimes.factorEnrolment)}; starting again replaces it. A user without a password must have signed in within the last ${minutes(lifetimes.recentSignIn)}.`,
    rates: ['passwordFailures'],
  },
  'factors.confirmTotp': {
    text: 'From then on the sign-ins of the user ask for the factor, but for passkeys, which are two factors at once. Show the recovery codes: nothing shows them again. The user gets a mail about it.',
    events: ['user.factor_added'],
    rates: ['factorFailures'],
  },
  'factors.list': { text: 'Shows how many recovery codes are left, and none of them.' },
  'factors.deleteTotp': {
    text: 'A session is not enough: it takes a code of the app, or a recovery code. Refused where the project requires a second factor. The user gets a mail about it.',
    events: ['user.recovery_code_used', 'user.factor_removed'],
    rates: ['factorFailures'],
  },
  'factors.renewRecoveryCodes': {
    text: 'It takes a code of the app, or one of the recovery codes. The previous ones no longer work. The user gets a mail about it.',
    events: ['user.recovery_code_used', 'user.recovery_codes_renewed'],
    rates: ['factorFailures'],
  },
  'factors.signIn': {
    text: `Takes the \`mfa_token\` of an answer with \`mfa_required\`, and either a code or a recovery code. A wrong one leaves the token valid. A change of the e-mail, a password, the profile or the factor of the user ends the sign-in, and so does the end of all sessions. After ${limits.wrongFactorCodesInARow} wrong codes in a row only a recovery code is accepted. The user gets a mail when a recovery code was used, and at most one a day about too many wrong codes, and one about the lock after the hundredth.`,
    events: ['user.recovery_code_used', 'session.started', 'session.ended'],
    rates: ['factorFailures', 'failuresFromOne'],
  },
  'factors.startEnrolment': {
    text: 'For an answer with `methods: ["enrol"]`: the project requires a second factor, and the user has none. It asks for no password, because the first factor was just shown. The app must be confirmed while the token is valid; a further call replaces it.',
  },
  'factors.confirmEnrolment': {
    text: 'Uses the token up and answers as `POST /sessions/mfa` does, with the recovery codes: nothing shows them again. A wrong code leaves the token valid. 404 without an enrolment of this sign-in, also where another one has replaced it. The user gets a mail about the new factor.',
    events: ['user.factor_added', 'session.started', 'session.ended'],
    rates: ['factorFailures', 'failuresFromOne'],
  },
  'factors.reset': {
    text: 'For users who have lost both their phone and their recovery codes: make sure of who asks. The user gets a mail about it.',
    events: ['user.factor_removed'],
  },
  'emails.verify': {
    text: 'The token is for `POST /users/me/email/confirmation` and is valid for one day.',
    rates: mailed,
  },
  'emails.change': {
    text: 'The e-mail stays the same until the token is sent to `POST /users/me/email/confirmation`. The response is the same whether or not another user has the e-mail.',
    rates: [...mailed, 'passwordFailures'],
  },
  'emails.confirm': {
    text: 'Accepts the token of either mail, from the user who requested it. The first verification removes every credential that was set up before, except the method of the session.',
    events: [
      'user.email_changed',
      'user.email_verified',
      'user.identity_unlinked',
      'user.passkey_removed',
      'user.factor_removed',
      'user.sessions_ended',
      'user.api_key.revoked',
    ],
  },
};
