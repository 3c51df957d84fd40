import { FieldError } from './form.ts';

/**
 * What somebody has typed of their second factor: what has six digits is a code of the app.
 * @throws FieldError for what is neither
 */
export function parseFactorCode(
  text: string,
  field: string,
  wrong: string,
): { code: string } | { recovery_code: string } {
  const typed = text.replaceAll(/\s/g, '');
  if (!/^(?:\d{6}|[a-z\d]{5}(?:-?[a-z\d]{5}){2})$/i.test(typed)) throw new FieldError(field, wrong);
  return typed.length === 6 ? { code: typed } : { recovery_code: typed };
}
