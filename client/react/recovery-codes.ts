import { createElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { download } from './download.ts';
import { alert, button, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { pageOf } from './page.ts';

const codesStyle = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(13em, 100%), 1fr))',
  gap: 4,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontFamily: 'monospace',
};

type RecoveryCodesProps = PartProps & { codes: readonly string[]; onKept: () => void };

/** Recovery codes, which are shown once, until who sees them has them. */
export function RecoveryCodes({ part, words, codes, onKept }: RecoveryCodesProps): ReactNode {
  const note = useRef<{ focus(): void }>(null);
  const { run, words: failureText } = useAction();
  const [isCopied, setCopied] = useState(false);
  useLayoutEffect(() => note.current?.focus(), [codes]);
  const text = codes.join('\n');
  const { clipboard } = pageOf().navigator;
  return createElement(
    'div',
    part('menu'),
    createElement('p', { ...part('note'), tabIndex: -1, ref: note as never }, words.recoveryOnce),
    createElement(
      'ul',
      { ...part('codes', codesStyle), 'aria-label': words.recoveryCodes, dir: 'ltr' },
      codes.map((each) => createElement('li', { key: each }, each)),
    ),
    createElement(
      'div',
      part('bar'),
      clipboard &&
        button(part, words.recoveryCopy, {
          onClick: () => run(() => clipboard.writeText(text).then(() => setCopied(true))),
        }),
      button(part, words.recoveryDownload, {
        onClick: () => download('recovery-codes.txt', `${text}\n`),
      }),
      button(part, words.recoveryKept, { look: 'main', onClick: onKept }),
    ),
    alert(part, failureText),
    createElement('p', { ...part('note'), role: 'status' }, isCopied && words.recoveryCopied),
  );
}
