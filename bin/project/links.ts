import type { LinkPurpose, Project } from '../../shared/access/projects.ts';

type Settings = Pick<
  Project,
  | 'password_sign_in'
  | 'code_sign_in'
  | 'link_sign_in'
  | 'identity_providers'
  | 'sign_in_providers'
  | 'sign_up'
  | 'mail_links'
  | 'hosted_pages'
>;

/** The links that mails of the project's enabled features need and that are not set yet. */
export function missingLinks(project: Settings): LinkPurpose[] {
  const { password_sign_in, code_sign_in, link_sign_in, sign_up } = project;
  if (project.hosted_pages) return [];
  const byThemselves =
    password_sign_in ||
    code_sign_in ||
    link_sign_in ||
    Object.keys({ ...project.identity_providers, ...project.sign_in_providers }).length > 0;
  const purposes: LinkPurpose[] = [
    ...(password_sign_in ? (['reset_password'] as const) : []),
    ...(password_sign_in && sign_up ? (['sign_up'] as const) : []),
    ...(link_sign_in ? (['sign_in_link'] as const) : []),
    ...(byThemselves ? (['verify_email', 'change_email'] as const) : []),
  ];
  return purposes.filter((purpose) => project.mail_links?.[purpose] === undefined);
}
