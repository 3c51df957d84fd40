import * as z from 'zod';
import { captchaProviders, captchaRules, type Project } from '../access/projects.ts';
import { type Condition, where } from '../db/condition.ts';
import { hostName } from '../model/host-name.ts';
import { limits } from '../model/limits.ts';
import { secureUrl } from './urls.ts';

/** The captcha of a project. Its secret key is no part of it: the operator writes that into Secrets Manager. */
export const captcha = z
  .strictObject({
    provider: z.enum(captchaProviders),
    site_key: z.string().regex(/^[\w-]{1,128}$/, 'Must be a site key of A-Z, a-z, 0-9, _ and -'),
    rule: z.enum(captchaRules),
    failures: z.int().min(1).max(limits.captchaFailures).exactOptional(),
    hostnames: z
      .array(
        z
          .string()
          .refine(
            (host) => host === 'localhost' || hostName.test(host),
            'Must be a host name in lower case such as www.example.com, or localhost',
          ),
      )
      .min(1)
      .max(limits.captchaHostnames),
    verify_url: secureUrl.exactOptional(),
  })
  .refine(({ rule, failures }) => (rule === 'after_failures') === (failures !== undefined), {
    path: ['failures'],
    message: 'Must be set with the rule after_failures, and with no other',
  });

type Settings = { captcha?: unknown; hosted_pages?: boolean | undefined };

/**
 * Of a change: that the project has no captcha together with hosted pages. Those load nothing from elsewhere, so nobody
 * could solve one there. Undefined if the change concerns neither.
 */
export const captchaFits = (given: Settings): Condition | undefined => {
  if (given.captcha && given.hosted_pages === undefined)
    return where('attribute_not_exists(#hosted_pages) OR #hosted_pages = :off', { off: false });
  if (given.hosted_pages && given.captcha === undefined)
    return where('attribute_not_exists(#captcha)');
  return undefined;
};

const together =
  'A captcha and hosted pages exclude each other: those load nothing from elsewhere.';

/** Throws an Error for the operator if a request sets both. */
export function requireCaptchaFits({ captcha: given, hosted_pages }: Settings): void {
  if (given && hosted_pages) throw new Error(together);
}

/** The error for a project that a change does not fit. */
export const unfit = (project: Pick<Project, 'project_id'>): Error =>
  new Error(`${together} The project ${project.project_id} has the other.`);
