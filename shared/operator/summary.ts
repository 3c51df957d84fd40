import type { Project } from '../access/projects.ts';

const shown = [
  'project_id',
  'name',
  'invitation_base_url',
  'create_users_on_get',
  'password_sign_in',
  'code_sign_in',
  'sign_up',
  'new_device_mail',
  'min_password_length',
  'identity_providers',
  'mail_sender',
  'mail_sender_name',
  'mail_links',
  'created_at',
  'modified_at',
] as const;

/** A project as the operator sees it: no secret, no digest. What is unset is left out. */
export type ProjectSummary = Pick<Project, (typeof shown)[number]> & {
  /** The newest first. */
  secrets: { secret_id: string; created_at: string }[];
};

export function summarize(project: Project): ProjectSummary {
  const set = shown.filter((name) => project[name] !== undefined);
  return {
    ...(Object.fromEntries(set.map((name) => [name, project[name]])) as Omit<
      ProjectSummary,
      'secrets'
    >),
    secrets: project.secrets.map(({ secret_id, created_at }) => ({ secret_id, created_at })),
  };
}

export const unknownProject = (project_id: string) =>
  new Error(`There is no project ${project_id}.`);

export const lostRace = (project_id: string) =>
  new Error(`Somebody else changed the project ${project_id} just now; try again.`);
