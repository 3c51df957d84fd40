import type { Mail } from '../../local/aws/ses.ts';
import type { Credential } from '../model/tokens.ts';
import { settingsOf } from '../support/identities.ts';
import { returnUrl } from './fits.ts';
import type { Request, Response } from './send.ts';

/** The service under test, and the surroundings that requests need. */
export type Target = {
  url: string;
  /** The tested project, and another one. */
  projects: readonly [Credential, Credential];
  /** One that requires a second factor. */
  strict: Pick<Credential, 'project_id'>;
  /** Sends a request and checks its response. */
  send(request: Request): Promise<Response>;
  /** The recent mails, newest first. */
  mails(): Promise<Mail[]>;
  /** An ID token of the provider `google`. */
  idToken(claims: { sub: string; email: string }): string;
  /** Publishes the DNS record that proves a domain. */
  publish(workspaceId: string, domain: string): void;
  /** A URL of this machine that accepts webhooks. */
  receiver: string;
};

/** The settings of the projects: every way to sign in, here with `google` as a stand-in has it. */
export const fuzzedSettings = (google: Parameters<typeof settingsOf>[0]) => ({
  password_sign_in: true,
  code_sign_in: true,
  link_sign_in: true,
  workspace_roles: true,
  sign_up: true,
  passkeys: true,
  mfa: 'optional',
  hosted_pages: true,
  identity_providers: { google: settingsOf(google) },
  sign_in_providers: { google: { client_id: 'x', issuer: google.issuer } },
  return_urls: [returnUrl],
});

/** A request with a wrong response, as first sent and as shrunk. */
export type Finding = { operation: string; flaws: string[]; request: string; smallest: string };

/** The OAuth client of a project. It is public: it has no secret. */
export const clientOf = ({ project_id }: Pick<Credential, 'project_id'>) => ({
  client_id: `${project_id}.web`,
  redirect_uri: 'https://app.example.com/callback',
});

/** The operator function's input to create that client. */
export const clientRequest = (project: Pick<Credential, 'project_id'>) => ({
  ...{ action: 'create-client', project_id: project.project_id, client: 'web', client_name: 'Web' },
  redirect_uris: [clientOf(project).redirect_uri],
});
