import { useEffect, useRef } from 'preact/hooks';
import { supportsAutofill } from '../../client/passkeys.ts';
import { isCode, wordsFor } from '../failures.ts';
import { enterByPasskey, hasPasskeys } from '../passkeys.ts';
import { t } from '../texts.ts';
import { Alert } from './form.tsx';
import { useAction } from './use-action.ts';

/** Signs in with a passkey: by a button, or picked in the autofill of the field for the e-mail. */
export function PasskeyButton({ next }: { next: string | undefined }) {
  const { run, busy, failure } = useAction();
  /** Ends what waits for the autofill: a browser asks for one passkey at a time. */
  const waiting = useRef<AbortController | undefined>(undefined);
  const wait = async () => {
    if (!(await supportsAutofill()) || waiting.current) return;
    const { signal } = (waiting.current = new AbortController());
    while (!signal.aborted) {
      try {
        await enterByPasskey(next, { autofill: true, signal });
      } catch (error) {
        // Somebody may open the page and come back after the challenge has expired.
        if (isCode(error, 'invalid_credentials')) continue;
        waiting.current = undefined;
        return;
      }
    }
  };
  useEffect(() => {
    if (hasPasskeys()) void wait();
    return () => waiting.current?.abort();
  }, []);
  if (!hasPasskeys()) return null;
  const ask = async () => {
    waiting.current?.abort();
    waiting.current = undefined;
    await run(() => enterByPasskey(next));
    void wait();
  };
  return (
    <>
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
      <button
        type="button"
        class="secondary"
        aria-busy={busy}
        aria-disabled={busy}
        onClick={() => void ask()}
      >
        {t('usePasskey')}
      </button>
    </>
  );
}
