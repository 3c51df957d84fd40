import { pageUrl } from '../access/hosted-pages.ts';
import type { Project, SignInProvider } from '../access/projects.ts';
import { env } from '../model/env.ts';
import { presetOf } from '../model/provider-presets.ts';

/**
 * Whether a browser may be sent to an address with a code: one that the project has registered, character for
 * character, or a page of the service for it. Nothing is parsed or normalised, because a parser that reads an address
 * differently from the browser is how open redirects come about.
 */
export const isReturnUrl = (project: Project, url: string): boolean =>
  (project.return_urls ?? []).includes(url) ||
  (project.hosted_pages === true &&
    (url === pageUrl(project, 'sign-in') || url === pageUrl(project, 'account')));

/** Where a provider sends a browser back to: always at the service, whatever host began. */
export const callbackUrl = (name: string): string => `${env.baseUrl()}/oauth/${name}/callback`;

/** LinkedIn has PKCE for native clients alone, and refuses the verifier of any other. */
export const sendsPkce = ({ preset }: SignInProvider): boolean => preset !== 'linkedin';

/** LinkedIn leaves it out of the ID token. */
export const sendsNonce = ({ preset }: SignInProvider): boolean =>
  presetOf(preset).openid && preset !== 'linkedin';
