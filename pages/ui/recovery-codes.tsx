import { useLayoutEffect, useRef } from 'preact/hooks';
import { download } from '../../client/react/download.ts';
import { project } from '../project.ts';
import { t } from '../texts.ts';
import { Action, Copy } from './action.tsx';

type RecoveryCodesProps = { codes: readonly string[]; onKept: () => Promise<unknown> };

/** Recovery codes, which are shown once, until who sees them has them. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const words = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => words.current?.focus(), [codes]);
  const text = codes.join('\n');
  const save = () => {
    const title = t('recoveryFile', { name: project.name });
    download(`${project.project_id}-recovery-codes.txt`, `${title}\n\n${text}\n`);
  };
  return (
    <div class="made codes">
      <p ref={words} tabIndex={-1}>
        {t('recoveryOnce')}
      </p>
      <Copy text={text} about={t('recoveryCodes')} />
      <p class="buttons">
        <button type="button" class="secondary" onClick={save}>
          {t('recoveryDownload')}
        </button>
        <Action look="secondary" onAction={onKept}>
          {t('recoveryKept')}
        </Action>
      </p>
    </div>
  );
}
