import type { StrongTexts } from './texts-strong.ts';

export const strongGerman: StrongTexts = {
  usePasskey: 'Passkey verwenden',
  passkeyNone: 'Es wurde kein Passkey benutzt.',
  passkeyWrong: 'Dieser Passkey ist hier nicht bekannt. Nimm einen anderen.',
  passkeyKnown: 'Dieses Gerät hat schon einen Passkey dieses Kontos.',
  linkSent: (email) =>
    `Ein Link ist unterwegs an ${email}. Er gilt 15 Minuten. Öffne ihn in diesem Browser. Anderswo zeigt er einen Code für das Feld hier.`,
  linkCode: 'Code des Links',
  linkCodeWrong: 'Der Code ist falsch oder abgelaufen oder gehört zu einem anderen Link.',
  linkReady: 'Noch ein Klick, und du bist angemeldet.',
  linkElsewhere: (host) =>
    `Dieser Link wurde nicht in diesem Browser angefordert. Er kann einen Code anzeigen. Wer den Code eingibt, kommt in dein Konto. Gib ihn nur bei ${host} ein: Sieh dort in die Adresszeile.`,
  linkNotAsked:
    'Wenn du keinen Link angefordert hast, oder wenn eine andere Seite nach deiner E-Mail-Adresse gefragt hat oder nach dem Code fragt, schließe diese Seite.',
  linkShowCode: 'Code anzeigen',
  linkWarning: (host) =>
    `Wer diesen Code eingibt, kommt in dein Konto. Gib ihn nur bei ${host} ein: Sieh dort in die Adresszeile. Sage ihn niemandem: Niemand wird dich je danach fragen.`,
  linkAnew: 'Auf andere Art anmelden',
  providerRefused: (provider) =>
    `${provider} hat dich nicht angemeldet. Versuche es noch einmal, oder melde dich auf andere Art an.`,
  providerElsewhere:
    'Das wurde nicht in diesem Tab begonnen oder ist schon zu Ende. Beginne hier neu.',
  providerStorage:
    'Dein Browser lässt diese Seite nichts speichern, und der Weg zu einer anderen Seite und zurück braucht das. Erlaube es und versuche es noch einmal.',
  accounts: 'Verknüpfte Konten',
  accountLink: (provider) => `${provider} verknüpfen`,
  accountLinked: (provider) => `${provider} ist verknüpft. Ab jetzt kannst du dich damit anmelden.`,
  accountUnlink: (provider) => `Verknüpfung mit ${provider} lösen`,
  accountUnlinked: (provider) => `${provider} ist nicht mehr verknüpft.`,
  accountPassword: (provider) =>
    `Um ${provider} zu verknüpfen, gib das Passwort ein, das du hier hast, nicht das von ${provider}.`,
  accountExpired:
    'Es hat zu lange gedauert oder war schon erledigt. Wenn das Konto nicht in der Liste steht, beginne noch einmal.',
  accountRefused: (provider) =>
    `Es wurde kein Konto bei ${provider} verknüpft. Versuche es noch einmal.`,
  accountTaken:
    'Dieses Konto ist hier mit jemand anderem verknüpft, oder du hast dort schon ein anderes verknüpft.',
  sessions: 'Wo du angemeldet bist',
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
    'Mit einer App auf deinem Telefon gibst du beim Anmelden zusätzlich einen Code ein: Ein gestohlenes Passwort reicht dann nicht.',
  appRequired:
    'Hier brauchst du einen zweiten Faktor: eine Authenticator-App auf deinem Telefon, deren Code du bei der Anmeldung eingibst. Füge sie jetzt hinzu, um fortzufahren.',
  appAdd: 'App hinzufügen',
  appAdded: 'Die App ist hinzugefügt. Ab jetzt wirst du beim Anmelden nach einem Code gefragt.',
  appScan:
    'Scanne den QR-Code mit deiner Authenticator-App oder tippe den Schlüssel ein. Gib dann den Code ein, den sie anzeigt.',
  appQr: 'QR-Code für eine Authenticator-App',
  appOpen: 'Auf diesem Gerät öffnen',
  appSecret: 'Schlüssel',
  appCode: 'Code der App',
  appConfirm: 'Bestätigen',
  appExpired: 'Es hat zu lange gedauert oder wurde anderswo begonnen. Brich ab und beginne neu.',
  appSince: (date) => `Hinzugefügt am ${date}.`,
  appUsed: (date) => `Zuletzt benutzt am ${date}.`,
  appRemove: 'App entfernen',
  appRemoveExplained:
    'Beim Anmelden wirst du dann nach keinem Code gefragt, und deine Wiederherstellungscodes gelten nicht mehr.',
  appRemoved: 'Die App ist entfernt.',
  appProof: 'Code der App oder ein Wiederherstellungscode',
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryOnce:
    'Dies sind deine Wiederherstellungscodes. Mit jedem meldest du dich einmal an, wenn du dein Telefon verlierst. Sie werden nur jetzt angezeigt: Bewahre sie getrennt davon auf.',
  recoveryCopy: 'Kopieren',
  recoveryCopied: 'Kopiert.',
  recoveryDownload: 'Als Datei herunterladen',
  recoveryKept: 'Ich habe sie aufbewahrt',
  recoveryLeft: (count) =>
    count === 1
      ? '1 Wiederherstellungscode ist übrig.'
      : `${count} Wiederherstellungscodes sind übrig.`,
  recoveryRenew: 'Neue Wiederherstellungscodes',
  recoveryRenewExplained: 'Die Codes, die du hast, gelten dann nicht mehr.',
  passkeys: 'Passkeys',
  passkeysNone: 'Du hast keinen Passkey.',
  passkeyName: 'Name des Passkeys',
  passkeyAdd: 'Passkey hinzufügen',
  passkeyAdded: 'Der Passkey ist hinzugefügt.',
  passkeyRename: 'Umbenennen',
  passkeyDelete: 'Diesen Passkey löschen',
  passkeySince: (date) => `Hinzugefügt am ${date}`,
  passkeyUsed: (date) => `Benutzt am ${date}`,
  passkeyCopied: 'Vielleicht hat jemand diesen Passkey kopiert: Lösche ihn.',
  currentPasswordWrong: 'Das Passwort ist falsch.',
  askAgain: 'Deine Anmeldung liegt eine Weile zurück. Bestätige hierfür, dass du es bist.',
  askAgainAnew: 'Deine Anmeldung liegt eine Weile zurück. Melde dich hierfür ab und wieder an.',
  goOn: 'Weiter',
  date: (at) => at.toLocaleDateString('de', { dateStyle: 'medium' }),
  time: (at) => at.toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' }),
  errors: {
    factor_exists: 'Du hast schon eine App hinzugefügt. Lade die Seite neu.',
    factor_required: 'Hier ist ein zweiter Faktor nötig, darum kann die App nicht entfernt werden.',
    last_sign_in_method: 'Du könntest dich nicht mehr anmelden. Füge erst eine andere Art hinzu.',
    passkey_exists: 'Dieser Passkey gehört schon zu einem Konto.',
    passkey_invalid: 'Der Passkey ließ sich nicht prüfen. Versuche es noch einmal.',
    passkey_limit_reached: 'Du hast zehn Passkeys, mehr geht nicht.',
  },
};
