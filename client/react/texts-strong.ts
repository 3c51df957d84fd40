import type { ErrorCode } from '../api-error.ts';
import { type ProfileTexts, profileEnglish } from './texts-profile.ts';

/**
 * The words of passkeys, mailed links, providers and the second factor: a page loads them with the first of these that
 * it shows.
 */
export type StrongTexts = ProfileTexts & {
  usePasskey: string;
  /** They have picked none, or the browser has none. */
  passkeyNone: string;
  passkeyWrong: string;
  /** This device has one already. */
  passkeyKnown: string;
  linkSent: (email: string) => string;
  linkCode: string;
  linkCodeWrong: string;
  /** The link was opened where it was asked for. */
  linkReady: string;
  /** It was opened elsewhere. `host`: where alone the code may be entered. */
  linkElsewhere: (host: string) => string;
  linkNotAsked: string;
  linkShowCode: string;
  linkWarning: (host: string) => string;
  linkAnew: string;
  /** They went back there, or the provider has failed. */
  providerRefused: (provider: string) => string;
  /** The response is to a request that this tab has not made, or has already completed. */
  providerElsewhere: string;
  /** The browser keeps nothing for the page. */
  providerStorage: string;
  accounts: string;
  accountLink: (provider: string) => string;
  accountLinked: (provider: string) => string;
  accountUnlink: (provider: string) => string;
  accountUnlinked: (provider: string) => string;
  /** They are back from the provider: which password is meant. */
  accountPassword: (provider: string) => string;
  /** It has taken too long, or an answer was lost. */
  accountExpired: string;
  /** They went back there, or the provider has failed, or somebody else is signed in by now. */
  accountRefused: (provider: string) => string;
  /** It is linked to another user, or this user has linked another one there. */
  accountTaken: string;
  /** Where somebody is signed in. */
  sessions: string;
  sessionHere: string;
  sessionUnknown: string;
  /** Somebody acts as the user in it. */
  sessionBy: (actor: string) => string;
  /** How a session began, by its method; others are names of providers. */
  sessionMethods: Readonly<Record<string, string>>;
  sessionTimes: (from: string, until: string) => string;
  sessionEnd: (device: string) => string;
  sessionEnded: (device: string) => string;
  app: string;
  appNone: string;
  appRequired: string;
  appAdd: string;
  appAdded: string;
  appScan: string;
  appQr: string;
  appOpen: string;
  appSecret: string;
  appCode: string;
  appConfirm: string;
  /** It was not confirmed in time, or begun anew elsewhere. */
  appExpired: string;
  appSince: (date: string) => string;
  appUsed: (date: string) => string;
  appRemove: string;
  appRemoveExplained: string;
  appRemoved: string;
  /** A code of the app, or a recovery code. */
  appProof: string;
  recoveryCodes: string;
  recoveryOnce: string;
  recoveryCopy: string;
  recoveryCopied: string;
  recoveryDownload: string;
  recoveryKept: string;
  recoveryLeft: (count: number) => string;
  recoveryRenew: string;
  recoveryRenewExplained: string;
  passkeys: string;
  passkeysNone: string;
  passkeyName: string;
  passkeyAdd: string;
  passkeyAdded: string;
  passkeyRename: string;
  passkeyDelete: string;
  passkeySince: (date: string) => string;
  passkeyUsed: (date: string) => string;
  passkeyCopied: string;
  /** On the account page, where the user is signed in, so only the password can be wrong. */
  currentPasswordWrong: string;
  askAgain: string;
  /** They have nothing that they could show. */
  askAgainAnew: string;
  goOn: string;
  date: (at: Date) => string;
  time: (at: Date) => string;
  /** By the code of the answer. */
  errors: Partial<Record<ErrorCode, string>>;
};

export const strongEnglish: StrongTexts = {
  ...profileEnglish,
  usePasskey: 'Use a passkey',
  passkeyNone: 'No passkey was used.',
  passkeyWrong: 'This passkey is not known here. Use another one.',
  passkeyKnown: 'This device has a passkey of this account already.',
  linkSent: (email) =>
    `We have sent a link to ${email}. It is valid for 15 minutes. Open it in this browser. If you open it elsewhere, it shows a code for the field below.`,
  linkCode: 'Code of the link',
  linkCodeWrong: 'The code is wrong or has expired, or belongs to another link.',
  linkReady: 'One click is left to sign in.',
  linkElsewhere: (host) =>
    `This browser has not asked for this link. It can show a code, which lets anybody who enters it into your account. Enter it at ${host} alone: look at the address bar there.`,
  linkNotAsked:
    'If you have not asked for a link, or another site asked for your e-mail or asks for the code, close this page.',
  linkShowCode: 'Show the code',
  linkWarning: (host) =>
    `This code lets anybody who enters it into your account. Enter it at ${host} alone: look at the address bar there. Tell it to nobody: nobody will ever ask you for it.`,
  linkAnew: 'Sign in another way',
  providerRefused: (provider) =>
    `${provider} has not signed you in. Try again, or sign in another way.`,
  providerElsewhere: 'This was not begun in this tab, or has ended already. Begin again here.',
  providerStorage:
    'Your browser lets this page store nothing, which the way to another site and back needs. Allow it, and try again.',
  accounts: 'Linked accounts',
  accountLink: (provider) => `Link ${provider}`,
  accountLinked: (provider) => `${provider} is linked. You can sign in with it from now on.`,
  accountUnlink: (provider) => `Unlink ${provider}`,
  accountUnlinked: (provider) => `${provider} is no longer linked.`,
  accountPassword: (provider) =>
    `To link ${provider}, enter the password that you have here, not that of ${provider}.`,
  accountExpired:
    'It has taken too long, or was done already. If the account is not in the list, begin again.',
  accountRefused: (provider) => `No account at ${provider} was linked. Try again.`,
  accountTaken:
    'This account is linked to somebody else here, or you have linked another one there.',
  sessions: 'Where you are signed in',
  sessionHere: 'This browser',
  sessionUnknown: 'Unknown device',
  sessionBy: (actor) => `By ${actor}`,
  sessionMethods: {
    idpw: 'Password',
    email_code: 'Code by e-mail',
    email_link: 'Link by e-mail',
    passkey: 'Passkey',
    project: 'Signed in by the application',
  },
  sessionTimes: (from, until) => `Since ${from}, last used ${until}`,
  sessionEnd: (device) => `End the session: ${device}`,
  sessionEnded: (device) => `Ended: ${device}`,
  app: 'Authenticator app',
  appNone:
    'With an app on your phone, you also enter a code when you sign in: a stolen password is then not enough.',
  appRequired:
    'You need a second factor here: an authenticator app on your phone, whose code you enter when you sign in. Add it now to go on.',
  appAdd: 'Add an app',
  appAdded: 'The app is added. From now on you are asked for a code when you sign in.',
  appScan:
    'Scan this with your authenticator app, or type the secret into it. Then enter the code that it shows.',
  appQr: 'QR code for an authenticator app',
  appOpen: 'Open it on this device',
  appSecret: 'Secret',
  appCode: 'Code of the app',
  appConfirm: 'Confirm',
  appExpired: 'It has taken too long, or was begun elsewhere. Cancel, and begin again.',
  appSince: (date) => `Added on ${date}.`,
  appUsed: (date) => `Last used on ${date}.`,
  appRemove: 'Remove the app',
  appRemoveExplained:
    'You are then asked for no code when you sign in, and your recovery codes end.',
  appRemoved: 'The app is removed.',
  appProof: 'Code of the app, or a recovery code',
  recoveryCodes: 'Recovery codes',
  recoveryOnce:
    'These are your recovery codes. Each signs you in once if you lose your phone. They are shown only now: keep them apart from it.',
  recoveryCopy: 'Copy',
  recoveryCopied: 'Copied.',
  recoveryDownload: 'Download as a file',
  recoveryKept: 'I have kept them',
  recoveryLeft: (count) =>
    count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`,
  recoveryRenew: 'New recovery codes',
  recoveryRenewExplained: 'The codes that you have then end.',
  passkeys: 'Passkeys',
  passkeysNone: 'You have no passkey.',
  passkeyName: 'Name of the passkey',
  passkeyAdd: 'Add a passkey',
  passkeyAdded: 'The passkey is added.',
  passkeyRename: 'Rename',
  passkeyDelete: 'Delete this passkey',
  passkeySince: (date) => `Added on ${date}`,
  passkeyUsed: (date) => `Used on ${date}`,
  passkeyCopied: 'Somebody may have copied this passkey: delete it.',
  currentPasswordWrong: 'The password is wrong.',
  askAgain: 'You signed in a while ago, and this needs a recent sign-in. Confirm that it is you.',
  askAgainAnew:
    'You signed in a while ago, and this needs a recent sign-in. Sign out and sign in again, then you can do it.',
  goOn: 'Go on',
  date: (at) => at.toLocaleDateString('en', { dateStyle: 'medium' }),
  time: (at) => at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
  errors: {
    factor_exists: 'You have added an app already. Reload the page.',
    factor_required: 'You need a second factor here, so the app cannot be removed.',
    last_sign_in_method: 'You could no longer sign in. Add another way first.',
    passkey_exists: 'This passkey belongs to an account already.',
    passkey_invalid: 'The passkey could not be checked. Try again.',
    passkey_limit_reached: 'You have ten passkeys, which is the limit.',
  },
};
