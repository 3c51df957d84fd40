import * as z from 'zod';
import { email } from '../model/email.ts';
import { mailed, user } from '../model/user-resources.ts';
import { currentPassword, mailToken } from './credentials.ts';
import { group } from './route.ts';

/** The caller's e-mail: verify it, or change it to another verified one. */
export const emails = group('emails', {
  verify: {
    method: 'POST',
    path: '/users/me/email/verification',
    summary: "Send a link whose token verifies the caller's e-mail.",
    auth: ['access'],
    notByActor: true,
    response: mailed,
    statuses: [202],
    errors: ['email_missing'],
  },
  change: {
    method: 'POST',
    path: '/users/me/email',
    summary: "Send a link to a new e-mail; its token makes the new e-mail the caller's e-mail.",
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    body: z.strictObject({
      email,
      current_password: currentPassword(),
    }),
    response: mailed,
    statuses: [202],
    errors: ['invalid_credentials', 'password_locked'],
  },
  confirm: {
    method: 'POST',
    path: '/users/me/email/confirmation',
    summary: 'Verify an e-mail with the token that was sent to it.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject({ token: mailToken }),
    response: user,
    errors: ['mail_token_invalid', 'email_taken'],
  },
});
