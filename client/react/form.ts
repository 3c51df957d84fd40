import {
  createElement,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ApiError } from '../api-error.ts';
import { useProvided } from './session.ts';
import type { Part } from './style.ts';
import { type Texts, wordsFor } from './texts.ts';

/** What is wrong with one field. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Failures of one field. The key is the last part of the pointer to the input, or the code of the response. The value
 * is the name of the field and the text of its failure.
 */
type Fields = Partial<Record<string, readonly [field: string, words: string]>>;

/** What was thrown: by the service, or by what the application does in an action, whose `errors` are of any kind. */
type Failed = { name?: string; code?: string; errors?: Partial<ApiError['errors'][number]>[] };

/**
 * Runs one action at a time, and keeps its failure until the next. `moreErrors`: words for further codes;
 * `initialFailure`: that of what was done before this was shown.
 */
export function useAction(moreErrors?: Texts['errors'], initialFailure?: unknown) {
  const { texts } = useProvided();
  const [failure, setFailure] = useState(initialFailure);
  const [busy, setBusy] = useState(false);
  // A second click comes before the first has rendered.
  const running = useRef(false);

  async function run(
    action: () => Promise<unknown>,
    fields: Fields = {},
    onFailure?: () => unknown,
  ): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      onFailure?.();
      const { name, code = '', errors = [] } = error as Failed;
      const inputs = errors.map(({ pointer }) => fields[pointer?.replace(/.*\//, '') ?? '']);
      const field = [...inputs, fields[code]].find(Boolean);
      // Aborted: a later sign-in or sign-out has taken its place.
      if (name !== 'AbortError') setFailure(field ? new FieldError(...field) : error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  const inField = failure instanceof FieldError ? failure : undefined;
  return {
    run,
    busy,
    failure,
    forget: () => setFailure(undefined),
    /** What is wrong with that field, in words. */
    wrong: (field: string) => (inField?.field === field ? inField.message : undefined),
    /** What is wrong otherwise, in words. */
    words: failure === undefined || inField ? undefined : wordsFor(failure, texts, moreErrors),
  };
}

/** Says what went wrong, to a screen reader too. */
export const alert = (part: Part, words: string | undefined, id?: string): ReactNode =>
  words === undefined ? null : createElement('p', { id, role: 'alert', ...part('error') }, words);

/**
 * Moves the focus in the task that shows where it goes: later, it would leave a field that is being typed into. A
 * server, where React 18 warns of it, shows nothing.
 */
const useFocus = 'window' in globalThis ? useLayoutEffect : useEffect;

/**
 * A form that puts the focus on its first field that is wrong, and with another step on the first field, or on what
 * that step says: what had it, such as the link to that step, is gone, and a keyboard would start again at the top of
 * the page.
 */
export function Form(props: {
  part: Part;
  label: string;
  failure: unknown;
  step: string;
  /** Whether it is a part of a component that has others. */
  isInner?: boolean | undefined;
  onSubmit: () => unknown;
  children?: ReactNode;
}) {
  const { part, label, failure, step, isInner = false, onSubmit, children } = props;
  const form = useRef<unknown>(null);
  const shownStep = useRef(step);
  useFocus(() => {
    if (shownStep.current !== step)
      (firstIn(form.current, 'input') ?? firstIn(form.current, '[tabindex]'))?.focus();
    shownStep.current = step;
  }, [step]);
  useFocus(() => {
    if (failure !== undefined) firstIn(form.current, '[aria-invalid=true]')?.focus();
  }, [failure]);
  return createElement(
    'form',
    {
      ...part(isInner ? 'form' : 'root'),
      'aria-label': label,
      // The messages of the browser would be in another language.
      noValidate: true,
      ref: form as never,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void onSubmit();
      },
    },
    children,
  );
}

/** The types of the DOM are not there in every compilation. */
export const firstIn = (element: unknown, selector: string) =>
  (element as { querySelector(selector: string): { focus(): void } | null } | null)?.querySelector(
    selector,
  );

type FieldProps = Omit<InputHTMLAttributes<unknown>, 'onChange' | 'part'> & {
  part: Part;
  label: string;
  /** Under which `wrong` knows what is wrong with it. */
  name: string;
  wrong: (field: string) => string | undefined;
  onText: (text: string) => void;
};

/** What a browser fills in by itself: the password that it keeps, and the code of a message that comes. */
export const passwordInput = {
  name: 'password',
  type: 'password',
  autoComplete: 'current-password',
} as const;
export const codeInput = { name: 'code', autoComplete: 'one-time-code' } as const;

/**
 * The six digits of a mailed code, or of an app.
 * @throws FieldError for anything else
 */
export function sixDigits(code: string, texts: Texts): string {
  const digits = code.replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(digits)) throw new FieldError('code', texts.codeIncomplete);
  return digits;
}

/** A field with its label, and what is wrong with it. */
export function Field({ part, label, wrong, onText, ...input }: FieldProps) {
  const id = useId();
  const failure = wrong(input.name);
  const isWrong = failure !== undefined;
  return createElement(
    'div',
    part('field'),
    createElement('label', { htmlFor: id, ...part('label') }, label),
    createElement('input', {
      required: true,
      ...input,
      ...part('input'),
      id,
      'aria-invalid': isWrong,
      'aria-describedby': isWrong ? `${id}e` : undefined,
      onChange: ({ target }: { target: unknown }) => onText((target as { value: string }).value),
    }),
    alert(part, failure, `${id}e`),
  );
}

/** A button; while it is busy it keeps the focus and says so. `look: 'main'`: it is what its form, or its part, is there for. */
export const button = (
  part: Part,
  words: string,
  options: { busy?: boolean; onClick?: () => unknown; look?: 'main' | 'link' },
): ReactNode =>
  createElement(
    'button',
    {
      ...part('button', options.look ?? 'button', options.busy ? 0.7 : 1),
      key: words,
      // Without `onClick` it sends its own form. With it, it must not send one of the page around it.
      type: options.onClick ? 'button' : 'submit',
      'aria-disabled': options.busy || undefined,
      onClick: options.onClick,
    },
    words,
  );
