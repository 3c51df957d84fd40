import { useEffect, useRef } from 'preact/hooks';
import { supportsAutofill } from '../../client/passkeys.ts';
import { wordsFor } from '../failures.ts';
import { enterByPasskey, hasPasskeys, pickPasskey } from '../passkeys.ts';
import { t } from '../texts.ts';
import { Alert } from './form.tsx';
import { useAction } from './use-action.ts';

type PasskeyButtonProps = { next: string | undefined };

/** Signs in with a passkey: by a button, or picked in the autofill of the field for the e-mail. */
export function PasskeyButton({ next }: PasskeyButtonProps) {
  const { run, busy, failure } = useAction();
  /** Ends what waits for the autofill: a browser asks for one passkey at a time. */
  const autofillRequest = useRef<AbortController | undefined>(undefined);
  const wait = async () => {
    if (!(await supportsAutofill()) || autofillRequest.current) return;
    const controller = (autofillRequest.current = new AbortController());
    const { signal } = controller;
    try {
      while (!signal.aborted) {
        const passkey = await pickPasskey({ autofill: true, signal });
        if (await run(() => enterByPasskey(passkey, next))) return;
      }
    } catch {
      // Nobody has asked for it yet: without options, or a passkey, the page has its other ways.
      if (autofillRequest.current === controller) autofillRequest.current = undefined;
    }
  };
  useEffect(() => {
    if (hasPasskeys()) void wait();
    return () => autofillRequest.current?.abort();
  }, []);
  if (!hasPasskeys()) return null;
  /** A second press does nothing: to wait for the autofill again would end what the first asks for. */
  const ask = () =>
    run(async () => {
      autofillRequest.current?.abort();
      autofillRequest.current = undefined;
      try {
        await enterByPasskey(await pickPasskey(), next);
      } catch (error) {
        void wait();
        throw error;
      }
    });
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
