import { profileGerman } from './texts-profile-de.ts';
import type { StrongTexts } from './texts-strong.ts';

export const strongGerman: StrongTexts = {
  ...profileGerman,
  usePasskey: 'Passkey verwenden',
  passkeyNone: 'Es wurde kein Passkey benutzt.',
  passkeyWrong: 'Dieser Passkey ist hier nicht bekannt. Nehmen Sie einen anderen.',
  passkeyKnown: 'Dieses Gerät hat schon einen Passkey dieses Kontos.',
  linkSent: (email) =>
    `Ein Link ist unterwegs an ${email}. Er gilt 15 Minuten. Öffnen Sie ihn in diesem Browser. Anderswo zeigt er einen Code für das Feld hier.`,
  linkCode: 'Code des Links',
  linkCodeWrong: 'Der Code ist falsch oder abgelaufen oder gehört zu einem anderen Link.',
  linkReady: 'Noch ein Klick, und Sie sind angemeldet.',
  linkElsewhere: (host) =>
    `Dieser Link wurde nicht in diesem Browser angefordert. Er kann einen Code anzeigen. Wer den Code eingibt, kommt in Ihr Konto. Geben Sie ihn nur bei ${host} ein: Sehen Sie dort in die Adresszeile.`,
  linkNotAsked:
    'Wenn Sie keinen Link angefordert haben, oder wenn eine andere Seite nach Ihrer E-Mail-Adresse gefragt hat oder nach dem Code fragt, schließen Sie diese Seite.',
  linkShowCode: 'Code anzeigen',
  linkWarning: (host) =>
    `Wer diesen Code eingibt, kommt in Ihr Konto. Geben Sie ihn nur bei ${host} ein: Sehen Sie dort in die Adresszeile. Sagen Sie ihn niemandem: Niemand wird Sie je danach fragen.`,
  linkAnew: 'Auf andere Art anmelden',
  providerRefused: (provider) =>
    `${provider} hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Art an.`,
  providerElsewhere:
    'Das wurde nicht in diesem Tab begonnen oder ist schon zu Ende. Beginnen Sie hier neu.',
  providerStorage:
    'Ihr Browser lässt diese Seite nichts speichern, und der Weg zu einer anderen Seite und zurück braucht das. Erlauben Sie es und versuchen Sie es noch einmal.',
  accounts: 'Verknüpfte Konten',
  accountLink: (provider) => `${provider} verknüpfen`,
  accountLinked: (provider) =>
    `${provider} ist verknüpft. Ab jetzt können Sie sich damit anmelden.`,
  accountUnlink: (provider) => `Verknüpfung mit ${provider} lösen`,
  accountUnlinked: (provider) => `${provider} ist nicht mehr verknüpft.`,
  accountPassword: (provider) =>
    `Um ${provider} zu verknüpfen, geben Sie das Passwort ein, das Sie hier haben, nicht das von ${provider}.`,
  accountExpired:
    'Es hat zu lange gedauert oder war schon erledigt. Wenn das Konto nicht in der Liste steht, beginnen Sie noch einmal.',
  accountRefused: (provider) =>
    `Es wurde kein Konto bei ${provider} verknüpft. Versuchen Sie es noch einmal.`,
  accountTaken:
    'Dieses Konto ist hier mit jemand anderem verknüpft, oder Sie haben dort schon ein anderes verknüpft.',
  sessions: 'Wo Sie angemeldet sind',
  sessionHere: 'Dieser Browser',
  sessionUnknown: 'Unbekanntes Gerät',
  sessionBy: (actor) => `Von ${actor}`,
  sessionMethods: {
    idpw: 'Passwort',
    email_code: 'Code per E-Mail',
    email_link: 'Link per E-Mail',
    passkey: 'Passkey',
    project: 'Angemeldet durch die Anwendung',
  },
  sessionTimes: (from, until) => `Seit ${from}, zuletzt benutzt ${until}`,
  sessionEnd: (device) => `Sitzung beenden: ${device}`,
  sessionEnded: (device) => `Beendet: ${device}`,
  app: 'Authenticator-App',
  appNone:
    'Mit einer App auf Ihrem Telefon geben Sie beim Anmelden zusätzlich einen Code ein: Ein gestohlenes Passwort reicht dann nicht.',
  appRequired:
    'Hier brauchen Sie einen zweiten Faktor: eine Authenticator-App auf Ihrem Telefon, deren Code Sie bei der Anmeldung eingeben. Fügen Sie sie jetzt hinzu, um fortzufahren.',
  appAdd: 'App hinzufügen',
  appAdded: 'Die App ist hinzugefügt. Ab jetzt werden Sie beim Anmelden nach einem Code gefragt.',
  appScan:
    'Scannen Sie den QR-Code mit Ihrer Authenticator-App oder tippen Sie den Schlüssel ein. Geben Sie dann den Code ein, den sie anzeigt.',
  appQr: 'QR-Code für eine Authenticator-App',
  appOpen: 'Auf diesem Gerät öffnen',
  appSecret: 'Schlüssel',
  appCode: 'Code der App',
  appConfirm: 'Bestätigen',
  appExpired:
    'Es hat zu lange gedauert oder wurde anderswo begonnen. Brechen Sie ab und beginnen Sie neu.',
  appSince: (date) => `Hinzugefügt am ${date}.`,
  appUsed: (date) => `Zuletzt benutzt am ${date}.`,
  appRemove: 'App entfernen',
  appRemoveExplained:
    'Beim Anmelden werden Sie dann nach keinem Code gefragt, und Ihre Wiederherstellungscodes gelten nicht mehr.',
  appRemoved: 'Die App ist entfernt.',
  appProof: 'Code der App oder ein Wiederherstellungscode',
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryOnce:
    'Dies sind Ihre Wiederherstellungscodes. Mit jedem melden Sie sich einmal an, wenn Sie Ihr Telefon verlieren. Die Codes werden nur jetzt angezeigt: Bewahren Sie sie getrennt davon auf.',
  recoveryCopy: 'Kopieren',
  recoveryCopied: 'Kopiert.',
  recoveryDownload: 'Als Datei herunterladen',
  recoveryKept: 'Ich habe sie aufbewahrt',
  recoveryLeft: (count) =>
    count === 1
      ? '1 Wiederherstellungscode ist übrig.'
      : `${count} Wiederherstellungscodes sind übrig.`,
  recoveryRenew: 'Neue Wiederherstellungscodes',
  recoveryRenewExplained: 'Die Codes, die Sie haben, gelten dann nicht mehr.',
  passkeys: 'Passkeys',
  passkeysNone: 'Sie haben keinen Passkey.',
  passkeyName: 'Name des Passkeys',
  passkeyAdd: 'Passkey hinzufügen',
  passkeyAdded: 'Der Passkey ist hinzugefügt.',
  passkeyRename: 'Umbenennen',
  passkeyDelete: 'Diesen Passkey löschen',
  passkeySince: (date) => `Hinzugefügt am ${date}`,
  passkeyUsed: (date) => `Benutzt am ${date}`,
  passkeyCopied: 'Vielleicht hat jemand diesen Passkey kopiert: Löschen Sie ihn.',
  currentPasswordWrong: 'Das Passwort ist falsch.',
  askAgain: 'Ihre Anmeldung liegt eine Weile zurück. Bestätigen Sie hierfür, dass Sie es sind.',
  askAgainAnew: 'Ihre Anmeldung liegt eine Weile zurück. Melden Sie sich hierfür ab und wieder an.',
  goOn: 'Weiter',
  date: (at) => at.toLocaleDateString('de', { dateStyle: 'medium' }),
  time: (at) => at.toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' }),
  errors: {
    factor_exists: 'Sie haben schon eine App hinzugefügt. Laden Sie die Seite neu.',
    factor_required: 'Hier ist ein zweiter Faktor nötig, darum kann die App nicht entfernt werden.',
    last_sign_in_method:
      'Sie könnten sich nicht mehr anmelden. Fügen Sie erst eine andere Art hinzu.',
    passkey_exists: 'Dieser Passkey gehört schon zu einem Konto.',
    passkey_invalid: 'Der Passkey ließ sich nicht prüfen. Versuchen Sie es noch einmal.',
    passkey_limit_reached: 'Sie haben zehn Passkeys, mehr geht nicht.',
  },
};
