import { ApiError } from '../../client/client.ts';
import { withDnsDomain } from '../dns-domain.ts';
import { FieldError } from '../failures.ts';
import { t } from '../texts.ts';

/** Values of a choice, each with its words. */
export type Options = readonly (readonly [value: string | number, words: string])[];

/** Characters, which the service counts in the same form (NFKC). */
const maxPassword = 256;
const isTooLong = (password: string) => Array.from(password.normalize('NFKC')).length > maxPassword;

/** The values of a form; a required one that is empty is an error, and a password that is too long. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    const field = form.elements.namedItem(name) as HTMLInputElement;
    // A password is sent as it was typed.
    const isPassword = name.includes('password');
    const typed = isPassword ? String(value) : String(value).trim();
    const isEmail = field.type === 'email';
    const text = isEmail ? withDnsDomain(typed) : typed;
    // What is valid is what is sent.
    if (isEmail) field.value = text;
    if (isPassword && isTooLong(text)) throw new FieldError(name, t('passwordLong'));
    if (isEmail ? !field.validity.valid : field.required && text === '')
      throw new FieldError(name, t(isEmail ? 'emailMissing' : 'missing'));
    values[name] = text;
  }
  return values;
}

const isNewPassword = ({ autocomplete }: HTMLInputElement) => autocomplete === 'new-password';

/** What is wrong with each field of a form, by its name. Empty where the failure is about none of them. */
export function fieldsIn(failure: unknown, form: HTMLFormElement | null): Record<string, string> {
  if (failure instanceof FieldError)
    return failure.field === '' ? {} : { [failure.field]: failure.message };
  if (!(failure instanceof ApiError) || !form) return {};
  const entries = failure.errors.flatMap(({ pointer }) => {
    // The given name is `/body/name/given_name`.
    const name = pointer.split('/').findLast((part) => form.elements.namedItem(part)) ?? '';
    const field = form.elements.namedItem(name) as HTMLInputElement | null;
    return field ? [[name, t(isNewPassword(field) ? 'passwordRefused' : 'invalid')]] : [];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Empties the fields for passwords: the next user of this browser could have them shown. */
export function emptyPasswords(form: HTMLFormElement): void {
  for (const each of form.querySelectorAll<HTMLInputElement>('[name*=password]')) each.value = '';
}
