import type { ProviderError } from '../providers/error.ts';
import { FieldError } from './form.ts';
import type { Texts } from './texts.ts';
import type { StrongTexts } from './texts-strong.ts';

/**
 * A failure at a provider, with its text if the component has no other for it.
 * @param refusalText the text for failures that have none of their own
 */
export function providerFailure(
  error: unknown,
  words: StrongTexts,
  texts: Texts,
  refusalText = words.providerRefused,
): unknown {
  const { name, code, title = '' } = error as ProviderError;
  // By its name: an application may hold two copies of the package.
  if (name !== 'ProviderError') return error;
  const textByCode: Record<string, string | undefined> = {
    state_mismatch: words.providerElsewhere,
    storage_unavailable: words.providerStorage,
    sign_in_method_disabled: texts.errors.sign_in_method_disabled,
    temporarily_unavailable: texts.errors.temporarily_unavailable,
  };
  return new FieldError('provider', textByCode[code] ?? refusalText(title));
}
