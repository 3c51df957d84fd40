import { fragment, hrefOf } from '../address.ts';
import { requestSearch } from '../authorization.ts';
import { t } from '../texts.ts';

/** Leads from the second step of a sign-in back to the first. */
export const SignInAgain = () => (
  <ul class="ways">
    <li>
      {/* This tab alone has the token of an invitation, and goes on with it: so it stays. */}
      <a
        href={hrefOf('sign-in') + requestSearch}
        target={String(fragment) === '' ? undefined : '_blank'}
      >
        {t('signInAgain')}
      </a>
    </li>
  </ul>
);
