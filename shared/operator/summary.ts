import type { OAuthClient, Project, ProjectSecret } from '../access/projects.ts';

const summaryFields = [
  'project_id',
  'name',
  'invitation_base_url',
  'create_users_on_get',
  'password_sign_in',
  'code_sign_in',
  'link_sign_in',
  'passkeys',
  'rp_id',
  'origins',
  'mfa',
  'recent_sign_in',
  'captcha',
  'sign_up',
  'new_device_mail',
  'impersonation',
  'workspace_creation',
  'workspace_roles',
  'token_algorithm',
  'token_claims',
  'min_password_length',
  'api_key_rate_limit',
  'identity_providers',
  'sign_in_providers',
  'return_urls',
  'mail_sender',
  'mail_sender_name',
  'mail_language',
  'mail_links',
  'hosted_pages',
  'pages_domain',
  'branding',
  'created_at',
  'modified_at',
] as const;

/** A secret without its digest. */
export type SecretSummary = Omit<ProjectSecret, 'sha256'>;

/** A client as shown to the operator: no secret, no digest. */
export type ClientSummary = Omit<OAuthClient, 'secrets'> & {
  confidential: boolean;
  secrets: SecretSummary[];
};

/** A project as shown to the operator: no secret, no digest. Unset fields are omitted. */
export type ProjectSummary = Pick<Project, (typeof summaryFields)[number]> & {
  oauth_clients?: ClientSummary[];
  secrets: SecretSummary[];
};

/** A project as the commands show it: without the digests of its secrets. */
export function summarize(project: Project): ProjectSummary {
  const { oauth_clients, secrets } = project;
  const set = summaryFields.filter((name) => project[name] !== undefined);
  return {
    ...(Object.fromEntries(set.map((name) => [name, project[name]])) as Omit<
      ProjectSummary,
      'oauth_clients' | 'secrets'
    >),
    ...(oauth_clients && { oauth_clients: oauth_clients.map(summarizeClient) }),
    secrets: secrets.map(summarizeSecret),
  };
}

/** An OAuth client as the commands show it. */
export function summarizeClient(client: OAuthClient): ClientSummary {
  const { client_id, name, redirect_uris, post_logout_redirect_uris, secrets, created_at } = client;
  return {
    client_id,
    name,
    confidential: secrets.length > 0,
    redirect_uris,
    post_logout_redirect_uris,
    secrets: secrets.map(summarizeSecret),
    created_at,
  };
}

/** A secret without its digest. */
export function summarizeSecret(secret: ProjectSecret): SecretSummary {
  const { sha256: _, ...summary } = secret;
  return summary;
}

export const unknownProject = (project_id: string) =>
  new Error(`The project ${project_id} does not exist.`);

export const lostRace = (project_id: string) =>
  new Error(`The project ${project_id} was changed by someone else just now; try again.`);
