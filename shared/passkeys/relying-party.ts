import { pagesBaseUrl } from '../access/hosted-pages.ts';
import type { Project } from '../access/projects.ts';

/** To whom the passkeys of a project belong (WebAuthn section 5.1.2), and where browsers may use them. */
export type RelyingParty = { id: string; origins: string[] };

/** That of the project's settings; without any, where the hosted pages are, so that the hosted pages need no setting. */
export function relyingPartyOf(project: Project): RelyingParty {
  const { rp_id, origins } = project;
  const own = new URL(pagesBaseUrl(project));
  return { id: rp_id ?? own.hostname, origins: origins ?? [own.origin] };
}

/** Whether a browser lets pages of this origin use passkeys of the relying party: its host, or a name below it. */
export function isUnder(origin: string, rp_id: string): boolean {
  const host = URL.parse(origin)?.hostname;
  return host !== undefined && (host === rp_id || host.endsWith(`.${rp_id}`));
}
