import { FieldError } from './form.ts';
import type { Texts } from './texts.ts';

/**
 * Parses a typed code of the second factor: six digits are a code of the app, others a recovery code.
 * @throws FieldError if it is neither
 */
export function parseFactorCode(
  text: string,
  texts: Texts,
): { code: string } | { recovery_code: string } {
  const factorCode = text.replaceAll(/\s/g, '');
  if (!/^(?:\d{6}|[a-z\d]{5}(?:-?[a-z\d]{5}){2})$/i.test(factorCode))
    throw new FieldError('code', texts.mfaAsked);
  return factorCode.length === 6 ? { code: factorCode } : { recovery_code: factorCode };
}
