import type { ProviderError } from './provider-error.ts';
import { FieldError } from './react-form.ts';
import type { Texts } from './react-texts.ts';
import type { StrongTexts } from './react-texts-strong.ts';

/** A failure of a sign-in at a provider, with its words where the component has no others for it. */
export function providerFailure(error: unknown, words: StrongTexts, texts: Texts): unknown {
  const { name, code, title = '' } = error as ProviderError;
  // By its name: an application may hold two copies of the package.
  if (name !== 'ProviderError') return error;
  const known: Record<string, string | undefined> = {
    state_mismatch: words.providerElsewhere,
    storage_unavailable: words.providerStorage,
    sign_in_method_disabled: texts.errors.sign_in_method_disabled,
    temporarily_unavailable: texts.errors.temporarily_unavailable,
  };
  return new FieldError('provider', known[code] ?? words.providerRefused(title));
}
