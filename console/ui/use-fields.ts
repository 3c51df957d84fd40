import { useState } from 'react';

/**
 * The texts of a form in a dialog. They and what they are compared with are taken when it opens: what was typed before
 * and cancelled is gone, and what changes while it is open is not taken for a change of the operator.
 */
export function useFields<T extends Record<string, string>>(current: T) {
  const [{ before, fields }, setState] = useState({ before: current, fields: current });
  const set = (name: keyof T, value: string) =>
    setState((state) => ({ ...state, fields: { ...state.fields, [name]: value } }));
  return {
    fields,
    set,
    /** The properties of the input of a field. */
    input: (name: keyof T) => ({
      value: fields[name],
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        set(name, currentTarget.value),
    }),
    /** The fields that differ, without the blanks around them. */
    changed: Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([name, value]) => value !== before[name]),
    reset: () => setState({ before: current, fields: current }),
  };
}
