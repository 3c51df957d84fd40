import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../failures.ts';
import { t } from '../texts.ts';
import { Alert } from './form.tsx';
import { useAction } from './use-action.ts';

type ActionProps = {
  onAction: () => Promise<unknown>;
  /** Asked before it is done. */
  confirm?: string;
  look?: 'plain' | 'danger' | 'secondary';
  /** What it is about, where the words alone do not say it. */
  about?: string;
  children: ComponentChildren;
};

/** A button that does something at the service, asks before it does if that cannot be undone, and says if it failed. */
export function Action({ onAction, confirm, look, about, children }: ActionProps) {
  const { run, busy, failure } = useAction();
  const [isAsking, setAsking] = useState(false);
  const question = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isAsking) question.current?.focus();
  }, [isAsking]);

  const stop = () => {
    setAsking(false);
    // After the button is there again.
    setTimeout(() => button.current?.focus());
  };
  const act = async () => {
    if (await run(onAction)) setAsking(false);
  };
  const alert = failure !== undefined && <Alert>{wordsFor(failure)}</Alert>;
  if (isAsking)
    return (
      <span class="asking" role="group" aria-label={confirm}>
        <span ref={question} tabIndex={-1}>
          {confirm}
        </span>{' '}
        <button type="button" class="danger" aria-busy={busy} aria-disabled={busy} onClick={act}>
          {children}
        </button>{' '}
        <button type="button" class="plain" onClick={stop}>
          {t('cancel')}
        </button>
        {alert}
      </span>
    );
  return (
    <>
      <button
        ref={button}
        type="button"
        class={look}
        aria-busy={busy}
        aria-disabled={busy}
        onClick={confirm === undefined ? act : () => setAsking(true)}
      >
        {children}
        {about !== undefined && <span class="unseen"> {about}</span>}
      </button>
      {alert}
    </>
  );
}

type CopyProps = { text: string; about: string; children?: ComponentChildren };

/** Shows a text, or `children` in its place, and copies it; says so to a screen reader too. */
export function Copy({ text, about, children = text }: CopyProps) {
  const [status, setStatus] = useState('');
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    // If the browser refuses to copy, the text is selected already. A page that came by http from afar has no clipboard.
    getSelection()?.selectAllChildren(shown.current as HTMLElement);
    try {
      await navigator.clipboard.writeText(text);
      setStatus(t('copied'));
    } catch {
      setStatus(t('copyByHand'));
    }
  };
  return (
    <span class="copy">
      <code ref={shown} dir="ltr">
        {children}
      </code>{' '}
      <button type="button" class="plain" onClick={copy}>
        {t('copy')}
        <span class="unseen"> {about}</span>
      </button>
      <span role="status">{status}</span>
    </span>
  );
}
