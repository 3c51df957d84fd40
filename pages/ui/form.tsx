import {
  type InputHTMLAttributes as Attributes,
  type ComponentChildren,
  createContext,
  type TargetedEvent,
} from 'preact';
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../failures.ts';
import { t } from '../texts.ts';
import { typedEmail } from '../typed-email.ts';
import { emptyPasswords, fieldsIn, valuesOf } from './form-values.ts';
import { OptionList, type Options } from './options.tsx';
import { useAction } from './use-action.ts';

/** What is wrong with each field, by its name. */
const Wrong = createContext<Record<string, string>>({});

type FormProps = {
  submit: string;
  /** The fields by name, trimmed. What it throws is shown: at its field, or above the button. */
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>;
  /** Said after a success. */
  done?: string;
  danger?: boolean;
  children: ComponentChildren;
};

/** A form that says what is wrong, puts the focus there, and sends one request at a time. */
export function Form({ submit, onSubmit, done, danger = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { run, busy, failure } = useAction();
  const [isDone, setDone] = useState(false);
  const wrong = fieldsIn(failure, form.current);

  // In the task that shows what is wrong: later, the focus would leave a field that is being typed into.
  useLayoutEffect(() => {
    if (failure === undefined) return;
    // The fields hear of it by the context, in the same task but after this.
    queueMicrotask(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid],[role=alert]')?.focus(),
    );
  }, [failure]);

  const send = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { current } = form;
    if (busy || !current) return;
    setDone(false);
    const isSuccess = await run(() => onSubmit(valuesOf(current), current));
    setDone(isSuccess);
    if (isSuccess) emptyPasswords(current);
  };

  return (
    // The messages of the browser would be in another language, and are not read out everywhere.
    <form ref={form} noValidate onSubmit={send}>
      <Wrong.Provider value={wrong}>{children}</Wrong.Provider>
      {failure !== undefined && !Object.keys(wrong)[0] && <Alert>{wordsFor(failure)}</Alert>}
      <button
        type="submit"
        class={danger ? 'danger' : undefined}
        aria-busy={busy}
        aria-disabled={busy}
      >
        {submit}
      </button>
      <p role="status">{isDone && done}</p>
    </form>
  );
}

/** A message that is read out, and that the focus can go to. */
export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p role="alert" class="wrong" tabIndex={-1}>
    {children}
  </p>
);

type FieldProps = {
  label: string;
  name: string;
  hint?: string;
  /** The id of a text above it that says what to enter: it comes with the field, which has the focus at once. */
  about?: string | undefined;
  type?: 'text' | 'email' | 'url' | 'number';
  required?: boolean;
  autocomplete?: string;
  defaultValue?: string;
  autocapitalize?: 'none';
  spellcheck?: boolean;
  dir?: 'auto' | 'ltr';
  inputMode?: 'numeric';
  maxLength?: number;
  min?: number;
  max?: number;
  onChange?: (event: TargetedEvent<HTMLInputElement>) => void;
};

/** A field with its label, a hint, and what is wrong with it. */
export function Field({ label, name, hint, about, required = true, ...input }: FieldProps) {
  const { id, wrong, described } = useDescription(name, hint, about);
  return (
    <div>
      <label for={id}>
        {label}
        {!required && <small> ({t('optional')})</small>}
      </label>
      <input dir="auto" {...({ ...input, ...described, id, name, required } as Attributes)} />
      <Descriptions id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

/** The field for the e-mail of who signs in or up. */
export const EmailField = () => (
  <Field
    label={t('email')}
    name="email"
    type="email"
    autocomplete="username webauthn"
    defaultValue={typedEmail()}
    onChange={({ currentTarget }) => typedEmail(currentTarget.value)}
  />
);

type PasswordProps = Pick<Partial<FieldProps>, 'label' | 'name' | 'hint' | 'autocomplete'>;

/** A field for a password, which can be shown. */
export function PasswordField(props: PasswordProps) {
  const { label, name = 'password', hint, autocomplete = 'current-password' } = props;
  const { id, wrong, described } = useDescription(name, hint);
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <label for={id}>{label ?? t('password')}</label>
      <div class="beside">
        <input
          {...({ ...described, autocomplete, type: isShown ? 'text' : 'password' } as Attributes)}
          {...{ id, name, required: true }}
          autocapitalize="none"
          spellcheck={false}
        />
        <button
          type="button"
          class="plain"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t('show')}
          <span class="unseen"> {label ?? t('password')}</span>
        </button>
      </div>
      <Descriptions id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

type TextProps = {
  label: string;
  name: string;
  hint?: string;
  rows?: number;
  required?: boolean;
  defaultValue?: string;
  /** Whether programs read it. */
  code?: boolean;
};

/** A field of several lines. */
export function TextField(props: TextProps) {
  const { label, name, hint, rows = 3, required = false, defaultValue, code = false } = props;
  const { id, wrong, described } = useDescription(name, hint);
  return (
    <div>
      <label for={id}>
        {label}
        {!required && <small> ({t('optional')})</small>}
      </label>
      <textarea
        dir={code ? 'ltr' : 'auto'}
        spellcheck={!code}
        {...{ ...described, id, name, rows, required, defaultValue }}
      />
      <Descriptions id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  options: Options;
  onChoose?: (value: string) => void;
};

/** A choice. */
export function Choice({ label, name, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} name={name} onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}>
        <OptionList of={options} />
      </select>
    </div>
  );
}

/** A box to tick. */
export function Tick({ name, children }: { name: string; children: ComponentChildren }) {
  const { id, wrong, described } = useDescription(name);
  return (
    <div>
      <label for={id}>
        <input type="checkbox" {...described} id={id} name={name} />
        <span>{children}</span>
      </label>
      <Descriptions id={id} wrong={wrong} />
    </div>
  );
}

function useDescription(name: string, hint?: string, about?: string) {
  const id = useId();
  const wrong = useContext(Wrong)[name];
  const ids = [about, hint && `${id}h`, wrong && `${id}w`].filter(Boolean);
  const described = {
    'aria-invalid': wrong ? (true as const) : undefined,
    'aria-describedby': ids.join(' ') || undefined,
  };
  return { id, wrong, described };
}

/** What is wrong is read out: nothing says so of a description that comes to a field that has the focus already. */
function Descriptions(props: { id: string; hint?: string | undefined; wrong: string | undefined }) {
  const { id, hint, wrong } = props;
  return (
    <>
      {hint && <small id={`${id}h`}>{hint}</small>}
      {wrong && (
        <small id={`${id}w`} class="wrong" role="alert">
          {wrong}
        </small>
      )}
    </>
  );
}
