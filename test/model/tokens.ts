/** A project and one of its secrets. */
export type Credential = { project_id: string; secret: string };

/** The Authorization header of a project's backend. */
export const basic = ({ project_id, secret }: Credential): string =>
  `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;

/** What an access token says; whether it is genuine is the service's business. */
export function claimsOf<Claims = ReturnType<typeof JSON.parse>>(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
