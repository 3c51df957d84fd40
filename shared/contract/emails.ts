import * as z from 'zod';
import { email } from '../model/email.ts';
import { mailed, user } from '../model/resources.ts';
import { mailToken, password } from './credentials.ts';
import { group } from './route.ts';

/** The e-mail of the caller: proving it, and proving another one. */
export const emails = group('emails', {
  verify: {
    method: 'POST',
    path: '/users/me/email/verification',
    summary: "Mail a link whose token proves the caller's e-mail.",
    auth: ['access'],
    response: mailed,
    statuses: [202],
    errors: ['email_missing'],
  },
  change: {
    method: 'POST',
    path: '/users/me/email',
    summary: 'Mail a link to another e-mail, whose token makes it the e-mail of the caller.',
    auth: ['access'],
    body: z.strictObject({
      email,
      current_password: password
        .optional()
        .meta({ description: 'Required of a caller who has a password.' }),
    }),
    response: mailed,
    statuses: [202],
    errors: ['invalid_credentials', 'password_locked'],
  },
  confirm: {
    method: 'POST',
    path: '/users/me/email/confirmation',
    summary: 'Prove an e-mail with the token that was mailed to it.',
    auth: ['access'],
    body: z.strictObject({ token: mailToken }),
    response: user,
    statuses: [200],
    errors: ['mail_token_invalid', 'email_taken'],
  },
});
