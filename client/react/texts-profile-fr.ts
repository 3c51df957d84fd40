import type { ProfileTexts } from './texts-profile.ts';

export const profileFrench: ProfileTexts = {
  profile: 'Profil',
  displayName: 'Nom affiché',
  givenName: 'Prénom',
  familyName: 'Nom de famille',
  save: 'Enregistrer',
  saved: 'Enregistré.',
  changedElsewhere:
    'Votre profil a été modifié ailleurs entre-temps, et rien n’est encore enregistré. Vous voyez ici ces modifications, et les vôtres dans les autres champs. Vérifiez-les et enregistrez de nouveau.',
  emailNone: 'Vous n’avez pas d’adresse e-mail.',
  emailVerified: 'vérifiée',
  emailUnverified: 'non vérifiée',
  emailVerify: 'Vérifier votre adresse e-mail',
  emailSent: (email) => `Nous avons envoyé un lien à ${email}. Ouvrez-le dans ce navigateur.`,
  emailChange: 'Changer d’adresse e-mail',
  emailNew: 'Nouvelle adresse e-mail',
  emailPending: (email, now) =>
    `Nous avons envoyé un lien à ${email}. Ouvrez-le dans ce navigateur dans l’heure qui suit.${now && ` D’ici là, votre adresse reste ${now}.`}`,
  emailConfirmed: (email) => `${email} est confirmée.`,
  passwordNone: 'Vous n’avez pas de mot de passe.',
  passwordSet: 'Définir un mot de passe',
  passwordMailed: (email) =>
    `Nous avons envoyé un lien à ${email}. Il permet de définir votre mot de passe.`,
  passwordChange: 'Changer de mot de passe',
  passwordCurrent: 'Mot de passe actuel',
  passwordNew: (least) =>
    least === undefined
      ? 'Nouveau mot de passe'
      : `Nouveau mot de passe, au moins ${least} caractères`,
  passwordRefused:
    'Trop court, trop courant ou trop proche de votre e-mail. Choisissez-en un autre.',
  passwordChanged: 'Votre mot de passe a été changé. Toutes les autres sessions sont fermées.',
};
