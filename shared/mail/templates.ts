/** The content of a mail: its template, the product, and its values. `minutes` is the validity of its link or code. */
export type MailContent = { product: string } & (
  | {
      template: 'sign_up' | 'account_exists' | 'reset_password' | 'verify_email' | 'change_email';
      link: string;
      minutes: number;
    }
  | {
      template: 'workspace_invitation';
      link: string;
      minutes: number;
      workspace: string;
      /** E-mail address; empty if no longer known. */
      inviter: string;
      message: string | undefined;
    }
  | { template: 'sign_in_code'; code: string; minutes: number }
  | { template: 'email_changed'; new_email: string }
  | { template: 'identity_linked' | 'identity_unlinked'; provider: string }
  | { template: 'password_changed' | 'password_locked' }
  | { template: 'new_device'; user_agent: string; network: string; at: Date }
);

interface Template {
  subject: string;
  /**
   * Preview text that mail programs show after the subject. Neither contains the code, because both appear on locked
   * phones and in logs.
   */
  preheader: string;
  heading: string;
  body: string;
  /** Button label, if the heading is too long for a button. */
  button?: string;
  /** Advice for a recipient who did not request this mail. */
  otherwise: string;
}

/**
 * The texts of each mail. No line starts with a name, because its first letter would set the direction of the whole
 * line.
 */
export const templates: Record<MailContent['template'], Template> = {
  sign_up: {
    subject: 'Confirm your e-mail address for {product}',
    preheader: 'One step is left to create your account.',
    heading: 'Confirm your e-mail address',
    body: 'Open this link to choose a password and finish creating your account with {product}.',
    button: 'Confirm e-mail address',
    otherwise:
      'If you did not sign up, ignore this mail: there is no account until you choose a password.',
  },
  account_exists: {
    subject: 'You already have an account with {product}',
    preheader: 'Sign in as before, or set a new password.',
    heading: 'You already have an account',
    body: 'Someone tried to sign up for {product} with this e-mail address, which already has an account. If that was you, sign in as before, or open this link to set a new password.',
    button: 'Set a new password',
    otherwise:
      'If you did not try to sign up, ignore this mail: your account and your password stay as they are.',
  },
  reset_password: {
    subject: 'Set a new password for {product}',
    preheader: 'The link works once, for {valid}.',
    heading: 'Set a new password',
    body: 'Open this link to set a new password for your account with {product}.',
    otherwise: 'If you did not request this, ignore this mail: your password stays as it is.',
  },
  sign_in_code: {
    subject: 'Your sign-in code for {product}',
    preheader: 'The code works once, for {valid}.',
    heading: 'Your sign-in code',
    body: 'Enter this code on the sign-in page of {product}, and nowhere else. Never share it: anyone who has it can sign in as you.',
    otherwise: 'If you did not request a code, ignore this mail: nobody can sign in without it.',
  },
  verify_email: {
    subject: 'Verify your e-mail address for {product}',
    preheader: 'Confirm that this address is yours.',
    heading: 'Verify your e-mail address',
    body: 'Open this link to confirm that the e-mail address of your account with {product} is yours.',
    button: 'Verify e-mail address',
    otherwise:
      'If you did not request this, ignore this mail and leave the link unopened: the address stays unverified.',
  },
  change_email: {
    subject: 'Confirm your new e-mail address for {product}',
    preheader: 'Your account keeps its current address until you confirm.',
    heading: 'Confirm your new e-mail address',
    body: 'Open this link to make this the e-mail address of your account with {product}.',
    button: 'Confirm new address',
    otherwise:
      'If you did not request this, ignore this mail and leave the link unopened: nothing is changed.',
  },
  email_changed: {
    subject: 'Your e-mail address for {product} was changed',
    preheader: 'If this was not you, act now.',
    heading: 'Your e-mail address was changed',
    body: 'The account with {product} that had this e-mail address now has {new_email} instead.',
    otherwise:
      'If this was not you, someone else may be using your account: contact the support of {product} at once.',
  },
  identity_linked: {
    subject: 'New way to sign in to {product}',
    preheader: 'If this was not you, act now.',
    heading: 'An account was linked',
    body: 'You can now sign in to {product} with your {provider} account.',
    otherwise:
      'If this was not you, someone else may be using your account: unlink it, and contact the support of {product} at once.',
  },
  identity_unlinked: {
    subject: 'A way to sign in to {product} was removed',
    preheader: 'If this was not you, act now.',
    heading: 'An account was unlinked',
    body: 'You can no longer sign in to {product} with your {provider} account.',
    otherwise:
      'If this was not you, someone else may be using your account: contact the support of {product} at once.',
  },
  workspace_invitation: {
    // An e-mail address is ASCII, so this line runs left to right whatever names follow.
    subject: '{inviter} invited you to {workspace} on {product}',
    preheader: 'The invitation is valid for {valid}.',
    heading: 'You are invited',
    body: '{inviter} invited you to join the workspace {workspace} on {product}. Open this link to see the invitation.',
    button: 'See the invitation',
    otherwise:
      'If you do not know who invites you, ignore this mail: you join nothing until you accept.',
  },
  password_changed: {
    subject: 'Your password for {product} was changed',
    preheader: 'If this was not you, act now.',
    heading: 'Your password was changed',
    body: 'The password of your account with {product} was changed just now.',
    otherwise:
      'If this was not you, someone else may be using your account: set a new password at once, with “forgotten password” on the sign-in page.',
  },
  password_locked: {
    subject: 'Your password for {product} was locked',
    preheader: 'Set a new password to use one again.',
    heading: 'Your password was locked',
    body: 'Someone has entered a wrong password for your account with {product} too many times in a row, so passwords are refused until you set a new one with “forgotten password” on the sign-in page. Every other way to sign in still works.',
    otherwise:
      'If this was not you, someone may be guessing your password: choose a new one that you use nowhere else.',
  },
  new_device: {
    subject: 'New sign-in to {product}',
    preheader: 'If this was not you, act now.',
    heading: 'A new device signed in',
    body: 'There was a sign-in to your account with {product} from {device}, network {network}, on {time}. It is the first one from this device or place.',
    otherwise:
      'If this was you, there is nothing to do. If it was not, set a new password at once, with “forgotten password” on the sign-in page: that ends every session.',
  },
};
