import { hrefOf } from '../href.ts';
import { linkTarget, searchToSignIn } from '../link-to-sign-in.ts';
import { t } from '../texts.ts';

/** Leads from the second step of a sign-in back to the first. */
export const SignInAgain = () => (
  <ul class="ways">
    <li>
      <a href={hrefOf('sign-in', searchToSignIn())} target={linkTarget()}>
        {t('signInAgain')}
      </a>
    </li>
  </ul>
);
