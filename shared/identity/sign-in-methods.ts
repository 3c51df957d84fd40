import type { Project } from '../access/projects.ts';
import { ApiError } from '../model/errors.ts';
import { passkeyMethod } from '../passkeys/passkeys.ts';
import type { UserItem } from './users.ts';

/**
 * Throws `last_sign_in_method` if a user could not sign in any more without one of their methods. With a verified
 * e-mail they still can, if the project mails codes or links. What the project has switched off since is no way in.
 */
export function requireAnotherMethod(
  { verified, sign_in_methods = {} }: UserItem,
  removed: string,
  project: Project,
): void {
  const { code_sign_in, link_sign_in, password_sign_in } = project;
  const byMail = verified.email && (code_sign_in || link_sign_in || password_sign_in);
  const others = Object.keys(sign_in_methods).filter((method) => method !== removed);
  if (!byMail && !others.some((method) => signsIn(method, project)))
    throw new ApiError('last_sign_in_method');
}

/** Whether a project signs people in by a method that a user has. */
function signsIn(
  method: string,
  { password_sign_in, passkeys, identity_providers = {}, sign_in_providers = {} }: Project,
): boolean {
  if (method === 'idpw') return password_sign_in === true;
  if (method === passkeyMethod) return passkeys === true;
  return Object.hasOwn(identity_providers, method) || Object.hasOwn(sign_in_providers, method);
}
