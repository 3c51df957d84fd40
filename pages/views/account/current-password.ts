import type { User } from '../../../client/generated/api.ts';
import { hasPassword } from '../../../client/sign-in-methods.ts';
import { FieldError, isCode } from '../../failures.ts';
import { project } from '../../project.ts';
import { t } from '../../texts.ts';

/** Whether the service asks somebody for their password: not where nobody signs in by one. */
export const asksPassword = (user: User): boolean => project.methods.password && hasPassword(user);

/** Does what may need the current password; that it is wrong is said at its field. */
export async function withPassword<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isCode(error, 'invalid_credentials')
      ? new FieldError('current_password', t('passwordWrong'))
      : error;
  }
}
