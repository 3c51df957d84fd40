import * as z from 'zod';
import { email } from '../model/email.ts';
import { projectId } from '../model/fields.ts';
import { askForFactor, mailed, session } from '../model/user-resources.ts';
import { captcha_token, captchaErrors } from './captcha.ts';
import { device_token, newcomer } from './credentials.ts';
import { group } from './route.ts';

const challengeId = z.uuid('Must be a UUID').meta({
  description: 'Identifies the mailed code; returned to the client that requested the mail.',
  maxLength: 36,
  example: '7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11',
});

/** Sign-in with a code sent by e-mail, which also verifies the mailbox. */
export const codes = group('codes', {
  start: {
    method: 'POST',
    path: '/codes',
    summary: 'Send a six-digit sign-in code by e-mail.',
    auth: [],
    body: z.strictObject({ project_id: projectId, email, captcha_token }),
    response: mailed.extend({ challenge_id: challengeId }).meta({ id: 'Challenge' }),
    statuses: [202],
    errors: ['not_found', 'sign_in_method_disabled', ...captchaErrors],
  },
  verify: {
    method: 'POST',
    path: '/sessions/code',
    summary: 'Start a session with the mailed code; creates the user if there is none.',
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      challenge_id: challengeId,
      code: z
        .string()
        .regex(/^[0-9]{6}$/, 'Must be six digits')
        .meta({ maxLength: 6, example: '314159' }),
      ...newcomer,
      device_token,
    }),
    response: session,
    statuses: [201],
    otherwise: askForFactor,
    errors: ['not_found', 'invalid_credentials', 'user_disabled', 'sign_in_method_disabled'],
  },
});
