import * as z from 'zod';
import { limits } from '../model/limits.ts';

/** The token of a captcha, where the project asks for one. */
export const captcha_token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'Must be a token as the captcha gave it')
  .max(limits.captchaToken)
  .optional()
  .meta({
    description: 'The token of the captcha, if the project requires a captcha. It is valid once.',
    example: '0.AbCdEf',
  });

export const captchaErrors = ['captcha_required', 'captcha_invalid'] as const;
