import { pagesBaseUrl } from './hosted-pages.ts';
import type { Project } from './projects.ts';

/** To whom the passkeys of a project belong (WebAuthn section 5.1.2), and where browsers may use them. */
export type RelyingParty = { id: string; origins: string[] };

/**
 * That of the project's settings; without any, where the hosted pages are. These are among the origins wherever
 * browsers let them use the passkeys, so that a domain for them needs no other setting.
 */
export function relyingPartyOf(project: Project): RelyingParty {
  const { rp_id, origins, hosted_pages } = project;
  const { hostname, origin: own } = new URL(pagesBaseUrl(project));
  const id = rp_id ?? hostname;
  if (origins === undefined) return { id, origins: [own] };
  const isAdded = hosted_pages === true && isUnder(own, id) && !origins.includes(own);
  return { id, origins: isAdded ? [...origins, own] : origins };
}

/** Whether a browser lets pages of this origin use passkeys of the relying party: its host, or a name below it. */
export function isUnder(origin: string, rp_id: string): boolean {
  const host = URL.parse(origin)?.hostname;
  return host !== undefined && (host === rp_id || host.endsWith(`.${rp_id}`));
}
