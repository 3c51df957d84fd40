import { createElement, type ReactNode, useState } from 'react';
import { useAction } from './form.ts';

type Choice = {
  value: string | undefined;
  /** The values, each with its name. */
  options: readonly (readonly [value: string, name: string])[];
  choose: (value: string) => unknown;
};

/**
 * Choices, one under way at a time: what is chosen shows until that is done, and `words` say why it failed.
 * @param refresh called after a failure: what was chosen from may have changed elsewhere
 */
export function useChoice(refresh: () => unknown) {
  const [pending, setPending] = useState<readonly [key: string, value: string]>();
  const { run, busy, words } = useAction();
  /** @param key names this choice among those of the component */
  const choice = (
    key: string,
    attributes: object,
    { value, options, choose }: Choice,
  ): ReactNode => {
    const shown = busy && pending?.[0] === key ? pending[1] : value;
    const selected = options.some(([each]) => each === shown) ? shown : '';
    return createElement(
      'select',
      {
        ...attributes,
        'aria-disabled': busy || undefined,
        value: selected,
        onChange: ({ target }: { target: unknown }) =>
          void run(
            async () => {
              const newValue = (target as { value: string }).value;
              setPending([key, newValue]);
              await choose(newValue);
            },
            {},
            refresh,
          ),
      },
      // A choice that is none of these is shown as none: they may have been removed from it.
      selected === '' && createElement('option', { value: '', disabled: true }, '…'),
      options.map(([each, name]) => createElement('option', { key: each, value: each }, name)),
    );
  };
  return { choice, words };
}
