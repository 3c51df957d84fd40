import type { captchaFrame, PageName } from '../contract/pages.ts';
import { env, isThisMachine } from '../model/env.ts';
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
  sign_in_link: 'sign-in-link',
} as const satisfies Record<LinkPurpose, PageName>;

/** A project, as far as it matters where its pages are. */
export type Domained = Pick<Project, 'project_id' | 'pages_domain'>;

/**
 * The base URL of the pages of a project: its own domain, else the service. Links are made of the setting and never of
 * a request, in which a stranger can name any host.
 */
export const pagesBaseUrl = ({ pages_domain }: Domained): string =>
  pages_domain === undefined ? env.baseUrl() : originAt(pages_domain);

/** The origin of the service under another name: protocol and port stay. */
export function originAt(name: string): string {
  const url = new URL(env.baseUrl());
  url.hostname = name;
  return url.origin;
}

/** The address of a page that the service shows for a project. */
export const pageUrl = (project: Domained, page: PageName | typeof captchaFrame): string =>
  `${pagesBaseUrl(project)}/pages/${project.project_id}/${page}`;

/**
 * Whether the pages of a project are at a host. From any other, such as a domain that it had before, a browser is sent
 * to `pagesBaseUrl`, where this is true: no redirect leads to another one.
 *
 * @param host that the client has called: as API Gateway has it, without a port
 */
export const arePagesAt = (project: Domained, host: string): boolean =>
  host === new URL(pagesBaseUrl(project)).hostname ||
  (project.pages_domain === undefined && isOfService(host));

/** Whether a host is the service's. On a developer's machine, each name of the machine is the service's. */
export function isOfService(host: string): boolean {
  const { hostname } = new URL(env.baseUrl());
  return host === hostname || (isThisMachine(hostname) && isThisMachine(host));
}

/** The page behind a link in a mail. */
export function mailLinkUrl(project: Project, purpose: LinkPurpose): string {
  const { hosted_pages, mail_links } = project;
  const hosted = hosted_pages ? pageUrl(project, mailPages[purpose]) : `${nowhere}${purpose}`;
  return mail_links?.[purpose] ?? hosted;
}

/** The page on which users join a workspace: with an invitation, or with a join link. */
export function joiningUrl(project: Project, page: 'invitation' | 'join'): string {
  const { hosted_pages, invitation_base_url } = project;
  const isHosted = hosted_pages && invitation_base_url === unsetInvitationUrl;
  return isHosted ? pageUrl(project, page) : invitation_base_url;
}

/**
 * A project with hosted pages, wherever they are. Throws `not_found`, for one that has switched them off as for one
 * that does not exist.
 */
export async function requireHostedPages(project_id: string): Promise<Project> {
  const project = await getProject(project_id);
  if (!project?.hosted_pages) throw notFound('no such project, or without hosted pages');
  return project;
}

/**
 * A project with hosted pages whose data and cookie a host may have: where they are, and the service. At the domain of
 * another project, and at a host that somebody has invented, there is nothing. Throws `not_found`.
 */
export async function requireHostedPagesAt(project_id: string, host: string): Promise<Project> {
  const project = await requireHostedPages(project_id);
  if (!arePagesAt(project, host) && !isOfService(host))
    throw notFound('the project has no hosted pages at this host');
  return project;
}
