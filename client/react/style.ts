import type { CSSProperties } from 'react';

/**
 * How a component looks: `className` on its outermost element takes the place of the default style of all its parts.
 */
export type Look = { className?: string | undefined };

/** A column that what is in it cannot widen: a name may be one long word, also of a button or heading. */
export const column: CSSProperties = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  overflowWrap: 'anywhere',
  font: '16px/1.4 system-ui, sans-serif',
  gap: 12,
};

const control: CSSProperties = {
  boxSizing: 'border-box',
  maxWidth: '100%',
  font: 'inherit',
  // A choice of a long name says that there is more of it.
  textOverflow: 'ellipsis',
  padding: 10,
  border: '1px solid #767676',
  borderRadius: 6,
};
const button: CSSProperties = {
  ...control,
  padding: '10px 12px',
  cursor: 'pointer',
};
const cell: CSSProperties = {
  padding: 8,
  textAlign: 'start',
  borderBottom: '1px solid #767676',
};

/** No text on the page's ground has a colour of its own: that of the page is right there, light or dark. */
const styles: Record<string, CSSProperties> = {
  root: { ...column, maxWidth: 360 },
  form: { ...column, padding: '4px 0' },
  field: { display: 'grid', gap: 4 },
  input: { ...control, width: '100%' },
  choice: control,
  button,
  // It stands out by 3 : 1 from light and dark pages alike, and its text from it by 5 : 1.
  main: { ...button, color: '#fff', background: '#16c' },
  link: {
    font: 'inherit',
    padding: '8px 0',
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
  wide: column,
  table: { width: '100%', borderCollapse: 'collapse' },
  caption: { textAlign: 'start' },
  cell,
  heading: { margin: 0, fontSize: '1.25em' },
  list: { ...column, gap: 8, margin: 0, padding: 0, listStyle: 'none' },
  summary: { cursor: 'pointer', padding: '11px 0' },
  dialog: {
    ...column,
    boxSizing: 'border-box',
    width: 'min(400px, calc(100% - 32px))',
    padding: 24,
    border: '1px solid #767676',
    borderRadius: 12,
  },
  // The others take what is left.
  role: { ...cell, width: 1, whiteSpace: 'nowrap' },
  bar: { display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' },
};

/**
 * The attributes of a part: `data-part` for your style sheet, and the default style unless there is a class.
 * @param style the name of a style of these, or one that comes with what is loaded later
 * @param opacity of what cannot be pressed now: something is under way, or there is nothing further
 */
export const partOf =
  ({ className }: Look) =>
  (name: string, style: string | CSSProperties = name, opacity?: number) => ({
    'data-part': name,
    ...(className === undefined
      ? {
          style: {
            opacity,
            ...(typeof style === 'string' ? styles[style] : style),
          } as CSSProperties,
        }
      : name === 'root' && { className }),
  });
export type Part = ReturnType<typeof partOf>;
