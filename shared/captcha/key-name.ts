import type { Captcha } from '../access/projects.ts';

/** What a key is good for: the site, and the address that it is sent to. */
export type CaptchaSite = Pick<Captcha, 'provider' | 'site_key' | 'verify_url'>;

const addresses: Record<Captcha['provider'], string> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
};

/** Where a token is verified, with the key. */
export const verifyUrlOf = ({ provider, verify_url = addresses[provider] }: CaptchaSite): string =>
  verify_url;

/**
 * The name of a key among those of all projects: of whose captcha it is, and where it may be sent. Who may change the
 * settings of a project alone could otherwise have it sent to an address of their own. No part but the last can have a
 * space.
 */
export const captchaKeyName = (project_id: string, site: CaptchaSite): string =>
  `${project_id} ${site.site_key} ${verifyUrlOf(site)}`;

/**
 * One key is set, and that of `currentSite`, the captcha that the project has now, stays; undefined: the project has
 * none left.
 */
export type KeyChange = { site: CaptchaSite; key: string; currentSite?: CaptchaSite | undefined };

/** All keys after a change of those of one project. No more than two of a project are kept. */
export function changedCaptchaKeys(
  keys: ReadonlyMap<string, string>,
  project_id: string,
  change: KeyChange | undefined,
): ReadonlyMap<string, string> {
  const kept = change?.currentSite && captchaKeyName(project_id, change.currentSite);
  const after = new Map(
    [...keys].filter(([name]) => name === kept || !name.startsWith(`${project_id} `)),
  );
  if (change) after.set(captchaKeyName(project_id, change.site), change.key);
  return after;
}
