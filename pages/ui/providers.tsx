import { titleOf } from '../../client/providers/title.ts';
import { fragment } from '../address.ts';
import { wordsFor } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { goTo, providersOf } from '../identity-provider.ts';
import { project } from '../project.ts';
import { t } from '../texts.ts';
import { typedEmail } from '../typed-email.ts';
import { Alert } from './form.tsx';
import { StatedTerms } from './terms.tsx';
import { useAction } from './use-action.ts';

/** Buttons that lead to the identity providers of the project. */
export function Providers() {
  const { run, failure } = useAction();
  const providers = providersOf();
  if (providers.length === 0) return null;
  // This tab alone has the token of an invitation, and goes on with it: so it stays.
  const stays = String(fragment) !== '';
  return (
    <>
      {providers.map((provider) => {
        const words = t('continueWith', { provider: titleOf(provider.name) });
        return stays ? (
          <a key={provider.name} href={hrefOf('sign-in')} target="_blank">
            {words}
          </a>
        ) : (
          <button
            key={provider.name}
            type="button"
            class="secondary"
            onClick={() => run(() => goTo(provider, typedEmail()))}
          >
            {words}
          </button>
        );
      })}
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
      {project.sign_up && <StatedTerms />}
    </>
  );
}
