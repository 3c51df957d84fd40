import { profileFrench } from './texts-profile-fr.ts';
import type { StrongTexts } from './texts-strong.ts';

/** The first of a month is an ordinal number, which Intl does not know. */
const ordinal = (date: string): string => date.replace(/^1 /, '1er ');

export const strongFrench: StrongTexts = {
  ...profileFrench,
  usePasskey: 'Utiliser une clé d’accès',
  passkeyNone: 'Aucune clé d’accès n’a été utilisée.',
  passkeyWrong: 'Cette clé d’accès n’est pas connue ici. Utilisez-en une autre.',
  passkeyKnown: 'Cet appareil a déjà une clé d’accès pour ce compte.',
  linkSent: (email) =>
    `Nous avons envoyé un lien à ${email}. Il est valable 15 minutes. Ouvrez-le dans ce navigateur. Ailleurs, il affiche un code à saisir ci-dessous.`,
  linkCode: 'Code du lien',
  linkCodeWrong: 'Le code est incorrect, a expiré ou correspond à un autre lien.',
  linkReady: 'Encore un clic pour vous connecter.',
  linkElsewhere: (host) =>
    `Ce lien n’a pas été demandé dans ce navigateur. Il peut afficher un code, qui donne accès à votre compte à quiconque le saisit. Ne le saisissez que sur ${host} : vérifiez-y la barre d’adresse.`,
  linkNotAsked:
    'Si vous n’avez pas demandé de lien, ou si un autre site vous a demandé votre e-mail ou vous demande le code, fermez cette page.',
  linkShowCode: 'Afficher le code',
  linkWarning: (host) =>
    `Ce code donne accès à votre compte à quiconque le saisit. Ne le saisissez que sur ${host} : vérifiez-y la barre d’adresse. Ne le communiquez à personne : personne ne vous le demandera jamais.`,
  linkAnew: 'Se connecter autrement',
  providerRefused: (provider) =>
    `${provider} n’a pas accepté la connexion. Réessayez ou connectez-vous autrement.`,
  providerElsewhere:
    'Cette connexion n’a pas commencé dans cet onglet, ou elle est déjà terminée. Recommencez ici.',
  providerStorage:
    'Votre navigateur ne laisse rien enregistrer à cette page, ce qui est nécessaire pour passer par un autre site et en revenir. Autorisez-le, puis réessayez.',
  accounts: 'Comptes associés',
  accountLink: (provider) => `Associer ${provider}`,
  accountLinked: (provider) =>
    `${provider} est associé. Vous pouvez désormais l’utiliser pour vous connecter.`,
  accountUnlink: (provider) => `Dissocier ${provider}`,
  accountUnlinked: (provider) => `${provider} n’est plus associé.`,
  accountPassword: (provider) =>
    `Pour associer ${provider}, saisissez le mot de passe que vous utilisez ici, et non celui de ${provider}.`,
  accountExpired:
    'Le délai est dépassé, ou c’est déjà fait. Si le compte n’est pas dans la liste, recommencez.',
  accountRefused: (provider) => `Aucun compte ${provider} n’a été associé. Réessayez.`,
  accountTaken:
    'Ce compte est déjà associé ici à une autre personne, ou vous y avez déjà associé un autre compte.',
  sessions: 'Sessions ouvertes',
  sessionHere: 'Ce navigateur',
  sessionUnknown: 'Appareil inconnu',
  sessionBy: (actor) => `Par ${actor}`,
  sessionMethods: {
    idpw: 'Mot de passe',
    email_code: 'Code par e-mail',
    email_link: 'Lien par e-mail',
    passkey: 'Clé d’accès',
    project: 'Connexion par l’application',
  },
  sessionTimes: (from, until) => `Depuis le ${from}, dernière utilisation le ${until}`,
  sessionEnd: (device) => `Fermer la session : ${device}`,
  sessionEnded: (device) => `Session fermée : ${device}`,
  app: 'Application d’authentification',
  appNone:
    'Avec une application sur votre téléphone, vous saisissez aussi un code à chaque connexion : un mot de passe volé ne suffit plus.',
  appRequired:
    'Un second facteur est obligatoire ici : une application d’authentification sur votre téléphone, dont vous saisissez le code à chaque connexion. Ajoutez-la maintenant pour continuer.',
  appAdd: 'Ajouter une application',
  appAdded: 'L’application est ajoutée. Un code vous sera désormais demandé à chaque connexion.',
  appScan:
    'Scannez ce code QR avec votre application d’authentification, ou saisissez-y la clé secrète. Saisissez ensuite le code qu’elle affiche.',
  appQr: 'Code QR pour une application d’authentification',
  appOpen: 'Ouvrir sur cet appareil',
  appSecret: 'Clé secrète',
  appCode: 'Code de l’application',
  appConfirm: 'Confirmer',
  appExpired:
    'Le délai est dépassé, ou l’ajout a été commencé ailleurs. Annulez, puis recommencez.',
  appSince: (date) => `Ajoutée le ${date}.`,
  appUsed: (date) => `Dernière utilisation le ${date}.`,
  appRemove: 'Retirer l’application',
  appRemoveExplained:
    'Aucun code ne vous sera plus demandé à la connexion, et vos codes de secours cesseront de fonctionner.',
  appRemoved: 'L’application est retirée.',
  appProof: 'Code de l’application ou code de secours',
  recoveryCodes: 'Codes de secours',
  recoveryOnce:
    'Voici vos codes de secours. Chacun permet de vous connecter une fois si vous perdez votre téléphone. Ils ne s’affichent que maintenant : gardez-les ailleurs que sur celui-ci.',
  recoveryCopy: 'Copier',
  recoveryCopied: 'Copié.',
  recoveryDownload: 'Télécharger dans un fichier',
  recoveryKept: 'Je les ai mis en lieu sûr',
  recoveryLeft: (count) =>
    count < 2 ? `Il reste ${count} code de secours.` : `Il reste ${count} codes de secours.`,
  recoveryRenew: 'Nouveaux codes de secours',
  recoveryRenewExplained: 'Les codes que vous avez cesseront de fonctionner.',
  passkeys: 'Clés d’accès',
  passkeysNone: 'Vous n’avez pas de clé d’accès.',
  passkeyName: 'Nom de la clé d’accès',
  passkeyAdd: 'Ajouter une clé d’accès',
  passkeyAdded: 'La clé d’accès est ajoutée.',
  passkeyRename: 'Renommer',
  passkeyDelete: 'Supprimer cette clé d’accès',
  passkeySince: (date) => `Ajoutée le ${date}`,
  passkeyUsed: (date) => `Utilisée le ${date}`,
  passkeyCopied: 'Quelqu’un a peut-être copié cette clé d’accès : supprimez-la.',
  currentPasswordWrong: 'Le mot de passe est incorrect.',
  askAgain:
    'Votre connexion date un peu, et cette action exige une connexion récente. Confirmez que c’est bien vous.',
  askAgainAnew:
    'Votre connexion date un peu, et cette action exige une connexion récente. Déconnectez-vous, puis reconnectez-vous.',
  goOn: 'Continuer',
  date: (at) => ordinal(at.toLocaleDateString('fr', { dateStyle: 'medium' })),
  time: (at) => ordinal(at.toLocaleString('fr', { dateStyle: 'medium', timeStyle: 'short' })),
  errors: {
    factor_exists: 'Vous avez déjà ajouté une application. Actualisez la page.',
    factor_required:
      'Un second facteur est obligatoire ici : l’application ne peut pas être retirée.',
    last_sign_in_method:
      'Vous ne pourriez plus vous connecter. Ajoutez d’abord un autre moyen de connexion.',
    passkey_exists: 'Cette clé d’accès appartient déjà à un compte.',
    passkey_invalid: 'La clé d’accès n’a pas pu être vérifiée. Réessayez.',
    passkey_limit_reached: 'Vous avez dix clés d’accès, le maximum possible.',
  },
};
