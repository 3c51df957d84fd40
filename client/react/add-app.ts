import {
  createElement,
  Fragment,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { TotpEnrolment } from '../generated/api.ts';
import { qrCode } from '../qr-code.ts';
import {
  alert,
  button,
  codeInput,
  Field,
  FieldError,
  Form,
  passwordInput,
  sixDigits,
  useAction,
} from './form.ts';
import type { PartProps } from './later.ts';
import { RecoveryCodes } from './recovery-codes.ts';
import { useProvided } from './session.ts';

type AddAppProps = PartProps & {
  /** Why somebody adds an app. */
  why: string;
  /** Whether the service asks once more for the password of the account. */
  asksPassword?: boolean | undefined;
  start: (current_password?: string) => Promise<TotpEnrolment>;
  /** Sends the first code; `keep` shows the recovery codes until somebody has kept them. */
  confirm: (
    code: string,
    keep: (recovery_codes: readonly string[]) => Promise<void>,
  ) => Promise<unknown>;
  isInner?: boolean | undefined;
  /** Leads elsewhere, where there is something else to do. */
  onOther?: (() => void) | undefined;
};

/** Adds an authenticator app: why, its secret with a first code of it, and the recovery codes, one after the other. */
export function AddApp(props: AddAppProps): ReactNode {
  const { part, words, why, asksPassword = false, isInner, start, confirm, onOther } = props;
  const { texts } = useProvided();
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const [recovery, setRecovery] = useState<{ codes: readonly string[]; onKept: () => void }>();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { run, busy, failure, forget, wrong, words: failureText } = useAction(words.errors);

  const keep = (codes: readonly string[]) =>
    new Promise<void>((onKept) => setRecovery({ codes, onKept })).finally(() =>
      setRecovery(undefined),
    );
  const begin = () =>
    run(
      async () => {
        if (asksPassword && password === '')
          throw new FieldError('password', texts.passwordMissing);
        setEnrolment(await start(asksPassword ? password : undefined));
        setPassword('');
        setCode('');
      },
      {
        ...(asksPassword && { current_password: ['password', words.currentPasswordWrong] }),
        invalid_credentials: ['password', words.currentPasswordWrong],
      },
    );
  const finish = () =>
    run(
      async () => {
        await confirm(sixDigits(code, texts), keep);
      },
      {
        invalid_credentials: ['code', texts.codeWrong],
        not_found: ['code', words.appExpired],
      },
    );
  const cancel = () => {
    setEnrolment(undefined);
    forget();
  };
  const other =
    onOther && button(part, texts.otherAccount, { look: 'link', busy, onClick: onOther });

  if (recovery) return createElement(RecoveryCodes, { part, words, ...recovery });
  if (!enrolment)
    return createElement(
      Form,
      {
        part,
        label: words.app,
        failure,
        isInner,
        step: 'start',
        onSubmit: begin,
      },
      createElement('p', { ...part('note'), role: 'status' }, why),
      asksPassword &&
        createElement(Field, {
          part,
          label: texts.password,
          wrong,
          value: password,
          onText: setPassword,
          ...passwordInput,
        }),
      alert(part, failureText),
      button(part, words.appAdd, { look: 'main', busy }),
      other,
    );
  return createElement(
    Form,
    {
      part,
      label: words.app,
      failure,
      isInner,
      step: 'confirm',
      onSubmit: finish,
    },
    createElement(Secret, { part, words, enrolment }),
    createElement(Field, {
      part,
      label: words.appCode,
      wrong,
      value: code,
      onText: setCode,
      ...codeInput,
      inputMode: 'numeric',
    }),
    alert(part, failureText),
    button(part, words.appConfirm, { look: 'main', busy }),
    button(part, texts.cancel, { look: 'link', busy, onClick: cancel }),
    other,
  );
}

/** The secret of an app: to scan, to open on this device, and to type. */
function Secret({ part, words, enrolment }: PartProps & { enrolment: TotpEnrolment }): ReactNode {
  const { secret, uri } = enrolment;
  const note = useRef<{ focus(): void }>(null);
  useLayoutEffect(() => note.current?.focus(), [secret]);
  return createElement(
    Fragment,
    null,
    createElement('p', { ...part('note'), tabIndex: -1, ref: note as never }, words.appScan),
    createElement(QrCode, { part, text: uri, label: words.appQr }),
    createElement('a', { ...part('link'), href: uri }, words.appOpen),
    createElement(
      'p',
      part('note'),
      `${words.appSecret}: `,
      createElement(
        'code',
        { ...part('secret', { fontFamily: 'monospace', overflowWrap: 'anywhere' }), dir: 'ltr' },
        secret.replaceAll(/.{4}(?=.)/g, '$& '),
      ),
    ),
  );
}

// Dark on light in every color scheme, or no camera reads it.
const qrStyle = { display: 'block', width: '100%', maxWidth: 240, background: '#fff' };

/** A QR code, dark on light in every color scheme. */
function QrCode({ part, text, label }: Pick<PartProps, 'part'> & { text: string; label: string }) {
  const code = useMemo(() => qrCode(text), [text]);
  if (!code) return null;
  const { size, dark } = code;
  return createElement(
    'svg',
    { ...part('qr', qrStyle), role: 'img', 'aria-label': label, viewBox: `0 0 ${size} ${size}` },
    createElement('path', { fill: '#fff', d: `M0 0h${size}v${size}h-${size}z` }),
    createElement('path', { fill: '#000', d: dark, shapeRendering: 'crispEdges' }),
  );
}
