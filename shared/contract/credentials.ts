import * as z from 'zod';
import { agreement } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { profile } from './profile.ts';

/** Fields shared by several sign-in methods. */

/**
 * A password in the form in which it is compared: NFKC (NIST SP 800-63B section 3.1.1.2), at most 256 characters,
 * otherwise unchanged.
 */
const characters = (least: number) =>
  z
    .string()
    .max(4 * limits.password.max)
    .transform((text) => text.normalize('NFKC'))
    .refine(
      (text) => [...text].length >= least && [...text].length <= limits.password.max,
      least > 1
        ? `Must have as many characters as the project requires, and at most ${limits.password.max}`
        : `Must have 1 to ${limits.password.max} characters`,
    )
    .meta({
      format: 'password',
      minLength: least,
      maxLength: limits.password.max,
      example: 'correct horse battery staple',
    });

/** A password to verify. */
export const password = characters(1);

/** The password of a caller who has one. Made where it is used: most functions never ask for it. */
export const currentPassword = () =>
  password.optional().meta({
    description:
      'Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough.',
  });
/** A password to set; the project may require more characters. */
export const newPassword = characters(limits.password.least).meta({
  ...characters(limits.password.least).meta(),
  description: `At least ${limits.password.min} characters, unless the project sets another minimum.`,
});

/** The token of a mail: 256 bits, base64url. */
export const mailToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be a token from an e-mail link')
  .meta({
    description: "From the link's fragment: #token=...",
    maxLength: 43,
    example: 'o'.repeat(43),
  });

/** What an earlier sign-in has given this device. One that says nothing is ignored, so that it locks nobody out. */
export const device_token = z.string().max(limits.deviceToken).optional().meta({
  description:
    'The device token of an earlier sign-in on this device. It does not sign the user in.',
});

/** Profile of a user that this call may create. */
export const newcomer = { agreed_terms: agreement.optional(), ...profile };

/** How a project calls an identity provider. */
export const providerName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'Must be the name of a provider such as google')
  .meta({ maxLength: 32, example: 'google' });

/** What a page presents of a finished sign-in at a provider. */
export const providerCode = {
  code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the code from the address')
    .meta({
      description:
        'The code from the URL to which the browser came back; valid once, for 5 minutes.',
      maxLength: 43,
      example: 'SplxlOBeZQQYbYS6WxSbIA-SplxlOBeZQQYbYS6WxSb',
    }),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'Must be 43 to 128 of A-Z, a-z, 0-9, -, ., _ and ~')
    .meta({
      description: 'The verifier whose digest is `code_challenge`.',
      maxLength: 128,
      example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
};
