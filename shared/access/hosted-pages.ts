import type { PageName } from '../contract/pages.ts';
import { env } from '../model/env.ts';
import { notFound } from '../model/errors.ts';
import { getProject, type LinkPurpose, type Project } from './projects.ts';

/** The links of a project to pages: the project's own where it has set them, else the service's if those are on. */

/** RFC 2606: this name never resolves, so no third-party server receives the tokens of a project without pages. */
const nowhere = 'https://example.invalid/';

/** What is stored for a project whose operator has set no URL. */
export const unsetInvitationUrl = `${nowhere}join`;

/** The page of the service that each link in a mail leads to. */
const mailPages = {
  sign_up: 'new-password',
  reset_password: 'new-password',
  verify_email: 'verify-email',
  change_email: 'change-email',
} as const satisfies Record<LinkPurpose, PageName>;

/** The address of a page that the service shows for a project. */
export const pageUrl = (project_id: string, page: PageName): string =>
  `${env.baseUrl()}/pages/${project_id}/${page}`;

/** The page behind a link in a mail. */
export function mailLinkUrl(
  { project_id, hosted_pages, mail_links }: Project,
  purpose: LinkPurpose,
): string {
  const hosted = hosted_pages ? pageUrl(project_id, mailPages[purpose]) : `${nowhere}${purpose}`;
  return mail_links?.[purpose] ?? hosted;
}

/** The page on which users join a workspace: with an invitation, or with a join link. */
export function joiningUrl(
  { project_id, hosted_pages, invitation_base_url }: Project,
  page: 'invitation' | 'join',
): string {
  const isHosted = hosted_pages && invitation_base_url === unsetInvitationUrl;
  return isHosted ? pageUrl(project_id, page) : invitation_base_url;
}

/** A project with hosted pages. Throws `not_found`, for one that has switched them off as for one that does not exist. */
export async function requireHostedPages(project_id: string): Promise<Project> {
  const project = await getProject(project_id);
  if (!project?.hosted_pages) throw notFound('no such project, or without hosted pages');
  return project;
}
