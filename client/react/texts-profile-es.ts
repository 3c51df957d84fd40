import type { ProfileTexts } from './texts-profile.ts';

export const profileSpanish: ProfileTexts = {
  profile: 'Perfil',
  displayName: 'Nombre visible',
  givenName: 'Nombre',
  familyName: 'Apellidos',
  save: 'Guardar',
  saved: 'Guardado.',
  changedElsewhere:
    'Mientras tanto, tu perfil se cambió en otro lugar y todavía no se guardó nada. Aquí ves esos cambios y, en los demás campos, los tuyos. Revísalos y vuelve a guardar.',
  emailNone: 'No tienes correo electrónico.',
  emailVerified: 'verificado',
  emailUnverified: 'sin verificar',
  emailVerify: 'Verificar tu correo electrónico',
  emailSent: (email) => `Enviamos un enlace a ${email}. Ábrelo en este navegador.`,
  emailChange: 'Cambiar el correo electrónico',
  emailNew: 'Nuevo correo electrónico',
  emailPending: (email, now) =>
    `Enviamos un enlace a ${email}. Ábrelo en este navegador antes de una hora.${now && ` Hasta entonces, tu correo sigue siendo ${now}.`}`,
  emailConfirmed: (email) => `${email} está confirmado.`,
  passwordNone: 'No tienes contraseña.',
  passwordSet: 'Crear una contraseña',
  passwordMailed: (email) => `Enviamos un enlace a ${email}. Con él puedes crear tu contraseña.`,
  passwordChange: 'Cambiar la contraseña',
  passwordCurrent: 'Contraseña actual',
  passwordNew: (least) =>
    least === undefined ? 'Nueva contraseña' : `Nueva contraseña, al menos ${least} caracteres`,
  passwordRefused: 'Demasiado corta, demasiado común o demasiado parecida a tu correo. Elige otra.',
  passwordChanged: 'Tu contraseña se cambió. Todas las demás sesiones se cerraron.',
};
