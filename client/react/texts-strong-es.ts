import { profileSpanish } from './texts-profile-es.ts';
import type { StrongTexts } from './texts-strong.ts';

export const strongSpanish: StrongTexts = {
  ...profileSpanish,
  usePasskey: 'Usar una llave de acceso',
  passkeyNone: 'No se usó ninguna llave de acceso.',
  passkeyWrong: 'Esta llave de acceso no se reconoce aquí. Usa otra.',
  passkeyKnown: 'Este dispositivo ya tiene una llave de acceso de esta cuenta.',
  linkSent: (email) =>
    `Enviamos un enlace a ${email}. Es válido durante 15 minutos. Ábrelo en este navegador. En otro, muestra un código para el campo de abajo.`,
  linkCode: 'Código del enlace',
  linkCodeWrong: 'El código es incorrecto, ha caducado o es de otro enlace.',
  linkReady: 'Falta un clic para iniciar sesión.',
  linkElsewhere: (host) =>
    `Este enlace no se solicitó en este navegador. Puede mostrar un código que da acceso a tu cuenta a quien lo escriba. Escríbelo solo en ${host}: comprueba allí la barra de direcciones.`,
  linkNotAsked:
    'Si no solicitaste un enlace, o si otro sitio te pidió el correo o te pide el código, cierra esta página.',
  linkShowCode: 'Mostrar el código',
  linkWarning: (host) =>
    `Este código da acceso a tu cuenta a quien lo escriba. Escríbelo solo en ${host}: comprueba allí la barra de direcciones. No se lo digas a nadie: nadie te lo pedirá nunca.`,
  linkAnew: 'Iniciar sesión de otra forma',
  providerRefused: (provider) =>
    `${provider} no aceptó el inicio de sesión. Reinténtalo o inicia sesión de otra forma.`,
  providerElsewhere: 'Esto no se empezó en esta pestaña o ya terminó. Empieza aquí de nuevo.',
  providerStorage:
    'Tu navegador no deja que esta página guarde nada, y hace falta para ir a otro sitio y volver. Permítelo y reinténtalo.',
  accounts: 'Cuentas vinculadas',
  accountLink: (provider) => `Vincular ${provider}`,
  accountLinked: (provider) =>
    `${provider} se vinculó. A partir de ahora puedes usarlo para iniciar sesión.`,
  accountUnlink: (provider) => `Desvincular ${provider}`,
  accountUnlinked: (provider) => `${provider} ya no está en tus cuentas vinculadas.`,
  accountPassword: (provider) =>
    `Para vincular ${provider}, escribe la contraseña que usas aquí, no la de ${provider}.`,
  accountExpired:
    'Pasó demasiado tiempo o ya estaba hecho. Si la cuenta no está en la lista, empieza de nuevo.',
  accountRefused: (provider) => `No se vinculó ninguna cuenta de ${provider}. Reinténtalo.`,
  accountTaken:
    'Esta cuenta ya está vinculada aquí a otra persona, o ya vinculaste otra cuenta de ese proveedor.',
  sessions: 'Sesiones abiertas',
  sessionHere: 'Este navegador',
  sessionUnknown: 'Dispositivo desconocido',
  sessionBy: (actor) => `Por ${actor}`,
  sessionMethods: {
    idpw: 'Contraseña',
    email_code: 'Código por correo',
    email_link: 'Enlace por correo',
    passkey: 'Llave de acceso',
    project: 'Inicio de sesión por la aplicación',
  },
  sessionTimes: (from, until) => `Desde el ${from}, último uso el ${until}`,
  sessionEnd: (device) => `Cerrar la sesión: ${device}`,
  sessionEnded: (device) => `Sesión cerrada: ${device}`,
  app: 'Aplicación de autenticación',
  appNone:
    'Con una aplicación en tu teléfono, al iniciar sesión también escribes un código: así no basta con una contraseña robada.',
  appRequired:
    'Aquí necesitas un segundo factor: una aplicación de autenticación en tu teléfono, cuyo código escribes al iniciar sesión. Añádela ahora para continuar.',
  appAdd: 'Añadir una aplicación',
  appAdded: 'La aplicación se añadió. A partir de ahora se te pedirá un código al iniciar sesión.',
  appScan:
    'Escanea este código QR con tu aplicación de autenticación o escribe en ella la clave secreta. Después escribe el código que muestra.',
  appQr: 'Código QR para una aplicación de autenticación',
  appOpen: 'Abrir en este dispositivo',
  appSecret: 'Clave secreta',
  appCode: 'Código de la aplicación',
  appConfirm: 'Confirmar',
  appExpired: 'Pasó demasiado tiempo o se empezó en otro lugar. Cancela y empieza de nuevo.',
  appSince: (date) => `Añadida el ${date}.`,
  appUsed: (date) => `Último uso el ${date}.`,
  appRemove: 'Quitar la aplicación',
  appRemoveExplained:
    'Ya no se te pedirá ningún código al iniciar sesión, y tus códigos de recuperación dejarán de funcionar.',
  appRemoved: 'La aplicación se quitó.',
  appProof: 'Código de la aplicación o de recuperación',
  recoveryCodes: 'Códigos de recuperación',
  recoveryOnce:
    'Estos son tus códigos de recuperación. Con cada uno puedes iniciar sesión una vez si pierdes el teléfono. Solo se muestran ahora: no los guardes en el propio teléfono.',
  recoveryCopy: 'Copiar',
  recoveryCopied: 'Copiado.',
  recoveryDownload: 'Descargar como archivo',
  recoveryKept: 'Ya los guardé',
  recoveryLeft: (count) =>
    count === 1 ? 'Queda 1 código de recuperación.' : `Quedan ${count} códigos de recuperación.`,
  recoveryRenew: 'Códigos de recuperación nuevos',
  recoveryRenewExplained: 'Los códigos que tienes dejarán de funcionar.',
  passkeys: 'Llaves de acceso',
  passkeysNone: 'No tienes llaves de acceso.',
  passkeyName: 'Nombre de la llave de acceso',
  passkeyAdd: 'Añadir una llave de acceso',
  passkeyAdded: 'La llave de acceso se añadió.',
  passkeyRename: 'Cambiar nombre',
  passkeyDelete: 'Eliminar esta llave de acceso',
  passkeySince: (date) => `Añadida el ${date}`,
  passkeyUsed: (date) => `Usada el ${date}`,
  passkeyCopied: 'Puede que alguien haya copiado esta llave de acceso: elimínala.',
  currentPasswordWrong: 'La contraseña es incorrecta.',
  askAgain:
    'Iniciaste sesión hace un tiempo, y para esto hace falta un inicio de sesión reciente. Confirma que eres tú.',
  askAgainAnew:
    'Iniciaste sesión hace un tiempo, y para esto hace falta un inicio de sesión reciente. Cierra sesión y vuelve a iniciarla.',
  goOn: 'Continuar',
  date: (at) => at.toLocaleDateString('es', { dateStyle: 'medium' }),
  time: (at) => at.toLocaleString('es', { dateStyle: 'medium', timeStyle: 'short' }),
  errors: {
    factor_exists: 'Ya añadiste una aplicación. Vuelve a cargar la página.',
    factor_required: 'Aquí es obligatorio un segundo factor: la aplicación no se puede quitar.',
    last_sign_in_method: 'Ya no podrías iniciar sesión. Añade antes otra forma de iniciar sesión.',
    passkey_exists: 'Esta llave de acceso ya pertenece a una cuenta.',
    passkey_invalid: 'No se pudo comprobar la llave de acceso. Reinténtalo.',
    passkey_limit_reached: 'Tienes diez llaves de acceso, el máximo posible.',
  },
};
