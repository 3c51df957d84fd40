import type { Project } from '../access/projects.ts';
import { ApiError } from '../model/errors.ts';
import type { UserItem } from './users.ts';

/**
 * Throws `last_sign_in_method` if a user could not sign in any more without one of their methods. With a verified
 * e-mail they still can, if the project mails codes or links.
 */
export function requireAnotherMethod(
  { verified, sign_in_methods = {} }: UserItem,
  { code_sign_in, link_sign_in, password_sign_in }: Project,
): void {
  const byMail = verified.email && (code_sign_in || link_sign_in || password_sign_in);
  if (!byMail && Object.keys(sign_in_methods).length < 2) throw new ApiError('last_sign_in_method');
}
