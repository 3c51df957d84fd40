/** The words of the name, the e-mail and the password of an account. */
export type ProfileTexts = {
  profile: string;
  displayName: string;
  givenName: string;
  familyName: string;
  save: string;
  saved: string;
  changedElsewhere: string;
  emailNone: string;
  emailVerified: string;
  emailUnverified: string;
  emailVerify: string;
  emailSent: (email: string) => string;
  emailChange: string;
  emailNew: string;
  /** `now`: which stays until the link is opened; empty if there is none. */
  emailPending: (email: string, now: string) => string;
  emailConfirmed: (email: string) => string;
  passwordNone: string;
  passwordSet: string;
  passwordMailed: (email: string) => string;
  passwordChange: string;
  passwordCurrent: string;
  /** `least`: how many characters it has, if that is known. */
  passwordNew: (least: number | undefined) => string;
  passwordRefused: string;
  passwordChanged: string;
};

export const profileEnglish: ProfileTexts = {
  profile: 'Profile',
  displayName: 'Display name',
  givenName: 'Given name',
  familyName: 'Family name',
  save: 'Save',
  saved: 'Saved.',
  changedElsewhere:
    'Your profile was changed elsewhere meanwhile, and nothing is saved yet. You see those changes here, and your own in the other fields. Check them and save again.',
  emailNone: 'You have no e-mail.',
  emailVerified: 'verified',
  emailUnverified: 'not verified',
  emailVerify: 'Verify your e-mail',
  emailSent: (email) => `We have sent a link to ${email}. Open it in this browser.`,
  emailChange: 'Change your e-mail',
  emailNew: 'New e-mail',
  emailPending: (email, now) =>
    `We have sent a link to ${email}. Open it in this browser within an hour.${now && ` Until then your e-mail stays ${now}.`}`,
  emailConfirmed: (email) => `${email} is confirmed.`,
  passwordNone: 'You have no password.',
  passwordSet: 'Set a password',
  passwordMailed: (email) => `We have sent a link to ${email}. It sets your password.`,
  passwordChange: 'Change your password',
  passwordCurrent: 'Current password',
  passwordNew: (least) =>
    least === undefined ? 'New password' : `New password, at least ${least} characters`,
  passwordRefused: 'Too short, too common, or too much like your e-mail. Choose another one.',
  passwordChanged: 'Your password is changed. All other sessions have ended.',
};
