import { useRef, useState } from 'preact/hooks';
import { FieldError, isCode } from '../../failures.ts';
import { project } from '../../project.ts';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { daysOf } from '../../ui/days.ts';
import { Choice, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';

/** Whether a user may ask the members for a second factor: the owner, if any of them could have one. */
export const mayRequireMfa = ({ workspace, user }: Part): boolean =>
  workspace.owner_id === user.uid &&
  (project.mfa !== 'off' || project.methods.passkey || workspace.require_mfa === true);

/** Asks the members of a workspace for a second factor, or asks them no more. */
export function RequireMfa({ workspace, refresh }: Part) {
  const { workspace_id, require_mfa = false, mfa_required_at = '' } = workspace;
  const [statusText, setStatusText] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const change = async (setting: { require_mfa: boolean; mfa_grace_days?: number }) => {
    try {
      await api.workspaces.update({ workspace_id, ...setting });
    } catch (error) {
      // The workspace may ask for none yet: the setting does, of who changes it.
      throw isCode(error, 'mfa_required') ? new FieldError('', t('mfaOfOwner')) : error;
    }
    setStatusText(t(setting.require_mfa ? 'mfaIsRequired' : 'mfaNotRequired'));
    await refresh();
    // What was pressed is gone.
    status.current?.focus();
  };
  return (
    <Section title={t('mfaOfMembers')}>
      <p ref={status} role="status" tabIndex={-1}>
        {statusText}
      </p>
      {require_mfa ? (
        <>
          <p>{t('mfaSince', { date: date(mfa_required_at) })}</p>
          <Action
            look="danger"
            confirm={t('mfaEndConfirm')}
            onAction={() => change({ require_mfa: false })}
          >
            {t('mfaEnd')}
          </Action>
        </>
      ) : (
        <details>
          <summary>{t('mfaRequire')}</summary>
          <p>{t('mfaRequireExplained')}</p>
          <Form
            submit={t('mfaRequire')}
            onSubmit={({ days }) => change({ require_mfa: true, mfa_grace_days: Number(days) })}
          >
            <Choice
              label={t('mfaFrom')}
              name="days"
              options={[[0, t('mfaAtOnce')], ...daysOf(7, 14, 30, 90)]}
            />
          </Form>
        </details>
      )}
    </Section>
  );
}
