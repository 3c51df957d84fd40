import { fragment, hrefOf } from '../address.ts';
import { requestSearch } from '../authorization.ts';
import { t } from '../texts.ts';

/** Leads from the second step of a sign-in back to the first. */
export const SignInAgain = () => (
  <ul class="ways">
    <li>
      {/* An invitation's token is in the memory of this tab alone, so the tab stays. */}
      <a
        href={hrefOf('sign-in') + requestSearch}
        target={String(fragment) === '' ? undefined : '_blank'}
      >
        {t('signInAgain')}
      </a>
    </li>
  </ul>
);
