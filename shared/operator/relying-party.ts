import * as z from 'zod';
import { isUnder } from '../access/relying-party.ts';
import { limits } from '../model/limits.ts';
import { isRegistrable } from '../model/public-suffix.ts';
import { origin } from './urls.ts';

/** To whom the passkeys of a project belong. A public suffix such as co.uk would share them with everybody below it. */
export const rpId = z
  .string()
  .max(253)
  .refine(
    async (id) =>
      id === 'localhost' ||
      (id === id.toLowerCase() && (await isRegistrable(id, { privateSuffixes: true }))),
    'Must be a domain in lower case such as example.com, or localhost',
  );

export const origins = z.array(origin).min(1).max(limits.passkeyOrigins);

type Settings = { rp_id?: string | null; origins?: string[] | null };

/**
 * Requires `rp_id` and `origins` together, each origin at or below the domain: a browser refuses all others, so that a
 * mistake would show at the first sign-in only.
 */
export const forPasskeys = <T extends z.ZodType<Settings>>(request: T): T =>
  request.check(({ value, issues }) => {
    const { rp_id, origins: requested } = value;
    const wrong = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    const named = typeof rp_id === 'string';
    if (named && !requested) wrong('origins', 'Must be set together with rp_id');
    else if (requested && !named) wrong('rp_id', 'Must be set together with origins');
    else if (rp_id === null && requested === undefined)
      wrong('origins', 'Must be unset together with rp_id');
    else if (requested === null && rp_id === undefined)
      wrong('rp_id', 'Must be unset together with origins');
    if (named)
      for (const each of requested ?? [])
        if (!isUnder(each, rp_id)) wrong('origins', `Must be at or below ${rp_id}: ${each}`);
  });
