import type { ProviderError } from '../providers/error.ts';
import { FieldError } from './form.ts';
import type { Texts } from './texts.ts';
import type { StrongTexts } from './texts-strong.ts';

/**
 * What has failed at a provider, with its words where the component has no others for it.
 * @param refusalText what to say of whatever has no words of its own
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
