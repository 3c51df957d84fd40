import * as z from 'zod';
import { httpsUrlOrEmpty, line, link, text } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import type { User } from '../model/user-resources.ts';

/** Profile fields that a user may set. Each is also a field of the user that the API returns. */
export const profile = {
  display_name: line(limits.name).optional(),
  preferred_username: line(limits.name).optional(),
  profile_url: httpsUrlOrEmpty.optional(),
  thumbnail_url: httpsUrlOrEmpty.optional(),
  name: z
    .strictObject({
      given_name: line(limits.name).optional(),
      family_name: line(limits.name).optional(),
      formatted: line(limits.name).optional(),
    })
    .optional()
    .meta({ description: 'Replaced as a whole; an omitted part becomes empty.' }),
  about_me: text(limits.aboutMe).optional(),
  current_location: line(limits.name).optional(),
  photos: z.array(link).max(limits.photos).optional(),
  urls: z.array(link).max(limits.urls).optional(),
} satisfies { [K in keyof User]?: z.ZodType };

/** A profile as it is stored: unset attributes are absent. */
export type Profile = z.output<z.ZodObject<typeof profile>>;
