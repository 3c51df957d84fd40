import { ApiError } from '../../client/client.ts';
import { FieldError } from '../failures.ts';
import { t } from '../texts.ts';

/** The values of a form; a required one that is empty is an error. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    const field = form.elements.namedItem(name) as HTMLInputElement;
    // A password is sent as it was typed.
    const text = name.includes('password') ? String(value) : String(value).trim();
    if (field.required && text === '')
      throw new FieldError(name, t(field.type === 'email' ? 'emailMissing' : 'missing'));
    if (field.type === 'email' && text !== '' && !field.validity.valid)
      throw new FieldError(name, t('emailMissing'));
    values[name] = text;
  }
  return values;
}

/** What is wrong with each field of a form, by its name. Empty where the failure is about none of them. */
export function fieldsIn(failure: unknown, form: HTMLFormElement | null): Record<string, string> {
  if (failure instanceof FieldError)
    return failure.field === '' ? {} : { [failure.field]: failure.message };
  if (!(failure instanceof ApiError) || !form) return {};
  const found = failure.errors.flatMap(({ pointer }) => {
    const name = pointer.split('/')[2] ?? '';
    const words = t(name.includes('password') ? 'passwordRefused' : 'invalid');
    return form.elements.namedItem(name) ? [[name, words]] : [];
  });
  return Object.fromEntries(found) as Record<string, string>;
}
