import { fragment, hrefOf } from '../address.ts';
import { goTo, providersOf, titleOf } from '../identity-provider.ts';
import { project } from '../project.ts';
import { t } from '../texts.ts';
import { TermsLinks } from './terms.tsx';

/** Buttons that lead to the identity providers of the project. */
export function Providers({ email }: { email: string }) {
  const providers = providersOf();
  if (providers.length === 0) return null;
  // An invitation's token is in the memory of this tab alone, so the tab stays.
  if (String(fragment) !== '')
    return (
      <p>
        <a href={hrefOf('sign-in')} target="_blank">
          {t('otherWays')}
        </a>
      </p>
    );
  const asksTerms = project.sign_up && project.branding?.links?.terms;
  return (
    <>
      {providers.map((provider) => (
        <button key={provider.name} type="button" onClick={() => goTo(provider, email)}>
          {t('continueWith', { provider: titleOf(provider.name) })}
        </button>
      ))}
      {asksTerms && (
        <p>
          <small>
            {t('agreeByGoing')} <TermsLinks />
          </small>
        </p>
      )}
    </>
  );
}
