import { useRef, useState } from 'preact/hooks';
import type { RecoveryCodes as Codes, Factor, User } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { project } from '../../project.ts';
import { sendAsUser } from '../../session.ts';
import { count, date, t } from '../../texts.ts';
import { FactorCode, withGuess } from '../../ui/factor-code.tsx';
import { Form } from '../../ui/form.tsx';
import { Loading, Retry, useList } from '../../ui/list.tsx';
import { RecoveryCodes } from '../../ui/recovery-codes.tsx';
import { Section } from '../../ui/section.tsx';
import { Enrolment } from './enrolment.tsx';

/** The second factor of somebody: an authenticator app. A file of its own: the page comes before it. */
export function SecondFactor({ user }: { user: User }) {
  /** Of an app that was just added, or new ones: they do not come again. */
  const [codes, setCodes] = useState<readonly string[]>();
  const [statusText, setStatusText] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const load = async () => ({
    items: ((await sendAsUser('GET /users/me/factors')) as { result: Factor[] }).result,
  });
  // The first verification of the e-mail, which changes the user, may remove it.
  const list = useList<Factor>(user.uid, load, user.modified_at);
  const { items, state, failure, retry, refresh } = list;
  const [factor] = items;
  /** Says what has changed, once what was pressed is gone. */
  const tell = (words: string) => {
    setStatusText(words);
    status.current?.focus();
  };
  const show = async (recovery_codes: readonly string[]) => {
    setCodes(recovery_codes);
    await refresh();
  };
  return (
    <Section title={t('factor')}>
      {codes && (
        <RecoveryCodes
          codes={codes}
          onKept={async () => {
            setCodes(undefined);
            tell('');
          }}
        />
      )}
      <p ref={status} role="status" tabIndex={-1}>
        {statusText}
      </p>
      {state === 'failed' && <Retry failure={failure} onRetry={retry} />}
      {state === 'loading' && !factor && <Loading />}
      {state === 'ready' && !factor && (
        <Enrolment
          user={user}
          onConfirmed={(recovery_codes) => {
            setStatusText(t('factorAdded'));
            return show(recovery_codes);
          }}
        />
      )}
      {factor && (
        <FactorDetails
          factor={factor}
          onRenewed={show}
          onRemoved={async () => {
            setCodes(undefined);
            await refresh();
            tell(t('factorRemoved'));
          }}
        />
      )}
    </Section>
  );
}

type FactorDetailsProps = {
  factor: Factor;
  onRenewed: (codes: readonly string[]) => Promise<unknown>;
  onRemoved: () => Promise<unknown>;
};

/** A factor that there is: what is left of its codes, new ones, and its end. Each takes a code. */
function FactorDetails({ factor, onRenewed, onRemoved }: FactorDetailsProps) {
  const { created_at, last_used_at, recovery_codes_left: left } = factor;
  /** A new form after each renewal. */
  const [renewalCount, setRenewalCount] = useState(0);
  const renew = async (values: Record<string, string>) => {
    const newCodes = await withGuess(values, (guess) =>
      sendAsUser('POST /users/me/factors/recovery_codes', guess).catch(unlessGone),
    );
    if (!newCodes) return onRemoved();
    setRenewalCount(renewalCount + 1);
    await onRenewed((newCodes as Codes).recovery_codes);
  };
  const remove = async (values: Record<string, string>) => {
    await withGuess(values, (guess) =>
      sendAsUser('DELETE /users/me/factors/totp body', guess).catch(unlessGone),
    );
    await onRemoved();
  };
  const label = t('factorProof');
  return (
    <>
      <p>
        {t('factorSince', { date: date(created_at) })}{' '}
        {last_used_at !== undefined && t('factorUsed', { date: date(last_used_at) })}
      </p>
      <p class={left < 3 ? 'wrong' : undefined}>{count('recoveryLeft', left)}</p>
      <details key={renewalCount}>
        <summary>{t('recoveryRenew')}</summary>
        <p>{t('recoveryRenewExplained')}</p>
        <Form submit={t('recoveryRenew')} onSubmit={renew}>
          <FactorCode label={label} />
        </Form>
      </details>
      {project.mfa !== 'required' && (
        <details>
          <summary>{t('factorRemove')}</summary>
          <p>{t('factorRemoveExplained')}</p>
          <Form danger submit={t('factorRemove')} onSubmit={remove}>
            <FactorCode label={label} />
          </Form>
        </details>
      )}
    </>
  );
}
