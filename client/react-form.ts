import {
  createElement,
  type CSSProperties,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { ErrorCode } from './api-error.ts';
import { useProvided } from './react-session.ts';
import { wordsFor } from './react-texts.ts';

/** How a component looks: `className` on its outermost element takes the place of the default style of all its parts. */
export type Look = { className?: string | undefined };

/** A column that what is in it cannot widen: a name may be one long word. */
const column: CSSProperties = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  overflowWrap: 'anywhere',
  font: '16px/1.4 system-ui, sans-serif',
};

const control: CSSProperties = {
  boxSizing: 'border-box',
  maxWidth: '100%',
  font: 'inherit',
  // A choice of a long name says that there is more of it.
  textOverflow: 'ellipsis',
  padding: '8px 10px',
  border: '1px solid #767676',
  borderRadius: 6,
};
const cell: CSSProperties = {
  padding: 8,
  textAlign: 'start',
  borderBottom: '1px solid #767676',
};

/** No text has a colour of its own: that of the page is right on the ground that the page has, light or dark. */
const styles: Record<string, CSSProperties> = {
  root: { ...column, gap: 12, maxWidth: 360 },
  field: { display: 'grid', gap: 4 },
  input: { ...control, width: '100%' },
  choice: control,
  button: {
    font: 'inherit',
    minWidth: 0,
    padding: '8px 12px',
    border: '1px solid #767676',
    borderRadius: 6,
    overflowWrap: 'anywhere',
    cursor: 'pointer',
  },
  link: {
    font: 'inherit',
    padding: '2px 0',
    border: 0,
    background: 'none',
    color: 'inherit',
    textAlign: 'start',
    textDecoration: 'underline',
    cursor: 'pointer',
  },
  error: { margin: 0, paddingInlineStart: 8, borderInlineStart: '4px solid #d32f2f' },
  note: { margin: 0 },
  menu: { display: 'grid', gap: 8, padding: 12, border: '1px solid #767676', borderRadius: 6 },
  wide: { ...column, gap: 12 },
  table: { width: '100%', borderCollapse: 'collapse' },
  caption: { textAlign: 'start' },
  cell,
  // The others take what is left.
  role: { ...cell, width: 1, whiteSpace: 'nowrap', overflowWrap: 'normal' },
  bar: { display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' },
};

/** The attributes of a part: `data-part` for your style sheet, and the default style unless there is a class. */
export const partOf =
  ({ className }: Look) =>
  (name: string, style = name) => ({
    'data-part': name,
    ...(className === undefined ? { style: styles[style] } : name === 'root' && { className }),
  });
export type Part = ReturnType<typeof partOf>;

/** What is wrong with one field. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Codes of answers that are about one field: its name, and what is wrong with it in words. */
type ByCode = Partial<Record<ErrorCode, readonly [field: string, words: string]>>;

/** Runs one action at a time, and keeps its failure until the next. */
export function useAction() {
  const { texts } = useProvided();
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // A second click comes before the first has rendered.
  const running = useRef(false);

  async function run(action: () => Promise<unknown>, fields: ByCode = {}): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      const { name, code } = error as { name?: string; code?: ErrorCode };
      const field = code && fields[code];
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
    words: failure === undefined || inField ? undefined : wordsFor(failure, texts),
  };
}

/** Says what went wrong, to a screen reader too. */
export const alert = (part: Part, words: string | undefined): ReactNode =>
  words === undefined ? null : createElement('p', { role: 'alert', ...part('error') }, words);

/**
 * A form that puts the focus on its first field that is wrong, and with another step on the first field: what had it,
 * such as the link to that step, is gone, and a keyboard would start again at the top of the page.
 */
export function Form(props: {
  part: Part;
  label: string;
  failure: unknown;
  step: string;
  onSubmit: () => void;
  children?: ReactNode;
}) {
  const { part, label, failure, step, onSubmit, children } = props;
  const form = useRef<unknown>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) firstIn(form.current, 'input')?.focus();
    shown.current = step;
  }, [step]);
  useEffect(() => {
    if (failure !== undefined) firstIn(form.current, '[aria-invalid=true]')?.focus();
  }, [failure]);
  return createElement(
    'form',
    {
      ...part('root'),
      'aria-label': label,
      // The messages of the browser would be in another language.
      noValidate: true,
      ref: (element: unknown) => {
        form.current = element;
      },
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        onSubmit();
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
  wrong: string | undefined;
  onText: (text: string) => void;
};

/** A field with its label, and what is wrong with it. */
export function Field({ part, label, wrong, onText, ...input }: FieldProps) {
  const id = useId();
  const isWrong = wrong !== undefined;
  return createElement(
    'div',
    part('field'),
    createElement('label', { htmlFor: id, ...part('label') }, label),
    createElement('input', {
      ...input,
      ...part('input'),
      id,
      required: true,
      'aria-invalid': isWrong,
      'aria-describedby': isWrong ? `${id}e` : undefined,
      onChange: ({ target }: { target: unknown }) => onText((target as { value: string }).value),
    }),
    isWrong && createElement('p', { id: `${id}e`, role: 'alert', ...part('error') }, wrong),
  );
}

/** A button; while it is busy it keeps the focus and says so. */
export const button = (
  part: Part,
  words: string,
  given: { busy?: boolean; onClick?: () => unknown; submit?: boolean; link?: boolean },
): ReactNode =>
  createElement(
    'button',
    {
      ...part('button', given.link ? 'link' : 'button'),
      key: words,
      type: given.submit ? 'submit' : 'button',
      'aria-disabled': given.busy ? true : undefined,
      onClick: given.onClick,
    },
    words,
  );
