import type { User } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { t } from '../../texts.ts';

/** Whether somebody has a password, which the service then asks for before it changes how they sign in. */
export const hasPassword = ({ sign_in_methods }: User): boolean =>
  sign_in_methods?.['idpw']?.enabled ?? false;

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
