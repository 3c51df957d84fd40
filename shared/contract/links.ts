import * as z from 'zod';
import { email } from '../model/email.ts';
import { projectId } from '../model/fields.ts';
import { askForFactor, mailed, session } from '../model/user-resources.ts';
import { captcha_token, captchaErrors } from './captcha.ts';
import { device_token, mailToken, newcomer } from './credentials.ts';
import { group } from './route.ts';

const linkId = z.uuid('Must be a UUID').meta({
  description:
    'Identifies the mailed link: from the response of `POST /links`, or from the fragment of the link.',
  maxLength: 36,
  example: '7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11',
});

const challenge = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be a SHA-256 digest in base64url')
  .meta({
    description: 'The SHA-256 of the `verifier`, in base64url: the `S256` method of RFC 7636.',
    maxLength: 43,
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });

const verifier = z
  .string()
  .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'Must be 43 to 128 of A-Z, a-z, 0-9, -, ., _ and ~')
  .meta({
    description:
      'The random secret of the browser that requested the link; its digest is the `challenge`.',
    minLength: 43,
    maxLength: 128,
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });

const code = z
  .string()
  .regex(/^[0-9]{6}$/, 'Must be six digits')
  .meta({ maxLength: 6, example: '314159' });

/** Sign-in with a link sent by e-mail, which also verifies the mailbox. */
export const links = group('links', {
  start: {
    method: 'POST',
    path: '/links',
    summary: 'Send a sign-in link by e-mail, valid for the browser that requests it.',
    auth: [],
    body: z.strictObject({ project_id: projectId, email, challenge, captcha_token }),
    response: mailed.extend({ link_id: linkId }).meta({ id: 'MailedLink' }),
    statuses: [202],
    errors: ['not_found', 'sign_in_method_disabled', ...captchaErrors],
  },
  showCode: {
    method: 'POST',
    path: '/links/code',
    summary:
      'The code of a link that was opened in another browser; the user types it in the browser that requested the link.',
    auth: [],
    body: z.strictObject({ project_id: projectId, link_id: linkId, token: mailToken }),
    response: z.object({ code }).meta({ id: 'LinkCode' }),
    errors: ['not_found', 'mail_token_invalid', 'sign_in_method_disabled'],
  },
  signIn: {
    method: 'POST',
    path: '/sessions/link',
    summary: 'Start a session with the mailed link; creates the user if there is none.',
    auth: [],
    body: z.strictObject({
      project_id: projectId,
      link_id: linkId,
      verifier,
      token: mailToken.optional(),
      code: code
        .optional()
        .meta({ description: 'The code from `POST /links/code`, instead of the token.' }),
      ...newcomer,
      device_token,
    }),
    response: session,
    statuses: [201],
    otherwise: askForFactor,
    errors: ['not_found', 'invalid_credentials', 'user_disabled', 'sign_in_method_disabled'],
  },
});
