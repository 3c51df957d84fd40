import { hrefOf } from '../href.ts';
import { project } from '../project.ts';
import { loadSignOutTexts } from '../texts/sign-out.ts';
import { t } from '../texts.ts';
import type { View } from '../view.ts';

export const view: View = {
  title: 'signedOut',
  for: 'anyone',
  loadTexts: loadSignOutTexts,
  Show: SignedOut,
};

function SignedOut() {
  const { home } = project.branding?.links ?? {};
  return (
    <>
      <p role="status">{t('signedOutExplained')}</p>
      <ul class="ways">
        <li>
          <a href={hrefOf('sign-in')}>{t('signInAgain')}</a>
        </li>
        {home && (
          <li>
            <a href={home}>{t('toHome', { name: project.name })}</a>
          </li>
        )}
      </ul>
    </>
  );
}
