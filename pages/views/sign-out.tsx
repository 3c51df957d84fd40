import { query, service } from '../address.ts';
import { hrefOf } from '../href.ts';
import { signOut } from '../session.ts';
import { loadSignOutTexts } from '../texts/sign-out.ts';
import { t } from '../texts.ts';
import { Form } from '../ui/form.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'signOut',
  for: 'anyone',
  loadTexts: loadSignOutTexts,
  Show: SignOut,
};

/** Asks first: any page of the web can lead somebody here. */
function SignOut() {
  const leave = async () => {
    await signOut();
    // The service checks where the application may be gone back to; without an application there is a page here.
    location.assign(query.has('client_id') ? `${service}/logout?${query}` : hrefOf('signed-out'));
    return new Promise(() => {});
  };
  return (
    <>
      <p>{t('signOutExplained')}</p>
      <Form submit={t('signOut')} onSubmit={leave}>
        {null}
      </Form>
      <p>
        <a href={hrefOf('account')}>{t('staySignedIn')}</a>
      </p>
    </>
  );
}
