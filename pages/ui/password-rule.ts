import { FieldError } from '../failures.ts';
import { project } from '../project.ts';
import { count } from '../texts.ts';

export const passwordHint = (): string => count('passwordHint', project.min_password_length);

/** Says at the field that a password is too short; the service refuses it for other reasons too. */
export function checkPassword(field: string, password: string): void {
  if (Array.from(password).length < project.min_password_length)
    throw new FieldError(field, passwordHint());
}
