import * as z from 'zod';
import { email } from '../model/email.ts';
import { projectId } from '../model/fields.ts';
import { askForFactor, mailed, session, user } from '../model/user-resources.ts';
import { captcha_token, captchaErrors } from './captcha.ts';
import { device_token, mailToken, newcomer, newPassword, password } from './credentials.ts';
import { group } from './route.ts';

/** The sign-in method `idpw`: e-mail and password. */
export const passwords = group('passwords', {
  signUp: {
    method: 'POST',
    path: '/sign-up',
    summary: 'Start signing up: sends a link whose token sets the first password.',
    auth: [],
    body: z.strictObject({ project_id: projectId, email, captcha_token }),
    response: mailed,
    statuses: [202],
    errors: ['not_found', 'sign_in_method_disabled', 'sign_up_disabled', ...captchaErrors],
  },
  signIn: {
    method: 'POST',
    path: '/sessions/password',
    summary: 'Start a session with an e-mail and a password.',
    auth: [],
    body: z.strictObject({ project_id: projectId, email, password, device_token, captcha_token }),
    response: session,
    statuses: [201],
    otherwise: askForFactor,
    errors: [
      'not_found',
      'invalid_credentials',
      'password_locked',
      'user_disabled',
      'sign_in_method_disabled',
      ...captchaErrors,
    ],
  },
  forgot: {
    method: 'POST',
    path: '/passwords/forgotten',
    summary: 'Send a link whose token sets a new password.',
    auth: [],
    body: z.strictObject({ project_id: projectId, email, captcha_token }),
    response: mailed,
    statuses: [202],
    errors: ['not_found', 'sign_in_method_disabled', ...captchaErrors],
  },
  set: {
    method: 'POST',
    path: '/passwords',
    summary:
      'Set a password with the token from a mail, create the user if there is none, and start a session.',
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      token: mailToken,
      password: newPassword,
      ...newcomer,
      device_token,
    }),
    response: session,
    statuses: [201],
    otherwise: askForFactor,
    errors: [
      'not_found',
      'mail_token_invalid',
      'user_disabled',
      'sign_in_method_disabled',
      'sign_up_disabled',
    ],
  },
  change: {
    method: 'PUT',
    path: '/users/me/password',
    summary: "Change the caller's password; ends every other session of the caller.",
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    body: z.strictObject({ current_password: password, new_password: newPassword }),
    response: user,
    errors: ['invalid_credentials', 'password_locked', 'sign_in_method_disabled'],
  },
});
