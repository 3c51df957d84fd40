import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { KeyForm, type KeyFormProps } from './key-form.tsx';

type NewKeyProps = KeyFormProps & { opener: RefObject<HTMLElement | null> };

export function NewKey({ store, opener, onMade }: NewKeyProps) {
  /** A new form after each key. */
  const [madeCount, setMadeCount] = useState(0);
  return (
    <details key={madeCount}>
      <summary ref={opener}>{t('newKey')}</summary>
      <KeyForm
        store={store}
        onMade={(key) => {
          setMadeCount(madeCount + 1);
          return onMade(key);
        }}
      />
    </details>
  );
}
