import { FieldError, isCode } from '../../failures.ts';
import { t } from '../../texts.ts';

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
