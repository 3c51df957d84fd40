import * as z from 'zod';
import { captchaRules } from '../access/projects.ts';
import { captchaProviders } from '../model/captcha-providers.ts';
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
