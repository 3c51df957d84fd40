import * as z from 'zod';
import { paged, projectId, timestamp, uid } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { session } from '../model/user-resources.ts';
import { currentPassword, device_token } from './credentials.ts';
import { group } from './route.ts';

export const factor = z
  .object({
    type: z.enum(['totp']).meta({ description: 'An authenticator app (RFC 6238).' }),
    created_at: timestamp,
    last_used_at: timestamp.optional().meta({ description: 'Absent if it was never used.' }),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'Factor' });
export type Factor = z.output<typeof factor>;

const code = z
  .string()
  .regex(/^[0-9]{6}$/, 'Must be six digits')
  .meta({
    maxLength: 6,
    description: 'A code of the authenticator app. Each code is valid once.',
    example: '314159',
  });

const recoveryCode = z
  .string()
  .regex(
    /^[A-Za-z0-9]{5}(?:[ -]?[A-Za-z0-9]{5}){2}$/,
    'Must be a recovery code such as k7m2x-9qd4r-w5hep',
  )
  .meta({
    maxLength: 17,
    description: 'A recovery code. Each code is valid once.',
    example: 'k7m2x-9qd4r-w5hep',
  });

/** Either of them: the handler requires one, and refuses both. */
export const guess = { code: code.optional(), recovery_code: recoveryCode.optional() };

const recoveryCodes = z.array(z.string()).meta({
  description: `The ${limits.recoveryCodes} recovery codes. They are shown only once.`,
});

const mfaToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the mfa_token of a sign-in')
  .meta({ maxLength: 43, example: 'm'.repeat(43) });

const enrolment = z
  .object({
    secret: z
      .string()
      .meta({ description: 'The secret in base32, for users who cannot scan the QR code.' }),
    uri: z.string().meta({ description: 'Show it as a QR code.' }),
    expires_in: z
      .int()
      .meta({ description: 'Seconds within which the user must confirm the app.' }),
  })
  .meta({ id: 'TotpEnrolment' });

/** The second factor: an authenticator app, with recovery codes. */
export const factors = group('factors', {
  startTotp: {
    method: 'POST',
    path: '/users/me/factors/totp',
    summary: 'Start to add an authenticator app for the caller.',
    auth: ['access'],
    notByActor: true,
    recentSignIn: true,
    body: z.strictObject({
      current_password: currentPassword(),
    }),
    response: enrolment,
    statuses: [201],
    errors: [
      'invalid_credentials',
      'reauthentication_required',
      'password_locked',
      'sign_in_method_disabled',
      'factor_exists',
    ],
  },
  confirmTotp: {
    method: 'POST',
    path: '/users/me/factors/totp/confirm',
    summary: 'Confirm the authenticator app by a first code, and get recovery codes.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject({ code }),
    response: factor.extend({ recovery_codes: recoveryCodes }).meta({ id: 'NewFactor' }),
    statuses: [201],
    errors: ['not_found', 'invalid_credentials', 'sign_in_method_disabled', 'factor_exists'],
  },
  list: {
    method: 'GET',
    path: '/users/me/factors',
    summary: "The caller's second factor, if there is one.",
    auth: ['access'],
    response: paged(factor),
  },
  deleteTotp: {
    method: 'DELETE',
    path: '/users/me/factors/totp',
    summary: 'Remove the authenticator app of the caller, with its recovery codes.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject(guess),
    response: factor,
    errors: ['not_found', 'invalid_credentials', 'factor_locked', 'factor_required'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/me/factors/recovery_codes',
    summary: 'Replace all recovery codes of the caller.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject(guess),
    response: z.object({ recovery_codes: recoveryCodes }).meta({ id: 'RecoveryCodes' }),
    statuses: [201],
    errors: ['not_found', 'invalid_credentials', 'factor_locked', 'sign_in_method_disabled'],
  },
  signIn: {
    method: 'POST',
    path: '/sessions/mfa',
    summary: 'Finish a sign-in with the second factor, and start the session.',
    auth: [],
    body: z.strictObject({ project_id: projectId, mfa_token: mfaToken, ...guess, device_token }),
    response: session,
    statuses: [201],
    errors: [
      'not_found',
      'mfa_token_invalid',
      'invalid_credentials',
      'factor_locked',
      'user_disabled',
      'sign_in_method_disabled',
    ],
  },
  startEnrolment: {
    method: 'POST',
    path: '/sessions/mfa/totp',
    summary: 'Start to add an authenticator app during a sign-in that requires it.',
    auth: [],
    body: z.strictObject({ project_id: projectId, mfa_token: mfaToken }),
    response: enrolment,
    statuses: [201],
    errors: ['not_found', 'mfa_token_invalid', 'sign_in_method_disabled', 'factor_exists'],
  },
  confirmEnrolment: {
    method: 'POST',
    path: '/sessions/mfa/totp/confirm',
    summary: 'Confirm that app by a first code, get recovery codes, and start the session.',
    auth: [],
    body: z.strictObject({ project_id: projectId, mfa_token: mfaToken, code, device_token }),
    response: session.extend({ recovery_codes: recoveryCodes }).meta({ id: 'EnrolledSession' }),
    statuses: [201],
    errors: [
      'not_found',
      'mfa_token_invalid',
      'invalid_credentials',
      'user_disabled',
      'sign_in_method_disabled',
      'factor_exists',
    ],
  },
  reset: {
    method: 'DELETE',
    path: '/users/{uid}/factors',
    summary: 'Remove the second factor of a user who has lost it.',
    auth: ['project'],
    params: z.strictObject({ uid }),
    response: factor,
    errors: ['not_found'],
  },
});
