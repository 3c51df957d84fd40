import * as z from 'zod';
import { limits } from '../model/limits.ts';
import { isLogo } from './logo.ts';
import { secureUrl } from './urls.ts';

const link = secureUrl.exactOptional();

/** How the hosted pages of a project look. */
export const branding = z.strictObject({
  logo: z
    .string()
    .max(limits.logo)
    .refine(isLogo, 'Must be a data: URL of an image: SVG, PNG or WebP in base64')
    .exactOptional(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #0055ff')
    .exactOptional(),
  // An address of another scheme, such as javascript:, would run in the page that has the user's tokens.
  links: z.strictObject({ home: link, terms: link, privacy: link, support: link }).exactOptional(),
});
