import { render } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AskedCaptcha } from '../../client/captcha/with-captcha.ts';
import { pageUrl } from '../address.ts';
import type { FromFrame } from '../captcha-frame.ts';
import { FieldError } from '../failures.ts';
import { project } from '../project.ts';
import { addTexts, t } from '../texts.ts';
import { Retry } from './list.tsx';

/** Milliseconds for a document that has come to say so. */
const patience = 1_000;

/** Has somebody solve a captcha in a dialog: resolves with its token; undefined: they have closed it. */
export async function showCaptcha(captcha: AskedCaptcha): Promise<string | undefined> {
  await addTexts((name) => import(`../texts/captcha-${name}.json`, { with: { type: 'json' } }));
  const place = document.body.appendChild(document.createElement('div'));
  const token = await new Promise<string | undefined>((resolve) =>
    render(<CaptchaDialog captcha={captcha} onEnd={resolve} />, place),
  );
  render(null, place);
  place.remove();
  return token;
}

const frameStyle = { display: 'block', width: '100%', border: 0, marginBottom: '1rem' };
/**
 * That of Turnstile is no higher than its widget, which is compact where the window is narrow; over those of the others, a
 * challenge opens.
 */
const heightsIn = (width: number) => ({
  turnstile: width < 380 ? '9.25rem' : '4.5rem',
  hcaptcha: '37rem',
  recaptcha: '37rem',
});

type DialogProps = { captcha: AskedCaptcha; onEnd: (token: string | undefined) => void };

/** Shows the captcha of the project in a frame, which alone loads something from elsewhere. */
function CaptchaDialog({ captcha, onEnd }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const token = useRef<string>(undefined);
  const isReady = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const id = useId();
  // Before the frame, which is in the page by then, has loaded: nothing that it says is missed.
  useLayoutEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<FromFrame>) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      isReady.current = true;
      if ('failed' in data) setFailed(true);
      if (!('token' in data)) return;
      token.current = data.token;
      dialog.current?.close();
    };
    addEventListener('message', hear);
    dialog.current?.showModal();
    return () => {
      removeEventListener('message', hear);
      clearTimeout(timer.current);
    };
  }, []);
  // Before the widget, or on what to do without it: the frame, which may have had the focus, is gone.
  useLayoutEffect(
    () => dialog.current?.querySelector<HTMLElement>(hasFailed ? 'button' : 'h2')?.focus(),
    [hasFailed, tries],
  );
  const retry = () => {
    clearTimeout(timer.current);
    isReady.current = false;
    setFailed(false);
    setTries(tries + 1);
  };
  // A page of an error, or of a policy that was older, says nothing.
  const look = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => isReady.current || setFailed(true), patience);
  };
  const { provider, site_key, action } = captcha;
  const language = document.documentElement.lang;
  const parameters = new URLSearchParams({ provider, site_key, action, language });
  return (
    // The browser gives the focus back to where it was.
    <dialog ref={dialog} aria-labelledby={id} onClose={() => onEnd(token.current)}>
      <article>
        <h2 id={id} tabIndex={-1} style={{ outline: 'none' }}>
          {t('captcha')}
        </h2>
        {hasFailed ? (
          <Retry failure={new FieldError('', t('captchaFailed'))} onRetry={retry} />
        ) : (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- see docs/decisions/captcha.md
          <iframe
            key={tries}
            ref={frame}
            style={{ ...frameStyle, height: heightsIn(innerWidth)[provider] }}
            title={`${t('captcha')} – ${project.name}`}
            src={`${pageUrl('captcha')}#${parameters.toString()}`}
            onLoad={look}
          />
        )}
        <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
          {t('cancel')}
        </button>
      </article>
    </dialog>
  );
}
