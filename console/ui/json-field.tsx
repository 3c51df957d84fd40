import { JsonInput } from '@mantine/core';

type Props = { label: string; about: string; text: string; onChange: (text: string) => void };

/** A field for one JSON object; empty for none. */
export const JsonField = ({ label, about, text, onChange }: Props) => (
  <JsonInput
    label={label}
    description={about}
    value={text}
    onChange={onChange}
    validationError="This is not JSON."
    formatOnBlur
    autosize
    minRows={3}
    maxRows={14}
  />
);

export const textOf = (object: Record<string, unknown> | undefined): string =>
  object === undefined ? '' : JSON.stringify(object, undefined, 2);

/** The object of a field. Undefined if its text is none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
