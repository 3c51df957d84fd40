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
  'token_algorithm',
  'min_password_length',
  'identity_providers',
  'mail_sender',
  'mail_sender_name',
  'mail_links',
  'created_at',
  'modified_at',
] as const;

/** A project as shown to the operator: no secret, no digest. Unset fields are omitted. */
export type ProjectSummary = Pick<Project, (typeof shown)[number]> & {
  /** Newest first. */
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
  new Error(`The project ${project_id} does not exist.`);

export const lostRace = (project_id: string) =>
  new Error(`The project ${project_id} was changed by someone else just now; try again.`);
