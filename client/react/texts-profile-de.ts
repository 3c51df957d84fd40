import type { ProfileTexts } from './texts-profile.ts';

export const profileGerman: ProfileTexts = {
  profile: 'Profil',
  displayName: 'Anzeigename',
  givenName: 'Vorname',
  familyName: 'Nachname',
  save: 'Speichern',
  saved: 'Gespeichert.',
  changedElsewhere:
    'Ihr Profil wurde inzwischen anderswo geändert, und noch ist nichts gespeichert. Sie sehen hier diese Änderungen, und in den übrigen Feldern Ihre eigenen. Prüfen Sie alles und speichern Sie noch einmal.',
  emailNone: 'Sie haben keine E-Mail-Adresse.',
  emailVerified: 'bestätigt',
  emailUnverified: 'nicht bestätigt',
  emailVerify: 'E-Mail-Adresse bestätigen',
  emailSent: (email) => `Ein Link ist unterwegs an ${email}. Öffnen Sie ihn in diesem Browser.`,
  emailChange: 'E-Mail-Adresse ändern',
  emailNew: 'Neue E-Mail-Adresse',
  emailPending: (email, now) =>
    `Ein Link ist unterwegs an ${email}. Öffnen Sie ihn innerhalb einer Stunde in diesem Browser.${now && ` Bis dahin bleibt es bei ${now}.`}`,
  emailConfirmed: (email) => `${email} ist bestätigt.`,
  passwordNone: 'Sie haben kein Passwort.',
  passwordSet: 'Passwort setzen',
  passwordMailed: (email) => `Ein Link ist unterwegs an ${email}. Er setzt Ihr Passwort.`,
  passwordChange: 'Passwort ändern',
  passwordCurrent: 'Bisheriges Passwort',
  passwordNew: (least) =>
    least === undefined ? 'Neues Passwort' : `Neues Passwort, mindestens ${least} Zeichen`,
  passwordRefused:
    'Zu kurz, zu häufig oder Ihrer E-Mail-Adresse zu ähnlich. Nehmen Sie ein anderes.',
  passwordChanged: 'Ihr Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
};
