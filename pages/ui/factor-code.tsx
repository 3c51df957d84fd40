import { FieldError, isCode } from '../failures.ts';
import { t } from '../texts.ts';
import { Field } from './form.tsx';

/** What somebody shows of their second factor. */
type Guess = { code: string } | { recovery_code: string };

/** A field for a code of the authenticator app, or a recovery code. */
export const FactorCode = ({ label = t('code'), about }: { label?: string; about?: string }) => (
  <Field {...{ label, about }} name="code" autocomplete="one-time-code" dir="ltr" maxLength={20} />
);

/**
 * Sends what was typed: what has six digits is a code of the app. That it is wrong is said at its field.
 * @param isNew whether the app is being added: there is no recovery code yet
 */
export async function withGuess<T>(
  { code = '' }: Record<string, string>,
  work: (guess: Guess) => Promise<T>,
  isNew = false,
): Promise<T> {
  const factorCode = code.replaceAll(/\s/g, '');
  const isOfApp = /^\d{6}$/.test(factorCode);
  if (!isOfApp && (isNew || !/^[a-z\d]{5}(?:-?[a-z\d]{5}){2}$/i.test(factorCode)))
    throw new FieldError('code', t(isNew ? 'codeIncomplete' : 'mfaAsked'));
  try {
    return await work(isOfApp ? { code: factorCode } : { recovery_code: factorCode });
  } catch (error) {
    throw isCode(error, 'invalid_credentials') ? new FieldError('code', t('codeWrong')) : error;
  }
}
