import { useState } from 'preact/hooks';
import { forgetFragment, fragment } from '../address.ts';
import { enterAccount } from '../enter.ts';
import { isCode } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { searchToSignIn } from '../link-to-sign-in.ts';
import { links } from '../links.ts';
import { loadLinkTexts, t } from '../texts.ts';
import { Form } from '../ui/form.tsx';
import { useSecondStep } from '../ui/second-step.tsx';
import { acceptedTerms, StatedTerms } from '../ui/terms.tsx';
import { useProof } from '../ui/use-proof.ts';
import type { View } from '../view.ts';

export const view: View = {
  title: 'signIn',
  for: 'anyone',
  loadTexts: loadLinkTexts,
  Show: SignInLink,
};

const token = fragment.get('token') ?? '';
const link_id = fragment.get('link_id') ?? '';
/** Where the code belongs: a page at any other address asks for it in somebody else's name. */
const { host } = location;

/** Signs in by a mailed link where it was asked for, and shows its code elsewhere: at a click, because scanners open links. */
function SignInLink() {
  const [isUsed, setUsed] = useState(token === '' || link_id === '');
  const [code, setCode] = useState<string>();
  const { guard, step } = useSecondStep(enterAccount);
  const prove = useProof(enterAccount);
  const trying = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (isCode(error, 'mfa_required')) forgetFragment();
      if (!isCode(error, 'invalid_credentials', 'mail_token_invalid')) throw error;
      forgetFragment();
      setUsed(true);
    }
  };
  const signIn = () =>
    guard(() =>
      trying(() =>
        prove(token, async () => {
          const session = await links.signIn({ link_id, token, ...acceptedTerms() });
          forgetFragment();
          return session;
        }),
      ),
    );
  const show = () => trying(async () => setCode(await links.showCode({ link_id, token })));

  if (step) return step;
  if (isUsed)
    return (
      <>
        <p role="alert">{t('error.mail_token_invalid')}</p>
        <p>
          <a href={hrefOf('sign-in', searchToSignIn())}>{t('newLink')}</a>
        </p>
      </>
    );
  if (links.isOwn(link_id))
    return (
      <>
        <p>{t('linkReady')}</p>
        <Form submit={t('signIn')} onSubmit={signIn}>
          <StatedTerms />
        </Form>
      </>
    );
  if (code !== undefined)
    return (
      <>
        <p role="status">
          <code class="typed" dir="ltr">
            {code}
          </code>
        </p>
        <p>{t('linkWarning', { host })}</p>
      </>
    );
  return (
    <>
      <p>{t('linkElsewhere', { host })}</p>
      <p>{t('linkNotAsked')}</p>
      <Form submit={t('linkShowCode')} onSubmit={show}>
        {null}
      </Form>
    </>
  );
}
