import type { ErrorCode } from '../api-error.ts';
import type { StrongTexts } from './texts-strong.ts';

/** Every word that the components show. A language is one such object. */
export type Texts = {
  email: string;
  password: string;
  code: string;
  signIn: string;
  sendCode: string;
  sendAgain: string;
  otherEmail: string;
  usePassword: string;
  useCode: string;
  useLink: string;
  forgot: string;
  signUp: string;
  signInInstead: string;
  sendLink: string;
  /** The same whether or not there is an account. */
  signUpSent: (email: string) => string;
  continueWith: (provider: string) => string;
  /** The same whether or not there is an account. */
  resetSent: string;
  codeSent: (email: string) => string;
  emailInvalid: string;
  passwordMissing: string;
  codeIncomplete: string;
  codeWrong: string;
  /** The second step of a sign-in. */
  mfaAsked: string;
  passwordWrong: string;
  accept: string;
  accepted: string;
  acceptAs: (email: string) => string;
  noInvitation: string;
  otherAccount: string;
  workspace: string;
  noWorkspaces: string;
  members: string;
  name: string;
  role: string;
  roleOf: (name: string) => string;
  roles: { member: string; admin: string };
  suspended: string;
  previous: string;
  next: string;
  total: (count: number) => string;
  loading: string;
  again: string;
  account: (name: string) => string;
  signOut: string;
  signOutEverywhere: string;
  /** The session has ended in this browser alone. */
  signOutFailed: string;
  /** Asks the signed-in user to authenticate again. */
  isItYou: string;
  cancel: string;
  /** The words of passkeys, mailed links, providers and the second factor, which most pages never show. */
  strong: () => Promise<StrongTexts>;
  /** By the code of the answer. */
  errors: Partial<Record<ErrorCode, string>>;
  tooMany: (seconds: number | undefined) => string;
  network: string;
  /** Every other failure; the id is empty if there was no answer. */
  failed: (requestId: string) => string;
};

export const english: Texts = {
  email: 'E-mail',
  password: 'Password',
  code: 'Code',
  signIn: 'Sign in',
  sendCode: 'Send me a code',
  sendAgain: 'Send a new code',
  otherEmail: 'Use another e-mail',
  usePassword: 'Use a password',
  useCode: 'Use a code by e-mail',
  useLink: 'Use a link by e-mail',
  forgot: 'Forgot your password?',
  signUp: 'Create an account',
  signInInstead: 'I have an account',
  sendLink: 'Send me a link',
  signUpSent: (email) => `We have sent a mail to ${email}. Its link sets your password.`,
  continueWith: (provider) => `Continue with ${provider}`,
  resetSent: 'If there is an account, we have sent it a mail with a link.',
  codeSent: (email) => `We have sent a code to ${email}.`,
  emailInvalid: 'Enter your e-mail address.',
  passwordMissing: 'Enter your password.',
  codeIncomplete: 'Enter the six digits of the code.',
  codeWrong: 'The code is wrong or has expired. Each code works once.',
  mfaAsked: 'Enter the code of your authenticator app, or a recovery code.',
  passwordWrong: 'The e-mail or the password is wrong.',
  accept: 'Accept the invitation',
  accepted: 'You have joined the workspace.',
  acceptAs: (email) => `You are signed in as ${email}.`,
  noInvitation: 'This page needs the link of an invitation.',
  otherAccount: 'Use another account',
  workspace: 'Workspace',
  noWorkspaces: 'You are in no workspace yet.',
  members: 'Members',
  name: 'Name',
  role: 'Role',
  roleOf: (name) => `Role of ${name}`,
  roles: { member: 'Member', admin: 'Admin' },
  suspended: 'suspended',
  previous: 'Previous',
  next: 'Next',
  total: (count) => (count === 1 ? '1 member' : `${count} members`),
  loading: 'Loading…',
  again: 'Try again',
  account: (name) => `Account of ${name}`,
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  signOutFailed:
    'You are signed out here, but maybe not elsewhere: the service did not confirm it.',
  isItYou: 'Is it you?',
  cancel: 'Cancel',
  strong: async () => (await import('./texts-strong.ts')).strongEnglish,
  errors: {
    invalid_request: 'Something that you entered is not valid.',
    user_disabled: 'This account has been disabled.',
    sign_in_method_disabled: 'This way to sign in is not available. Use another one.',
    factor_locked: 'Too many wrong codes. Use a recovery code.',
    mfa_token_invalid: 'That took too long, or your account has changed. Sign in again.',
    password_locked: 'Too many wrong passwords. Reset your password, or use a code.',
    captcha_required: 'Solve the captcha first.',
    captcha_invalid: 'The captcha was not accepted. Solve it again.',
    sign_up_disabled: 'There is no account with this e-mail.',
    identity_token_invalid:
      'The provider did not confirm who you are. Try again, or sign in another way.',
    identity_conflict: 'This account is linked already, or another one is. Sign in another way.',
    identity_link_required: 'There is an account with this e-mail. Sign in another way.',
    mail_token_invalid: 'The link was used, has expired, was replaced, or is for another account.',
    unauthenticated: 'You are no longer signed in. Sign in again.',
    token_expired: 'You are no longer signed in. Sign in again.',
    reauthentication_required:
      'Nothing was changed, because you have not confirmed that it is you.',
    refresh_token_reused: 'You were signed out for your safety. Sign in again.',
    forbidden: 'You are not allowed to do this.',
    mfa_required: 'This workspace asks for a second factor. Sign in again with one.',
    membership_suspended: 'Your membership in this workspace is suspended.',
    approval_required: 'An admin of the workspace has to let you in.',
    not_found: 'There is no such thing, or you may not see it.',
    already_member: 'You are a member already.',
    owner_role_fixed: 'The role of the owner cannot be changed.',
    member_limit_reached: 'The workspace is full.',
    workspace_limit_reached: 'You are in as many workspaces as you can be.',
    temporarily_unavailable: 'The service is not available. Try again in a moment.',
  },
  tooMany: (seconds) =>
    seconds === undefined
      ? 'Too many tries. Wait a while.'
      : `Too many tries. Try again in ${seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} second${seconds === 1 ? '' : 's'}`}.`,
  network: 'The service cannot be reached. Are you online?',
  failed: (requestId) => `That did not work.${requestId && ` (${requestId})`}`,
};

/** A failure in words for the person who sees it. */
export function wordsFor(error: unknown, texts: Texts, moreErrors: Texts['errors'] = {}): string {
  if (error instanceof TypeError) return texts.network;
  // By its name: an application may hold two copies of the package.
  if (!(error instanceof Error) || error.name !== 'ApiError') return texts.failed('');
  const { code, requestId, retryAfter } = error as Partial<
    Record<'code' | 'requestId', string> & { retryAfter: number }
  >;
  if (code === 'too_many_requests') return texts.tooMany(retryAfter);
  const errors = { ...texts.errors, ...moreErrors };
  return errors[code as ErrorCode] ?? texts.failed(requestId ?? '');
}
